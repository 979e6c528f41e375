// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live_handler.h"

#include <fmt/format.h>

#include <utility>

#include "kinf/base/number_text.h"
#include "kinf/demo/live_text.h"

namespace kinf {
namespace {

/// How long a slow handler works on one change.
constexpr Clock::Duration kSlow = std::chrono::seconds(3);

/// Returns what changed, with versions: `pod-1 v4 -> v5`.
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

}  // namespace

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
    picture.title += fmt::format(", resync {} s", resync_ / std::chrono::seconds(1));
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

}  // namespace kinf
