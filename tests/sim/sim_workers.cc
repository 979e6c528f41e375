// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_workers.h"

#include <chrono>
#include <utility>

#include "sim/documents.h"

namespace kinf::sim {
namespace {

using std::chrono::milliseconds;

std::unique_ptr<TypedRateLimiter<std::string>> make_limiter(LimiterKind kind, const Clock& clock) {
  switch (kind) {
    case LimiterKind::item_based: return default_item_based_limiter();
    case LimiterKind::controller: return default_controller_limiter(clock);
    case LimiterKind::fast_slow:
      return std::make_unique<TypedFastSlowLimiter<std::string>>(milliseconds(5),
                                                                 milliseconds(2000), 3);
    case LimiterKind::limited_wait: break;
  }
  return std::make_unique<TypedMaxWaitLimiter<std::string>>(default_item_based_limiter(),
                                                            milliseconds(700));
}

}  // namespace

SimWorkers::SimWorkers(const Plan& plan, SimClock& clock, Verdict& verdict, Random& random,
                       std::function<Version(std::string_view key)> stored)
    : plan_(plan), clock_(clock), verdict_(verdict), random_(random), stored_(std::move(stored)) {
  restart();
}

void SimWorkers::restart() {
  queue_ = std::make_unique<RateLimitingQueue>(
      clock_, make_limiter(static_cast<LimiterKind>(plan_.limiter % 4), clock_));
  workers_.assign(workers_.size(), {});
  worked_ = {};
}

void SimWorkers::take(Worker& worker) {
  worker.key = queue_->try_get();
  if (!worker.key) return;
  const Worker& other = workers_[&worker == workers_.data() ? 1 : 0];
  verdict_.expect(other.key != worker.key, "work queue", "two workers have {}", *worker.key);
  worker.version = stored_(*worker.key);
}

void SimWorkers::retry(const std::string& key) {
  const int failures = queue_->num_requeues(key);
  queue_->add_rate_limited(key);
  // A limiter of all objects together does not count those of one.
  const int now = queue_->num_requeues(key);
  verdict_.expect(now == failures + 1, "work queue", "{} failures of {} after {}", now, key,
                  failures);
}

void SimWorkers::work() {
  Worker& worker = workers_[random_.next() % workers_.size()];
  if (!worker.key) return take(worker);
  const std::uint64_t dice = random_.next() % 8;
  if (dice < 2) {
    retry(*worker.key);
  } else if (dice == 2) {
    queue_->add_after(*worker.key, milliseconds(random_.next() % 500));
  } else {
    queue_->forget(*worker.key);
    worked_.at(object_of(worker.key->substr(2))) = worker.version;
  }
  queue_->done(*worker.key);
  worker.key.reset();
}

Clock::Mono SimWorkers::next_event() const {
  return is_idle() ? Clock::kNever : clock_.now() + milliseconds(100);
}

void SimWorkers::finish() {
  queue_->begin_drain();
  for (const Worker& worker : workers_) {
    if (worker.key) queue_->done(*worker.key);
  }
  while (const std::optional<std::string> key = queue_->try_get()) queue_->done(*key);
  queue_->add(key_of(0));
  queue_->add_after(key_of(1), milliseconds(0));
  const std::size_t depth = queue_->metrics().depth;
  verdict_.expect(queue_->is_drained() && queue_->len() == 0 && depth == 0, "work queue",
                  "{} objects wait after the end", depth);
}

}  // namespace kinf::sim
