// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/stream_reader.h"

#include <algorithm>
#include <utility>

#include "kinf/api/object_decoder.h"
#include "kinf/base/ascii.h"

namespace kinf {
namespace {

/// How much of a pipe is read ahead to find its types.
constexpr std::size_t kHeadBytes = std::size_t{16} << 20;

/// Returns whether objects of this kind are in namespaces, as far as `item` tells.
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
  if (!got) return std::unexpected(got.error());
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
    if (error_) return std::unexpected(*error_);
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
    if (!more) return std::unexpected(more.error());
    if (!*more && !has_ended_) break;
    collect(!is_file);
    if (is_file || ahead_.empty()) continue;
    if (ahead_.back().source != ChangeSource::list || ahead_bytes_ > kHeadBytes) break;
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
