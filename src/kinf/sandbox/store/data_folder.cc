// SPDX-License-Identifier: Apache-2.0
// The first line of the file is {"kinf-sandbox":1,"version":N}. Each further line is a change:
// {"type":"pods","version":12,"object":{…}}, or a deletion:
// {"type":"pods","version":13,"gone":{…}}. `gone` contains the namespace and name.
#include "kinf/sandbox/store/data_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "kinf/base/files.h"
#include "kinf/base/limits.h"
#include "kinf/base/log.h"

namespace kinf::sandbox {
namespace {

/// Files up to this size, in bytes, are rewritten only when the sandbox starts.
constexpr std::size_t kAlwaysShort = std::size_t{16} << 20;
constexpr std::uint64_t kHighestVersion = std::uint64_t{1} << 60;

std::string reason_of(int code) { return std::generic_category().message(code); }

std::unexpected<Error> data_error(const std::string& path, const std::string& problem) {
  return fail(ErrorKind::internal, fmt::format("{}: {}", path, problem));
}

/// Truncates the file to `size` bytes, and moves the write position there.
bool cut_to(const FileDescriptor& file, std::size_t size) {
  const auto end = static_cast<off_t>(size);
  return ::ftruncate(file.get(), end) == 0 && ::lseek(file.get(), end, SEEK_SET) == end;
}

std::string head_line(std::uint64_t version) {
  return fmt::format("{{\"kinf-sandbox\":1,\"version\":{}}}\n", version);
}

std::string object_line(std::string_view type, const StoredObject& object, bool is_gone = false) {
  const Json gone = {{"namespace", object.key.ns}, {"name", object.key.name}};
  return fmt::format("{{\"type\":{},\"version\":{},\"{}\":{}}}\n", to_text(Json(type)),
                     object.version, is_gone ? "gone" : "object",
                     is_gone ? to_text(gone) : object.text);
}

std::optional<std::uint64_t> version_in(const Json& line) {
  const Json& version = field(line, "version");
  if (!version.is_number_unsigned()) return std::nullopt;
  const auto number = version.get<std::uint64_t>();
  return number <= kHighestVersion ? std::optional(number) : std::nullopt;
}

}  // namespace

Result<std::unique_ptr<DataFolder>> DataFolder::open(const std::string& folder) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return data_error(folder, reason_of(errno));
  }
  std::unique_ptr<DataFolder> data(new DataFolder(folder));
  if (const Result<void> locked = data->lock_folder(); !locked)
    return std::unexpected(locked.error());
  if (const Result<void> read = data->read(); !read) return std::unexpected(read.error());
  return data;
}

Result<void> DataFolder::lock_folder() {
  const std::string name = folder_ + "/lock";
  Result<FileDescriptor> lock = open_regular_file(name, O_RDWR | O_CREAT);
  if (!lock) return std::unexpected(std::move(lock).error());
  lock_ = *std::move(lock);
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0) return {};
  return data_error(folder_, errno == EWOULDBLOCK ? "in use by another sandbox" : reason_of(errno));
}

Result<void> DataFolder::read() {
  const Result<std::string> content = read_regular_file(file_name(), limits::kSandboxDataBytes);
  if (!content && content.error().kind == ErrorKind::not_found) return {};
  if (!content) return fail(ErrorKind::internal, content.error().message);
  std::string_view rest = *content;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos && number > 1) {
      log::notice("{}: ignoring the last line, which is incomplete", file_name());
      break;
    }
    if (const Result<void> taken = take_line(rest.substr(0, end), number); !taken) return taken;
    if (end == std::string_view::npos) break;  // the first line has no line feed
    rest.remove_prefix(end + 1);
    size_ = content->size() - rest.size();
  }
  return {};
}

Result<void> DataFolder::take_line(std::string_view line, std::size_t number) {
  const auto damaged_line = [&](const char* problem) {
    return std::unexpected(
        Error(ErrorKind::internal, fmt::format("{}: line {}: {}", file_name(), number, problem))
            .with_hint("the file is unchanged; repair it or use another folder"));
  };
  std::optional<Json> json = parse_json(line);
  const auto version = json ? version_in(*json) : std::nullopt;
  if (!version) return damaged_line("not a valid line of a sandbox data file");
  if (number == 1) {
    if (field(*json, "kinf-sandbox") != 1) return damaged_line("not a sandbox data file");
    version_ = std::max<std::uint64_t>(*version, 1);
    return {};
  }
  if (*version > version_) version_ = *version;
  const std::string type = text(field(*json, "type"));
  const bool is_gone = json->contains("gone");
  const Json& names = is_gone ? field(*json, "gone") : field(*json, "object", "metadata");
  const ObjectKey key{text(field(names, "namespace")), text(field(names, "name"))};
  if (type.empty() || key.name.empty())
    return damaged_line("the type or the name of the object is missing");
  // A later line of an object replaces its earlier lines.
  if (is_gone) {
    contents_.erase({type, key});
    return {};
  }
  Json& object = (*json)["object"];
  object["metadata"]["resourceVersion"] = std::to_string(*version);
  contents_[{type, key}] = stored_object(key, *version, std::move(object));
  return {};
}

Result<void> DataFolder::restore(ResourceStore& store) {
  std::vector<LoggedObject> objects;
  for (auto& [key, object] : contents_) objects.push_back({key.first, std::move(object)});
  contents_.clear();
  const Result<void> written = write_all(std::max<std::uint64_t>(version_, 1), objects);
  if (!written) {
    if (!keep_file()) return written;
    log::notice("{}; {} stays as it is", written.error().message, file_name());
  }
  store.restore(version_, objects, this);
  return {};
}

/// Opens the existing file to append to it. Returns false if it has no complete line or is not
/// writable.
bool DataFolder::keep_file() {
  if (size_ == 0) return false;
  Result<FileDescriptor> file = open_regular_file(file_name(), O_WRONLY);
  if (!file || !cut_to(*file, size_)) return false;
  file_ = *std::move(file);
  short_size_ = size_;
  return true;
}

/// Writes a new file, then renames it over the old one. Removes the new file if that fails.
Result<void> DataFolder::write_all(std::uint64_t version,
                                   const std::vector<LoggedObject>& objects) {
  const std::string part = file_name() + ".part";
  ::unlink(part.c_str());  // a sandbox that was killed may have left it
  Result<FileDescriptor> file = open_regular_file(part, O_WRONLY | O_CREAT | O_EXCL);
  if (!file) return fail(ErrorKind::internal, file.error().message);
  std::string lines = head_line(version);
  std::size_t size = 0;
  bool well = true;
  for (const LoggedObject& each : objects) {
    lines += object_line(each.type, *each.object);
    if (lines.size() < (1 << 20)) continue;
    well = well && write_fully(file->get(), lines);
    size += lines.size();
    lines.clear();
  }
  well = well && write_fully(file->get(), lines) && ::fsync(file->get()) == 0 &&
         std::rename(part.c_str(), file_name().c_str()) == 0;
  if (!well) {
    Error error(ErrorKind::internal, fmt::format("{}: {}", part, reason_of(errno)));
    error.hint = "free some space, or use another folder";
    ::unlink(part.c_str());
    return std::unexpected(std::move(error));
  }
  file_ = *std::move(file);
  size_ = size + lines.size();
  short_size_ = size_;
  return {};
}

bool DataFolder::append(std::string_view type, const StoredChange& change) {
  if (!file_.is_open()) return false;
  const std::string line =
      object_line(type, *change.object, change.type == StoredChangeType::deleted);
  if (write_fully(file_.get(), line)) {
    size_ += line.size();
    fails_ = false;
    return true;
  }
  const std::string problem = reason_of(errno);
  // Remove a partial line, because it would damage the file.
  if (!cut_to(file_, size_)) file_.reset();
  if (!std::exchange(fails_, true)) {
    MutexLock lock(mu_);
    problem_ =
        fmt::format("{}: {}; changes are refused until they can be saved", file_name(), problem);
  }
  return false;
}

bool DataFolder::is_long() const { return size_ > kAlwaysShort && size_ > 4 * short_size_; }

void DataFolder::rewrite(std::uint64_t version, const std::vector<LoggedObject>& objects) {
  if (!file_.is_open()) return;
  // If the rewrite fails, keep the old file and try again when it has grown.
  if (const Result<void> written = write_all(version, objects); !written) short_size_ = size_;
}

void DataFolder::report_problem() {
  std::string problem;
  {
    MutexLock lock(mu_);
    problem.swap(problem_);
  }
  if (!problem.empty()) log::warning("{}", problem);
}

}  // namespace kinf::sandbox
