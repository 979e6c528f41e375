// SPDX-License-Identifier: Apache-2.0
// The reflector is a state machine. In every state it must handle the same cases: the server
// refuses, hangs, closes or sends wrong data, or the caller stops. Each state is a value and each
// case one short function, and no call blocks (except for room in a full queue). So one thread can
// run it, a test can drive it through any sequence of faults with a fake clock, and a stop never
// waits for a request.
//
//   waiting ──► listing ─────────────────► waiting(watch) ──► watching
//      ▲  └───► streaming ── end mark ───────────────────────────┘ │
//      └────────────────── every fault and every close ◄───────────┘
//
// All requests start in `waiting`, which holds the next request and its time. Three limits apply
// together:
// - The backoff grows with failures. Only a healthy stream resets it: one that is some seconds old,
//   or a little younger but with events. Time or a successful list do not, because a server that
//   fails in a rhythm would then be asked at full speed.
// - The redial delay grows with streams that close without an error but too early. The first one
//   is resumed at once, as a rolling restart needs it.
// - The pacer limits the rate of all requests, for combinations that the others do not cover.
// client-go has only the backoff, and redials without a pause after a close. So does `client_go`
// here, with a wide pacer.
//
// The version to resume from covers only what the queue has taken. An event that the queue refuses
// (a transform failed) therefore ends the watch before its version is recorded, is reported, and
// leads to a new list; client-go logs it and continues. A list first asks for the last version,
// which the server can answer from memory, and for the newest state only if that fails. This also
// holds after 410, because the watch window is shorter than the server's memory. If even fresh
// versions expire twice in a row, the server lags, and the list asks for the newest state.
//
// A streaming list (KEP-3157) is the better initial list if it works: the server streams from
// memory, and the same stream continues as the watch. But a proxy or an old server may accept it
// and never send the bookmark that ends it. Some seconds of silence, a trickle of events, or a
// second close without the bookmark end the attempt, and this reflector lists in pages from then
// on.
//
// An idle watch is silent, and so is a dead connection. After the stall timeout both get the same
// treatment: drop the connections and open the watch again from the last version. That costs a
// healthy server one request. Only if the new watch gets no answer either, the stall is reported.
// A watch from a version that the server has not reached, after it was restored from a backup, is
// silent until the server reaches it. So after several watches without even a bookmark comes a
// list.
#include "kinf/informer/reflector.h"

#include <algorithm>
#include <utility>

namespace kinf {
namespace {

constexpr std::chrono::minutes kLongestRetryAfter(5);
BackoffOptions redial_options() {
  BackoffOptions options;
  options.initial = std::chrono::milliseconds(500);
  options.cap = std::chrono::seconds(8);
  return options;
}

DialPacer pacer_for(Behaviour behaviour) {
  // At most five in any second: three at once, and two more.
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
      random_(options.seed),
      backoff_(options.backoff, random_),
      redial_(redial_options(), random_),
      pacer_(pacer_for(options.behaviour)),
      failures_(clock, options, counters, observer),
      versions_(options.behaviour),
      list_(source, versions_, pacer_, clock, options) {}

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
    case State::listing:
      return step_list(stop);
    case State::streaming:
    case State::watching:
      return step_stream(stop);
  }
  return {};
}

void Reflector::go(Request request, Clock::Duration delay) {
  list_.cancel();
  stream_.reset();
  state_ = State::waiting;
  request_ = request;
  resume_at_ = now() + delay;
}

void Reflector::start() {
  pacer_.dialled(now());
  switch (request_) {
    case Request::init:
      return wants_stream() ? start_stream() : start_list();
    case Request::list:
      return start_list();
    case Request::stream:
      return start_stream();
    case Request::watch:
      return start_watch();
  }
}

Clock::Duration Reflector::backoff_for(const Error& error) {
  const Clock::Duration delay = backoff_.next();
  if (!error.retry_after) return delay;
  return std::max<Clock::Duration>(
      delay, std::min<Clock::Duration>(*error.retry_after, kLongestRetryAfter));
}

void Reflector::relist_after(const Error& error, std::string reason) {
  relist_reason_ = std::move(reason);
  go(Request::init, backoff_for(error));
}

bool Reflector::wants_stream() const {
  if (skip_stream_ || options_.watch_list == WatchListMode::off) return false;
  if (!source_.supports_watch_list()) return false;
  return options_.watch_list == WatchListMode::on || !stream_unsupported_;
}

void Reflector::start_list() {
  skip_stream_ = false;
  state_ = State::listing;
  announce_list(false, versions_.for_list());
  list_.start();
}

void Reflector::announce_list(bool streaming, std::string version) {
  InformerCounters::count(counters_.lists);
  if (observer_ != nullptr) {
    observer_->on_list_started({!listed_once_, streaming, std::move(version)});
  }
}

StepResult Reflector::step_list(const std::stop_token& stop) {
  std::optional<Result<PagedList>> outcome = list_.poll();
  if (!outcome) return {};
  if (!*outcome) {
    const Error error = std::move(outcome->error()).within("failed to list " + what_);
    const Clock::Duration delay = backoff_for(error);
    failures_.failed(InformerFailure::Doing::listing, error, delay, true);
    go(Request::init, delay);
  } else if (take_list(std::move((*outcome)->items), (*outcome)->resource_version, stop)) {
    go(Request::watch);
  }
  return {.moved = true};
}

bool Reflector::take_list(std::vector<ObjectPtr> objects, const std::string& version,
                          const std::stop_token& stop) {
  ChangeOrigin origin{.source = ChangeSource::list, .arrived = clock_.wall()};
  if (listed_once_) {
    origin.source = ChangeSource::relist;
    origin.round = ++relists_;
    host_.relisting(relists_, {objects.size(), 0, relist_reason_, version});
  }
  if (Result<> taken = queue_.replace(std::move(objects), version, origin, stop); !taken) {
    const Error error = std::move(taken.error()).within("unable to sync list result");
    const Clock::Duration delay = backoff_for(error);
    if (error.kind != ErrorKind::stopped) {
      InformerCounters::count(counters_.apply_errors);
      failures_.failed(InformerFailure::Doing::applying, error, delay, true);
    }
    go(Request::init, delay);
    return false;
  }
  host_.list_queued(version);
  versions_.listed(version);
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
  // client-go's timer starts again after each list: take_list() resets it.
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
    const Result<> done = queue_.resync(origin, stop);
    if (!done && done.error().kind != ErrorKind::stopped) {
      failures_.failed(InformerFailure::Doing::applying, done.error(), {}, false);
      relist_after(done.error(), "a resync failed");
    }
  }
  next_check_ = now() + host_.resync_check_period();
  return true;
}

StepResult Reflector::idle_until(Clock::Mono wake) const {
  return {.moved = false, .wake = std::min(wake, next_resync())};
}

}  // namespace kinf
