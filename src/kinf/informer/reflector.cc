// SPDX-License-Identifier: Apache-2.0
// Why a state machine. A reflector is a loop of requests, and every state of it has to answer the
// same questions: what if the server refuses, hangs, closes, lies, or if we are told to stop? Here
// each state is a value, each answer one short function, and no call blocks (but for room in a
// full queue). So one thread can serve it, a test can drive it through any sequence of faults with
// a clock that stands still, and stopping never has to wait for a request.
//
//   waiting ──► listing ─────────────────► waiting(watch) ──► watching
//      ▲  └───► streaming ── end mark ───────────────────────────┘ │
//      └────────────────── every fault and every close ◄───────────┘
//
// Waiting says what comes next and when; all requests start there, so that one place can pace
// them. Three brakes act together. The backoff follows failures: it doubles, and only a stream
// that proved healthy (some seconds old, or a little younger but with events) sets it back; time
// alone, or a list that worked, do not, or a server that fails in a rhythm would be asked at full
// speed for ever. The redial delay follows streams that close in good order but too soon: the
// first is resumed at once, as a rolling restart wants it, the next ones ever later. And the pacer
// bounds the requests of any kind, for the combinations nobody thought of. client-go has the first
// only, and re-dials without a pause after a close; so does `client_go` here, under a wide pacer.
//
// A version is a promise: all up to here has been taken by the queue. An event that the queue
// refuses (a transform failed) therefore ends the watch before its version is noted, is told, and
// brings a new list; client-go logs it and moves on. Lists go from the cheap to the dear: from
// the last version, which the server can answer from memory; only if it says that it cannot, for
// the newest state. After 410 that is still the rule: the watch window is shorter than the
// server's memory. If even fresh versions expire twice in a row, the server lags behind itself,
// and the newest state is asked for directly.
//
// A streaming list (KEP-3157) is the better first list where it works: the server streams from
// memory and the same stream goes on as the watch. But a proxy or an old server may accept it and
// never send the mark that ends it. Silence of some seconds, a trickle instead of a flood, or a
// second close without the mark end the attempt, and this reflector lists in pages from then on.
//
// An idle watch is silent, and so is a dead connection. After the stall timeout both are treated
// alike: drop the connections, ask for the watch again from the last version. For a living server
// that costs one request; only when the new one gets no answer either, it is said aloud. And a
// watch from a version that the server has not reached, after it was restored from a backup, is
// silent until it has: so a row of watches without as much as a bookmark ends with a list, which
// cannot be served from there.
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
      failures_(clock, counters, observer, options.watch_error_handler),
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
  if (listed_once_) host_.relisting(objects.size(), relist_reason_, version);
  const ChangeOrigin origin{listed_once_ ? ChangeSource::relist : ChangeSource::list,
                            clock_.wall()};
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
  if (!strict()) next_resync_.reset();
  failures_.succeeded();
  return true;
}

bool Reflector::in_watch() const {
  return state_ == State::watching || (state_ == State::waiting && request_ == Request::watch);
}

void Reflector::arm_resync() {
  // Once only: kept over lists, so that a flapping watch does not starve it. client-go begins
  // anew after each list, and so does `client_go`: take_list() resets it there.
  if (const auto period = host_.resync_check_period(); !next_resync_ && period.count() > 0) {
    next_resync_ = now() + period;
  }
}

bool Reflector::resync_if_due(const std::stop_token& stop) {
  if (!next_resync_ || !in_watch() || now() < *next_resync_) return false;
  if (host_.due_for_resync()) {
    if (Result<> done = queue_.resync({ChangeSource::resync, clock_.wall()}, stop); !done) {
      failures_.failed(InformerFailure::Doing::applying, done.error(), {}, false);
      relist_after(done.error(), "a resync failed");
    }
  }
  next_resync_ = now() + host_.resync_check_period();
  return true;
}

StepResult Reflector::idle_until(Clock::Mono wake) const {
  if (next_resync_ && in_watch()) wake = std::min(wake, *next_resync_);
  return {.moved = false, .wake = wake};
}

}  // namespace kinf
