// SPDX-License-Identifier: Apache-2.0
// The part of Reflector that handles streaming lists and watches. The top of reflector.cc explains
// the design.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "kinf/api/api_status.h"
#include "kinf/base/log.h"
#include "kinf/informer/reflector.h"
#include "kinf/informer/version_tracker.h"

namespace kinf {
namespace {

/// The maximum number of events per step, so that a busy stream does not delay resyncs or a stop.
constexpr int kEventsPerStep = 64;
/// The maximum of doubt_after_, a number of silent watches.
constexpr int kRarestDoubt = 64;
/// The timeout of a watch request is a random value between this and twice this.
constexpr double kWatchTimeoutSeconds = 300;
/// A stream counts as healthy when it has been open for kHealthyAge, or for kHealthyAgeWithEvents
/// if it received events and fewer than kManyBriefWatches watches before it closed within
/// kHealthyAge.
constexpr Clock::Duration kHealthyAge = std::chrono::seconds(5);
constexpr Clock::Duration kHealthyAgeWithEvents = std::chrono::seconds(1);
constexpr int kManyBriefWatches = 10;
/// A streaming list must deliver at least kFlowEvents events in each kFlowWindow.
constexpr Clock::Duration kFlowWindow = std::chrono::seconds(30);
constexpr std::uint64_t kFlowEvents = 100;

/// Returns whether the error means that the server does not support streaming lists.
bool says_unsupported(const Error& error) {
  static constexpr std::array<int, 6> kCodes = {400, 405, 406, 415, 422, 501};
  return error.status &&
         std::find(kCodes.begin(), kCodes.end(), error.status->code) != kCodes.end();
}

/// Returns true for failures that do not depend on the requested version, so that the same request
/// can be retried later.
bool is_refused_or_throttled(const Error& error) {
  return error.fault == NetworkFault::refused || is_throttled(error);
}

bool wants_other_version(const Error& error) {
  return is_expired(error) || is_too_large_resource_version(error);
}

}  // namespace

ListOptions Reflector::watch_options() {
  ListOptions options;
  options.allow_watch_bookmarks = true;
  options.timeout =
      std::chrono::seconds(static_cast<int>(kWatchTimeoutSeconds * (1.0 + random_.unit())));
  return options;
}

void Reflector::start_stream() {
  state_ = State::streaming;
  initial_ = {};
  ListOptions options = watch_options();
  options.resource_version = versions_.for_stream();
  options.resource_version_match = "NotOlderThan";
  options.send_initial_events = true;
  announce_list(true, options.resource_version);
  open_stream(options);
}

void Reflector::start_watch() {
  state_ = State::watching;
  InformerCounters::count(counters_.watches);
  arm_resync();
  ListOptions options = watch_options();
  options.resource_version = versions_.last();
  versions_.watch_started();
  open_stream(options);
}

void Reflector::open_stream(const ListOptions& options) {
  stream_.emplace(source_.watch(options), now(), now(), now());
}

bool Reflector::was_very_short() const {
  return stream_age() < std::chrono::seconds(1) && stream_->events == 0;
}

bool Reflector::was_healthy() const {
  return stream_age() >= kHealthyAge ||
         (stream_->events > 0 && stream_age() >= kHealthyAgeWithEvents &&
          brief_watches_ < kManyBriefWatches);
}

void Reflector::reset_backoff_if_healthy() {
  if (!was_healthy()) return;
  backoff_.reset();
  redial_.reset();
  short_watches_ = 0;
}

/// Returns when the last byte arrived or when the stream was last read, whichever is later. While
/// the queue is full, bytes are read long after they arrive.
Clock::Mono Reflector::silent_since() const {
  const Clock::Mono last = stream_->call->last_byte();
  return last == Clock::kNever ? stream_->touched : std::max(last, stream_->touched);
}

/// Returns false if a streaming list delivers too few events. A server that does not support
/// streaming lists may treat the request as a watch and send single events forever, so that the
/// silence timeout does not detect it.
bool Reflector::still_flows() {
  if (now() - stream_->window_start < kFlowWindow) return true;
  const bool flows = stream_->events - stream_->window_events >= kFlowEvents;
  stream_->window_start = now();
  stream_->window_events = stream_->events;
  return flows;
}

StepResult Reflector::step_stream(const std::stop_token& stop) {
  const Queue::Batch batch(queue_);
  if (check_setback()) return {.moved = true};
  for (int taken = 0; taken < kEventsPerStep; ++taken) {
    WatchPoll found = stream_->call->poll();
    if (std::holds_alternative<WatchPending>(found)) {
      if (taken == 0) return step_silent();
      break;
    }
    if (std::holds_alternative<WatchOpened>(found)) {
      stream_->opened = true;
      if (state_ == State::watching) watch_opened();
    } else if (auto* event = std::get_if<WatchEvent>(&found)) {
      took(std::move(*event), stop);
    } else if (const auto* error = std::get_if<Error>(&found)) {
      stream_failed(*error, stream_->opened);
    } else {
      state_ == State::streaming ? streaming_list_closed() : watch_closed();
    }
    if (!stream_ || stop.stop_requested()) return {.moved = true};
  }
  stream_->touched = now();
  return {.moved = true};
}

StepResult Reflector::step_silent() {
  if (!strict()) return idle_until(Clock::kNever);
  const bool streaming = state_ == State::streaming;
  const Clock::Duration timeout = streaming ? options_.stream_timeout : options_.stall_timeout;
  if (timeout.count() <= 0) return idle_until(Clock::kNever);
  const Clock::Mono deadline = silent_since() + timeout;
  if (now() >= deadline) {
    if (streaming) {
      give_up_streaming_list("stopped sending data before it was complete");
    } else {
      stalled();
    }
    return {.moved = true};
  }
  if (!streaming) return idle_until(deadline);
  if (!still_flows()) {
    give_up_streaming_list("is too slow");
    return {.moved = true};
  }
  return idle_until(std::min(deadline, stream_->window_start + kFlowWindow));
}

void Reflector::took(WatchEvent event, const std::stop_token& stop) {
  if (event.type == WatchEventType::error) {
    const Error unknown(ErrorKind::protocol,
                        "the watch sent an ERROR event without a Status object");
    stream_failed(event.error ? *event.error : unknown, true);
  } else if (is_foreign(event)) {
    InformerCounters::count(counters_.foreign_events);
  } else if (state_ == State::streaming) {
    took_initial(std::move(event), stop);
  } else {
    apply(event, stop);
  }
}

bool Reflector::is_foreign(const WatchEvent& event) const {
  if (event.type == WatchEventType::bookmark) return false;
  if (!event.object) return true;
  return !options_.expected_kind.empty() &&
         (event.object->kind() != options_.expected_kind ||
          event.object->api_version() != options_.expected_api_version);
}

void Reflector::took_initial(WatchEvent event, const std::stop_token& stop) {
  ++stream_->events;
  if (event.type != WatchEventType::bookmark) {
    if (!strict() && event.type != WatchEventType::deleted) {
      // client-go transforms these objects twice: in its temporary store and in the queue.
      Result<ObjectPtr> kept = transformed(options_.transform, std::move(event.object));
      if (!kept)
        return log::warning("{}: dropping an initial event: {}", what_, kept.error().message);
      event.object = std::move(*kept);
    }
    initial_.apply(event.type, std::move(event.object));
    return;
  }
  if (!event.initial_events_end) return;
  if (!take_list(initial_.take(), event.resource_version, stop)) return;
  if (options_.list_only) return rest();
  state_ = State::watching;
  stream_->counting_since = now();
  stream_->events = 0;
  InformerCounters::count(counters_.watches);
  arm_resync();
  watch_opened();
}

/// Lists again because the server went back to an older version, as it does when it is restored
/// from a backup.
void Reflector::set_back(const std::string& from, const std::string& to) {
  const std::string reason = set_back_text(from, to);
  versions_.mark_unavailable();
  relist_after(Error(ErrorKind::unavailable, reason), reason);
}

/// Lists at once if the SetbackCheck has found that the server went back: the backoff is long after
/// an outage. Returns whether it did.
bool Reflector::check_setback() {
  const std::optional<SetbackCheck::Setback> found = setback_.poll();
  if (!found) return false;
  set_back(found->from, found->to);
  resume_at_ = now();
  return true;
}

void Reflector::apply(const WatchEvent& event, const std::stop_token& stop) {
  InformerCounters::count(event.type == WatchEventType::bookmark ? counters_.bookmarks
                                                                 : counters_.watch_events);
  if (strict() && event.type == WatchEventType::bookmark &&
      is_older_version(event.resource_version, versions_.last())) {
    return set_back(versions_.last(), event.resource_version);
  }
  mute_watches_ = 0;
  doubt_after_ = kFirstDoubt;
  const Clock::Wall arrived = clock_.wall();  // before waiting for room in the queue
  if (Result<void> taken = enqueue(event, stop); !taken) {
    if (taken.error().kind == ErrorKind::stopped) return;
    InformerCounters::count(counters_.apply_errors);
    const Error error = std::move(taken.error())
                            .within(fmt::format("apply {} at resourceVersion {}",
                                                event.object ? event.object->key() : "a bookmark",
                                                event.resource_version));
    if (strict()) {
      relist_after(error, "an event could not be applied");
      failures_.failed(InformerFailure::Doing::applying, error, resume_at_ - now(), true);
      return;
    }
    log::warning("{}: {}", what_, error.message);
  }
  ++stream_->events;
  expired_fresh_ = 0;
  watched_until_ = arrived;
  versions_.took(event);
}

Result<void> Reflector::enqueue(const WatchEvent& event, const std::stop_token& stop) {
  const ChangeOrigin origin{.arrived = clock_.wall()};
  switch (event.type) {
    case WatchEventType::added: return queue_.add(event.object, origin, stop);
    case WatchEventType::modified: return queue_.update(event.object, origin, stop);
    case WatchEventType::deleted: return queue_.remove(event.object, origin, stop);
    case WatchEventType::bookmark: return queue_.bookmark(event.resource_version, origin, stop);
    case WatchEventType::error: break;
  }
  return {};
}

void Reflector::stream_failed(const Error& error, bool was_open) {
  reset_backoff_if_healthy();
  if (state_ == State::streaming) {
    streaming_list_failed(error, was_open);
  } else {
    was_open ? watch_failed(error) : watch_refused(error);
  }
}

void Reflector::streaming_list_closed() {
  ++streams_without_end_;
  if (was_very_short()) {
    skip_stream_ = true;
    go(Request::list);
  } else if (strict() && streams_without_end_ >= 2) {
    give_up_streaming_list("was closed twice before it was complete");
  } else {
    go(Request::stream);
  }
}

void Reflector::give_up_streaming_list(std::string_view why) {
  const bool for_good = options_.watch_list == WatchListMode::automatic;
  if (for_good) {
    stream_unsupported_ = true;
    source_.give_up_watch_list();
  }
  log::notice("{}: streaming list {}; using {}", what_, why,
              for_good ? "paged lists from now on" : "a paged list instead");
  skip_stream_ = true;
  go(Request::list);
}

void Reflector::streaming_list_failed(const Error& error, bool was_open) {
  if (is_refused_or_throttled(error)) {
    const Clock::Duration delay = backoff_for(error);
    failures_.failed(InformerFailure::Doing::listing, error, delay, false);
    go(Request::stream, delay);
  } else if (wants_other_version(error)) {
    versions_.mark_unavailable();
    const bool at_once = !strict() || stream_retries_++ == 0;
    go(Request::stream, at_once ? Clock::Duration() : backoff_for(error));
  } else if (strict() && error.kind == ErrorKind::network) {
    // A paged list would fail with the same network error.
    const Clock::Duration delay = backoff_for(error);
    failures_.failed(InformerFailure::Doing::listing, error, delay, true);
    go(Request::init, delay);
  } else {
    if (strict() && !was_open && says_unsupported(error)) {
      stream_unsupported_ = true;
      source_.give_up_watch_list();
    }
    log::verbose(4, "{}: streaming list failed ({}); using a paged list instead", what_,
                 error.message);
    skip_stream_ = true;
    go(Request::list);
  }
}

void Reflector::watch_opened() {
  stalls_ = 0;
  silent_since_.reset();
  failures_.succeeded();
  setback_.watch_opened(versions_.last());
  if (observer_ != nullptr) observer_->on_watch_opened();
}

void Reflector::watch_closed() {
  if (was_very_short()) {
    const Error error(ErrorKind::unavailable,
                      fmt::format("very short watch: {}: Unexpected watch close - watch lasted "
                                  "less than a second and no items received",
                                  what_));
    relist_after(error, "the watch closed as soon as it was opened");
    failures_.failed(InformerFailure::Doing::watching, error, resume_at_ - now(), false);
    return;
  }
  const Clock::Duration lived = stream_age();
  const std::uint64_t events = stream_->events;
  Clock::Duration delay{};
  reset_backoff_if_healthy();
  if (!was_healthy() && strict() && ++short_watches_ > 1) delay = redial_.next();
  brief_watches_ = lived < kHealthyAge ? brief_watches_ + 1 : 0;
  go(Request::watch, delay);
  if (observer_ != nullptr) {
    observer_->on_watch_closed(
        {lived, events, versions_.last(), brief_watches_ == kManyBriefWatches});
  }
}

/// Handles a failed watch request. Behaviour::strict retries the watch if a list would fail, too.
/// client-go lists again, except after a refused connection or throttling.
void Reflector::watch_refused(const Error& error) {
  if (stalls_ > 0) tell_stalled();
  const bool transient = is_refused_or_throttled(error);
  const bool list_is_no_help = error.kind == ErrorKind::network ||
                               error.kind == ErrorKind::unavailable ||
                               error.kind == ErrorKind::auth || error.kind == ErrorKind::forbidden;
  if (transient || (strict() && list_is_no_help && !wants_other_version(error))) {
    go(Request::watch, backoff_for(error));
  } else {
    const bool at_once = lists_at_once(error);
    relist_after(error, is_expired(error)
                            ? fmt::format("resourceVersion {} expired", versions_.last())
                            : "the watch was refused: " + error.message);
    if (at_once) resume_at_ = now();
  }
  if (strict()) setback_.arm();
  failures_.failed(InformerFailure::Doing::opening_watch, error, resume_at_ - now(), !transient);
}

/// Returns whether a list must follow without a pause: after a failure, the server does not know
/// the last version. It was probably restored from a backup, and the backoff is long after an
/// outage.
bool Reflector::lists_at_once(const Error& error) {
  if (!strict() || !setback_.is_armed() || !is_too_large_resource_version(error)) return false;
  versions_.mark_unavailable();
  return true;
}

/// Handles an open watch that ended with an error.
void Reflector::watch_failed(const Error& error) {
  if (strict() && error.kind == ErrorKind::network) {
    setback_.arm();
    return watch_closed();
  }
  if (is_expired(error)) {
    if (strict() && versions_.is_fresh_from_list() && ++expired_fresh_ >= 2) {
      versions_.mark_unavailable();
    }
    relist_after(error, fmt::format("resourceVersion {} expired", versions_.last()));
    return;
  }
  if (is_throttled(error)) {
    go(Request::watch, backoff_for(error));
  } else {
    relist_after(error, "the watch failed: " + error.message);
  }
  failures_.failed(InformerFailure::Doing::watching, error, resume_at_ - now(), false);
}

void Reflector::stalled() {
  InformerCounters::count(counters_.stalls);
  if (!silent_since_) silent_since_ = silent_since();
  log::verbose(4, "{}: no data for {} s; opening the watch again on a new connection", what_,
               std::chrono::duration_cast<std::chrono::seconds>(now() - *silent_since_).count());
  setback_.arm();
  const bool doubts = doubts_silence();
  if (++stalls_ > 1) tell_stalled();
  source_.reset_connections();
  if (doubts) {
    const std::string reason = "several watches received no event or bookmark";
    return relist_after(Error(ErrorKind::unavailable, reason), reason);
  }
  go(Request::watch, stalls_ > 1 ? backoff_.next() : Clock::Duration());
}

/// Returns whether the silence is suspicious, so that a list must follow. A server that was
/// restored from an older backup accepts a watch from the client's newer version, and is silent
/// until it reaches that version. A list detects this: it fails, or its version is older.
bool Reflector::doubts_silence() {
  if (!stream_->opened || stream_->events > 0) return false;
  if (++mute_watches_ < doubt_after_) return false;
  mute_watches_ = 0;
  doubt_after_ = std::min(doubt_after_ * 2, kRarestDoubt);
  return true;
}

void Reflector::tell_stalled() {
  if (silent_since_) failures_.stalled(*silent_since_);
}

}  // namespace kinf
