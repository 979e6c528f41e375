// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live/live_handler.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kinf/base/number_text.h"

namespace kinf {
namespace {

/// How long a slow handler works on one change.
constexpr Clock::Duration kSlow = std::chrono::seconds(3);

/// Returns the pod of a change and its versions: `pod-1 v4 -> v5`.
std::string versions_text(const Change& change) {
  const std::string name(change.object->name());
  if (change.type == ChangeType::added || !change.old) {
    return fmt::format("{} v{}", name, change.object->resource_version());
  }
  if (change.type == ChangeType::resync) {
    return fmt::format("{} v{} (resync)", name, change.object->resource_version());
  }
  return fmt::format("{} v{} -> v{}", name, change.old->resource_version(),
                     change.object->resource_version());
}

constexpr Clock::Duration kFirstDelay = std::chrono::seconds(2);
constexpr Clock::Duration kLastDelay = std::chrono::minutes(1);

}  // namespace

std::string_view name_of(std::string_view key) { return key.substr(key.find('/') + 1); }

void LiveHandler::join(SharedInformer& informer, Clock::Duration resync) {
  HandlerOptions options;
  options.bound = kBacklog;
  options.resync = resync;
  options.is_ready = [this] { return may_take_ && !is_busy(); };
  registration_ = informer.add_event_handler(*this, options).value();
  resync_ = resync;
  is_late_ = informer.has_synced();
  has_joined_ = true;
}

void LiveHandler::take(const Change& change, std::string_view function) {
  may_take_ = false;
  if (is_slow_) busy_until_ = clock_.now() + kSlow;
  ++calls_;
  last_ = fmt::format("{} {}", function, versions_text(change));
  if (change.final_state_unknown) last_ += " (from a list)";
  if (change.folded > 0) last_ += fmt::format(" ({} merged)", change.folded);
  const std::string_view name = change.object->name();
  if (name == failing_) {
    failed_ = std::exchange(failing_, "");
    last_ += ": it fails";
  } else if (name == failed_) {
    failed_.clear();
    last_ += ": done now";
  }
  tell_(fmt::format("{} is called: {}.", name_, last_));
  if (enqueue_) enqueue_(change.key);
}

void LiveHandler::on_synced(const SyncedEvent& event) {
  may_take_ = false;
  has_synced_ = true;
  tell_(fmt::format("{} has synced: it has seen all {} pods of the {}.", name_, event.objects,
                    is_late_ ? "store" : "first list"));
}

std::string LiveHandler::activity() const {
  if (!has_joined_) return "not registered yet";
  if (is_busy()) return "busy for " + in_seconds(busy_until_ - clock_.now());
  if (!failed_.empty()) return "ready, must do " + failed_ + " again";
  return has_synced_ ? "ready, has synced" : "ready, has not synced";
}

PipelinePicture::Handler LiveHandler::picture() const {
  PipelinePicture::Handler picture;
  picture.title = name_;
  if (resync_ > Clock::Duration()) {
    picture.lines = {fmt::format("resync every {} s", resync_ / std::chrono::seconds(1))};
  }
  picture.title += fmt::format(": {}{}", counted(calls_, "call"), is_slow_ ? ", slow" : "");
  picture.purpose =
      enqueue_ ? "your code: it only queues the key" : "your code, called for each change";
  picture.activity = activity();
  picture.last = last_;
  picture.waiting.emplace();
  for (const Change& change : registration_.waiting()) {
    picture.waiting->push_back(short_text(change));
  }
  return picture;
}

LiveWorker::LiveWorker(Clock& clock, Work work, Tell tell)
    : clock_(clock),
      work_(std::move(work)),
      tell_(std::move(tell)),
      queue_(clock, std::make_unique<ExponentialFailureLimiter>(kFirstDelay, kLastDelay)) {}

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
  picture.title = "Work queue -8-> worker";
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
