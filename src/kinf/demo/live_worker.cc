// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live_worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kinf/base/number_text.h"
#include "kinf/demo/live_text.h"

namespace kinf {
namespace {

constexpr Clock::Duration kFirstDelay = std::chrono::seconds(2);
constexpr Clock::Duration kLongestDelay = std::chrono::minutes(1);

/// Returns a key without the namespace.
std::string_view name_of(std::string_view key) { return key.substr(key.find('/') + 1); }

}  // namespace

LiveWorker::LiveWorker(Clock& clock, Work work, Tell tell)
    : clock_(clock),
      work_(std::move(work)),
      tell_(std::move(tell)),
      queue_(clock, std::make_unique<ExponentialFailureLimiter>(kFirstDelay, kLongestDelay)) {}

bool LiveWorker::step() {
  const auto key = queue_.try_get();
  if (!key) return false;
  retries_.erase(*key);
  const auto [is_done, text] = work_(*key, queue_.num_requeues(*key));
  last_ = fmt::format("{}: {}", name_of(*key), text);
  if (is_done) {
    queue_.forget(*key);
  } else {
    const Clock::Duration delay = queue_.add_rate_limited(*key);
    retries_[*key] = clock_.now() + delay;
    last_ += ", again in " + in_seconds(delay);
  }
  queue_.done(*key);
  tell_(fmt::format("The worker takes a key from the work queue. {}.", last_));
  return true;
}

Clock::Mono LiveWorker::next_due() const {
  Clock::Mono due = Clock::kNever;
  for (const auto& [key, at] : retries_) due = std::min(due, at);
  return due;
}

PipelinePicture::Handler LiveWorker::picture() {
  PipelinePicture::Handler picture;
  picture.title = "Work queue and worker";
  picture.purpose = "each key once; the worker reads the store";
  picture.activity = queue_.len() == 0 ? "no key waits" : counted(queue_.len(), "key") + " waiting";
  picture.last = last_;
  for (const auto& [key, at] : retries_) {
    picture.lines.push_back(
        fmt::format("{} is due in {}", name_of(key), in_seconds(at - clock_.now())));
  }
  return picture;
}

}  // namespace kinf
