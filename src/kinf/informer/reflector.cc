// SPDX-License-Identifier: Apache-2.0
// The reflector is a state machine. In every state it must handle the same cases: the server
// refuses, hangs, closes or sends wrong data, or the caller stops. Each state is a value, each case
// is one short function, and no call blocks except while the queue is full. Therefore one thread
// can run the reflector, a test with a fake clock can try any sequence of faults, and a stop never
// waits for a request.
//
//   waiting ──► listing ─────────────────► waiting(watch) ──► watching
//      ▲  └───► streaming ── end mark ───────────────────────────┘ │
//      └────────────────── every fault and every close ◄───────────┘
//
// All requests start in state `waiting`, with the next request in request_ and its time in
// resume_at_. Three limits apply together:
// - The backoff grows with failures. Only a healthy stream resets it: one that has been open for 5
//   s, or for 1 s with events, unless the last ten watches closed within 5 s. Neither elapsed time
//   nor a successful list resets the backoff, because kinf would then retry at full speed if a
//   server fails at regular intervals.
// - The redial delay grows with streams that close too early without an error. The first of them is
//   resumed at once, because a rolling restart of the server closes every stream once.
// - The pacer limits the rate of all requests, even in cases that the other two do not cover.
// client-go has only the backoff, and reopens a closed watch without a pause. Behaviour::client_go
// does the same, with a pacer that allows 60 requests at once.
//
// The version to resume from covers only events that the queue has accepted. If the queue rejects
// an event (because a transform failed), kinf does not record its version, reports the error, ends
// the watch and lists again; client-go logs the error and continues. A list first asks for the last
// version, which the server can answer from memory, and asks for the newest state only if that
// fails. This applies even after 410 Gone, because the server still holds the objects in memory
// when their events have left its watch window. If the version of a list expires right after the
// list, and this happens twice in a row, the server lags behind, and the next list asks for the
// newest state.
//
// A streaming list (KEP-3157) is cheaper than a paged list on servers that read pages from etcd:
// the server streams from memory, and the same stream continues as the watch. But a proxy or an old
// server may accept the request and never send the bookmark that completes the list. The reflector
// uses paged lists from then on if the stream is silent for stream_timeout, delivers too few
// events, or closes twice without the bookmark.
//
// An idle watch is silent, and so is a dead connection. After stall_timeout, the reflector treats
// both alike: it drops the connections and opens the watch again from the last version. This costs
// a healthy server one request. The reflector reports the stall only if the new watch gets no data
// either. After a server was restored from a backup, a watch from a version that is newer than the
// backup is silent until the server reaches that version. Therefore the reflector asks for the
// server's newest version when a watch opens after a failure (SetbackCheck), and lists again after
// several watches in a row without an event or bookmark.
#include "kinf/informer/reflector.h"

#include <algorithm>
#include <utility>

#include "kinf/base/limits.h"
#include "kinf/base/log.h"
#include "kinf/base/number_text.h"

namespace kinf {
namespace {

BackoffOptions redial_options() {
  BackoffOptions options;
  options.initial = std::chrono::milliseconds(500);
  options.cap = std::chrono::seconds(8);
  return options;
}

DialPacer pacer_for(Behaviour behaviour) {
  // Behaviour::strict allows at most five requests in any second: three at once and two more.
  return behaviour == Behaviour::strict ? DialPacer(3, std::chrono::milliseconds(400))
                                        : DialPacer(60, std::chrono::milliseconds(250));
}

}  // namespace

Reflector::Reflector(ListerWatcher& source, Queue& queue, Clock& clock,
                     const InformerOptions& options, ReflectorHost& host,
                     InformerCounters& counters, InformerObserver* observer)
    : source_(source),
      queue_(queue),
      clock_(clock),
      options_(options),
      host_(host),
      counters_(counters),
      observer_(observer),
      what_(source.description()),
      random_(options.seed ? *options.seed : random_seed()),
      backoff_(options.backoff, random_),
      redial_(redial_options(), random_),
      pacer_(pacer_for(options.behaviour)),
      failures_(clock, options, counters, observer),
      versions_(options.behaviour),
      list_(source, versions_, pacer_, clock, options),
      setback_(source, pacer_, clock) {}

void Reflector::set_restored(const std::string& version, bool is_complete) {
  if (!version.empty()) versions_.listed(version);
  restored_ = is_complete;
}

void Reflector::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const StepResult result = step(stop);
    if (!result.moved) source_.wait(result.wake, stop);
  }
  finish();
}

void Reflector::finish() {
  list_.cancel();
  stream_.reset();
  setback_.watch_ended();
  state_ = State::waiting;
  request_ = Request::init;
}

StepResult Reflector::step(const std::stop_token& stop) {
  if (resync_if_due(stop)) return {.moved = true};
  switch (state_) {
    case State::waiting: {
      const Clock::Mono at = std::max(resume_at_, pacer_.earliest(now()));
      if (now() < at) return idle_until(at);
      start();
      return {.moved = true};
    }
    case State::listing: return step_list(stop);
    case State::streaming:
    case State::watching: return step_stream(stop);
  }
  return {};
}

void Reflector::go(Request request, Clock::Duration delay) {
  list_.cancel();
  stream_.reset();
  setback_.watch_ended();
  state_ = State::waiting;
  request_ = request;
  resume_at_ = now() + delay;
}

void Reflector::rest() {
  go(Request::init);
  resume_at_ = Clock::kNever;
}

void Reflector::start() {
  pacer_.dialled(now());
  switch (request_) {
    case Request::init: return wants_stream() ? start_stream() : start_list();
    case Request::list: return start_list();
    case Request::stream: return start_stream();
    case Request::watch: return start_watch();
  }
}

Clock::Duration Reflector::backoff_for(const Error& error) {
  const Clock::Duration delay = backoff_.next();
  if (!error.retry_after) return delay;
  return std::max<Clock::Duration>(
      delay, std::min<Clock::Duration>(*error.retry_after, limits::kRetryAfter));
}

void Reflector::relist_after(const Error& error, std::string reason) {
  relist_reason_ = std::move(reason);
  go(Request::init, backoff_for(error));
}

bool Reflector::wants_stream() const {
  if (skip_stream_ || options_.watch_list == WatchListMode::off) return false;
  if (!source_.supports_watch_list()) return false;
  if (options_.watch_list == WatchListMode::on) return true;
  return !stream_unsupported_ && (!strict() || source_.prefers_watch_list());
}

void Reflector::start_list() {
  skip_stream_ = false;
  state_ = State::listing;
  announce_list(false, list_.start());
}

void Reflector::announce_list(bool streaming, std::string version) {
  if (counters_.lists == 0) log::verbose(4, "{}: starting reflector", what_);
  InformerCounters::count(counters_.lists);
  log::verbose(4, "{}: listing {}{}", what_,
               version.empty()  ? "the newest state"
               : version == "0" ? "any state that the server has in memory"
                                : "a state not older than resourceVersion " + version,
               streaming ? ", as a stream" : "");
  if (observer_ != nullptr) {
    observer_->on_list_started({!listed_once_, streaming, std::move(version)});
  }
}

StepResult Reflector::step_list(const std::stop_token& stop) {
  std::optional<Result<PagedList>> outcome = list_.poll();
  if (!outcome) return {.moved = false, .wake = list_.deadline()};
  if (!*outcome) {
    const Error error = std::move(outcome->error()).within("failed to list " + what_);
    const Clock::Duration delay = backoff_for(error);
    failures_.failed(InformerFailure::Doing::listing, error, delay, true);
    go(Request::init, delay);
  } else if (take_list(std::move((*outcome)->items), (*outcome)->resource_version, stop)) {
    options_.list_only ? rest() : go(Request::watch);
  }
  return {.moved = true};
}

bool Reflector::take_list(std::vector<ObjectPtr> objects, const std::string& version,
                          const std::stop_token& stop) {
  log::verbose(4, "{}: listed {} at resourceVersion {}; queueing them for the cache", what_,
               counted(objects.size(), "object"), version);
  ChangeOrigin origin{.source = restored_ ? ChangeSource::relist : ChangeSource::list,
                      .arrived = clock_.wall()};
  if (listed_once_) {
    origin.source = ChangeSource::relist;
    origin.round = ++relists_;
    if (strict() && is_older_version(version, versions_.last())) {
      relist_reason_ = set_back_text(versions_.last(), version);
    }
    host_.relisting(relists_, {.objects = objects.size(),
                               .reason = relist_reason_,
                               .resource_version = version,
                               .watched_until = watched_until_,
                               .arrived = origin.arrived});
  } else {
    host_.first_list(version);
  }
  if (Result<void> taken = queue_.replace(std::move(objects), version, origin, stop); !taken) {
    const Error error = std::move(taken.error()).within("unable to sync list result");
    const Clock::Duration delay = backoff_for(error);
    if (error.kind != ErrorKind::stopped) {
      InformerCounters::count(counters_.apply_errors);
      failures_.failed(InformerFailure::Doing::applying, error, delay, true);
    }
    go(Request::init, delay);
    return false;
  }
  host_.list_queued();
  versions_.listed(version);
  setback_.listed();
  if (strict() && !source_.has_fresh_list()) setback_.arm();
  watched_until_ = origin.arrived;
  listed_once_ = true;
  relist_reason_.clear();
  stream_retries_ = 0;
  streams_without_end_ = 0;
  if (!strict()) next_check_.reset();
  failures_.succeeded();
  return true;
}

bool Reflector::in_watch() const {
  return state_ == State::watching || (state_ == State::waiting && request_ == Request::watch);
}

void Reflector::arm_resync() {
  // As in client-go, the timer restarts after each list: take_list() resets next_check_.
  if (const auto period = host_.resync_check_period(); !next_check_ && period.count() > 0) {
    next_check_ = now() + period;
  }
}

Clock::Mono Reflector::next_resync() const {
  if (!in_watch()) return Clock::kNever;
  return strict() ? host_.next_resync() : next_check_.value_or(Clock::kNever);
}

bool Reflector::resync_if_due(const std::stop_token& stop) {
  if (now() < next_resync()) return false;
  if (const std::uint32_t round = host_.begin_resync(); round != 0) {
    const ChangeOrigin origin{ChangeSource::resync, clock_.wall(), round};
    const Result<void> done = queue_.resync(origin, stop);
    if (!done && done.error().kind != ErrorKind::stopped) {
      failures_.failed(InformerFailure::Doing::applying, done.error(), {}, false);
      relist_after(done.error(), "a resync failed");
    }
    if (done && observer_ != nullptr) observer_->on_resync();
  }
  next_check_ = now() + host_.resync_check_period();
  return true;
}

StepResult Reflector::idle_until(Clock::Mono wake) const {
  return {.moved = false, .wake = std::min({wake, next_resync(), setback_.deadline()})};
}

}  // namespace kinf
