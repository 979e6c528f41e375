// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/play/stream_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <utility>

#include "kinf/api/object_decoder.h"
#include "kinf/base/ascii.h"
#include "kinf/base/limits.h"

namespace kinf {
namespace {

constexpr std::size_t kReadBytes = std::size_t{256} << 10;

int milliseconds(std::optional<Clock::Duration> patience) {
  if (!patience) return -1;
  const auto count = std::chrono::ceil<std::chrono::milliseconds>(*patience).count();
  return static_cast<int>(std::clamp<std::int64_t>(count, 0, INT_MAX));
}

/// Returns whether the type of `item` is namespaced, that is, whether the object has a namespace.
/// Returns true for items without a valid object.
bool is_namespaced(const StreamItem& item) {
  if (item.type == StreamItemType::list_end) return true;
  DecodeOptions options;
  options.form = ObjectForm::metadata;
  ObjectDecoder decoder(std::move(options));
  const Result<ObjectPtr> object = decoder.decode(item.json);
  return !object || !(*object)->ns().empty();
}

RecordedType type_of(const StreamItem& item) {
  RecordedType found;
  ResourceType& type = found.type;
  const std::size_t slash = item.api_version.find('/');
  if (slash != std::string::npos) type.gvr.group = item.api_version.substr(0, slash);
  type.gvr.version =
      slash == std::string::npos ? item.api_version : item.api_version.substr(slash + 1);
  type.kind = item.kind;
  type.gvr.resource = item.resource.empty() ? plural_of(item.kind)
                                            : item.resource.substr(0, item.resource.find('.'));
  type.namespaced = is_namespaced(item);
  return found;
}

}  // namespace

Result<std::unique_ptr<StreamInput>> FileInput::open(const std::string& path) {
  const bool is_stdin = path == "-";
  FileDescriptor file(is_stdin ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                               :  // A pipe may have no writer yet: wait() waits for one.
                          ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  std::string name = is_stdin ? "standard input" : path;
  if (!file.is_open()) {
    return fail(errno == ENOENT ? ErrorKind::not_found : ErrorKind::internal, "{}: {}", name,
                std::strerror(errno));
  }
  return std::make_unique<FileInput>(std::move(file), std::move(name));
}

FileInput::FileInput(FileDescriptor file, std::string name)
    : file_(std::move(file)), name_(std::move(name)), start_(::lseek(file_.get(), 0, SEEK_CUR)) {}

Error FileInput::system_error() const {
  return {ErrorKind::internal, fmt::format("reading {}: {}", name_, std::strerror(errno))};
}

Result<bool> FileInput::wait(std::optional<Clock::Duration> patience, const std::stop_token& stop) {
  const std::stop_callback on_stop(stop, [this] { wake_.signal(); });
  std::array<pollfd, 2> waited = {{{file_.get(), POLLIN, 0}, {wake_.descriptor(), POLLIN, 0}}};
  const int ready = ::poll(waited.data(), waited.size(), milliseconds(patience));
  if (ready < 0 && errno != EINTR) return fail(system_error());
  return ready > 0 && waited[0].revents != 0 && !stop.stop_requested();
}

Result<StreamInput::Got> FileInput::read(std::string& bytes,
                                         std::optional<Clock::Duration> patience,
                                         const std::stop_token& stop) {
  const Result<bool> ready = wait(patience, stop);
  if (!ready) return fail(ready);
  if (!*ready) return Got::nothing;
  bytes.resize(kReadBytes);
  const ssize_t count = ::read(file_.get(), bytes.data(), bytes.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return Got::nothing;
  if (count < 0) return fail(system_error());
  bytes.resize(static_cast<std::size_t>(count));
  return count == 0 ? Got::end : Got::bytes;
}

bool FileInput::rewind() { return start_ >= 0 && ::lseek(file_.get(), start_, SEEK_SET) >= 0; }

bool is_json_stream(const std::string& path) {
  if (path == "-") return true;
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return false;
  if (!S_ISREG(info.st_mode)) return !S_ISDIR(info.st_mode);
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 64> head{};
  const ssize_t count = ::read(file.get(), head.data(), head.size());
  const std::string_view text(head.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

std::string plural_of(std::string_view kind) {
  std::string plural = to_lower(kind);
  if (plural.ends_with("endpoints") || plural.empty()) return plural;
  if (plural.ends_with('y') && !plural.ends_with("ay") && !plural.ends_with("ey")) {
    plural.pop_back();
    return plural + "ies";
  }
  const bool hisses = plural.ends_with('s') || plural.ends_with('x') || plural.ends_with("ch");
  return plural + (hisses ? "es" : "s");
}

Result<bool> StreamReader::read(std::optional<Clock::Duration> patience,
                                const std::stop_token& stop) {
  const Result<StreamInput::Got> got = input_->read(bytes_, patience, stop);
  if (!got) return fail(got);
  if (*got == StreamInput::Got::bytes) decoder_->feed(bytes_);
  if (*got == StreamInput::Got::end) {
    decoder_->finish();
    has_ended_ = true;
  }
  return *got == StreamInput::Got::bytes;
}

void StreamReader::collect(bool keep) {
  for (;;) {
    Result<std::optional<StreamItem>> item = decoder_->next();
    if (!item) {
      error_ = std::move(item).error();
      return;
    }
    if (!*item) return;
    note_type(**item);
    if (!keep) continue;
    ahead_bytes_ += (*item)->json.size();
    ahead_.push_back(*std::move(*item));
  }
}

void StreamReader::note_type(const StreamItem& item) {
  if (item.type == StreamItemType::error || item.kind.empty()) return;
  const auto is_same = [&](const RecordedType& known) {
    return known.type.kind == item.kind && known.type.api_version() == item.api_version;
  };
  if (std::ranges::none_of(types_, is_same)) types_.push_back(type_of(item));
}

Result<const StreamItem*> StreamReader::peek(std::optional<Clock::Duration> patience,
                                             const std::stop_token& stop) {
  while (ahead_.empty()) {
    if (error_) return fail(*error_);
    if (has_ended_) return nullptr;
    const Result<bool> more = read(patience, stop);
    if (!more) error_ = more.error();
    if (more && !*more && !has_ended_) return nullptr;
    collect(true);
  }
  return &ahead_.front();
}

StreamItem StreamReader::take() {
  StreamItem item = std::move(ahead_.front());
  ahead_.pop_front();
  return item;
}

Result<std::vector<RecordedType>> StreamReader::types(const std::stop_token& stop) {
  const bool is_file = input_->rewind();
  std::optional<Clock::Duration> patience;
  while (!has_ended_ && !error_) {
    const Result<bool> more = read(patience, stop);
    if (!more) return fail(more);
    if (!*more && !has_ended_) break;
    collect(!is_file);
    if (is_file || ahead_.empty()) continue;
    if (ahead_.back().source != ChangeSource::list || ahead_bytes_ > limits::kStreamHeadBytes)
      break;
    patience = std::chrono::milliseconds(100);  // the rest of the list follows at once
  }
  if (is_file) {
    input_->rewind();
    decoder_.emplace();
    error_.reset();
    has_ended_ = false;
  }
  return types_;
}

}  // namespace kinf
