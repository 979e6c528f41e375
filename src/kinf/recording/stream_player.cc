// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/stream_player.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kinf/api/api_status.h"
#include "kinf/base/log.h"

namespace kinf {
namespace {

/// The rest of a list in a pipe follows within this time.
constexpr std::chrono::milliseconds kListPause{500};

void report_error(const StreamItem& item, const std::string& name) {
  Result<ApiStatus> status = parse_api_status(item.json);
  const Error error = status ? to_error(*std::move(status)) : std::move(status).error();
  log::warning("{}: {}: ERROR: {}", name, item.place(), error.message);
}

}  // namespace

StreamPlayer::StreamPlayer(std::unique_ptr<StreamInput> input, std::string name, PlayedTime time,
                           ReplayClock& clock)
    : reader_(std::move(input)), name_(std::move(name)), time_(time), clock_(clock) {}

std::unique_ptr<ListerWatcher> StreamPlayer::add_source(StreamSelection selection) {
  auto source = std::make_unique<StreamSource>(clock_, std::move(selection));
  sources_.push_back(source.get());
  return source;
}

bool StreamPlayer::has_pending() const {
  return std::ranges::any_of(sources_, &StreamSource::has_pending);
}

bool StreamPlayer::is_listed(const StreamItem& item) const {
  if (time_.begin) return item.time <= time_.begin;
  if (time_.only_state || item.source == ChangeSource::list) return true;
  if (item.source || item.type == StreamItemType::added) return !item.source;
  return item.type == StreamItemType::object &&
         std::ranges::none_of(sources_,
                              [&](StreamSource* source) { return source->has_seen(item); });
}

bool StreamPlayer::is_over(const StreamItem& item) const {
  if (time_.only_state) return time_.begin && item.time > time_.begin;
  return time_.end && item.time > time_.end;
}

Result<void> StreamPlayer::check_time(const StreamItem& item) const {
  const bool needs_time = time_.begin || time_.end;
  if (!needs_time || item.time || item.type == StreamItemType::error) return {};
  Error error(ErrorKind::usage, fmt::format("{}: {} has no time", name_, item.place()));
  error.hint =
      "only events of kinf watch -o json have one, which --at, --since and --until-time need";
  return std::unexpected(std::move(error));
}

template <class Act>
Result<void> StreamPlayer::for_sources(const StreamItem& item, Act act) {
  if (item.time) clock_.set_wall(*item.time);
  if (item.type == StreamItemType::error) {
    report_error(item, name_);
    return {};
  }
  if (item.type == StreamItemType::list_end) return {};
  bool is_selected = false;
  for (StreamSource* source : sources_) {
    if (!source->selects_type(item)) continue;
    is_selected = true;
    Result<void> done = act(*source);
    if (!done) return std::unexpected(std::move(done).error().within(name_));
  }
  if (!is_selected) report_skipped(item);
  return {};
}

void StreamPlayer::report_skipped(const StreamItem& item) {
  if (!takes_all_types_ || !skipped_.insert(item.kind).second) return;
  log::notice("{}: {}: objects of kind {} begin later and are skipped; name the types to see them",
              name_, item.place(), item.kind);
}

Result<std::optional<Clock::Wall>> StreamPlayer::next_time(const std::stop_token& stop) {
  if (!has_listed_) return std::optional<Clock::Wall>();
  const Result<const StreamItem*> next = reader_.peek(std::nullopt, stop);
  if (!next) return std::unexpected(next.error().within(name_));
  return *next == nullptr ? std::nullopt : (*next)->time;
}

Result<bool> StreamPlayer::advance(const std::stop_token& stop) {
  if (failed_) return std::unexpected(*failed_);
  return has_listed_ ? play_next(stop) : read_list(stop);
}

Result<bool> StreamPlayer::read_list(const std::stop_token& stop) {
  const bool waits = time_.only_state || time_.begin;
  std::optional<Clock::Duration> patience;
  for (;;) {
    const Result<const StreamItem*> next = reader_.peek(patience, stop);
    if (!next && time_.only_state) return std::unexpected(next.error().within(name_));
    if (stop.stop_requested()) return true;
    if (next && *next == nullptr && !reader_.has_ended() && !patience) continue;
    if (!next || *next == nullptr) break;
    if (Result<void> fine = check_time(**next); !fine) {
      return std::unexpected(std::move(fine).error());
    }
    const bool is_end = !waits && (*next)->type == StreamItemType::list_end;
    if (!is_end && !is_listed(**next)) break;
    const StreamItem item = reader_.take();
    Result<void> applied =
        for_sources(item, [&](StreamSource& source) { return source.apply(item); });
    if (!applied && time_.only_state) return std::unexpected(std::move(applied).error());
    if (!applied) failed_ = std::move(applied).error();
    if (is_end || failed_) break;
    if (!waits) patience = kListPause;
  }
  if (time_.begin) clock_.set_wall(*time_.begin);
  for (StreamSource* source : sources_) source->end_list();
  has_listed_ = true;
  return true;
}

Result<bool> StreamPlayer::play_next(const std::stop_token& stop) {
  const Result<const StreamItem*> next = reader_.peek(std::nullopt, stop);
  if (!next) return std::unexpected(next.error().within(name_));
  if (*next == nullptr) return reader_.has_ended() ? finish() : true;
  if (Result<void> fine = check_time(**next); !fine) {
    return std::unexpected(std::move(fine).error());
  }
  if (is_over(**next)) return finish();
  if ((*next)->source == ChangeSource::relist) return play_relist(stop);
  const StreamItem item = reader_.take();
  Result<void> played = for_sources(item, [&](StreamSource& source) { return source.play(item); });
  if (!played) return std::unexpected(std::move(played).error());
  return true;
}

Result<bool> StreamPlayer::play_relist(const std::stop_token& stop) {
  std::set<StreamSource*> relisted;
  for (bool more = true; more;) {
    const StreamItem item = reader_.take();
    Result<void> applied = for_sources(item, [&](StreamSource& source) {
      relisted.insert(&source);
      return source.apply(item);
    });
    if (!applied) return std::unexpected(std::move(applied).error());
    const Result<const StreamItem*> next = reader_.peek(Clock::Duration(0), stop);
    more = next && *next != nullptr && (*next)->source == ChangeSource::relist && !is_over(**next);
  }
  for (StreamSource* source : relisted) source->relist();
  return true;
}

bool StreamPlayer::finish() {
  for (StreamSource* source : sources_) source->flush();
  return has_pending();
}

}  // namespace kinf
