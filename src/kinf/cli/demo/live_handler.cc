// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/demo/live_handler.h"

#include <fmt/format.h>

namespace kinf {
namespace {

/// How long a slow handler works on one change.
constexpr Clock::Duration kSlow = std::chrono::seconds(3);

/// Returns what changed, with versions: `pod-1 4 -> 5`.
std::string versions_text(const Change& change) {
  const std::string name(change.object->name());
  if (change.type == ChangeType::added || !change.old) {
    return fmt::format("{} v{}", name, change.object->resource_version());
  }
  return fmt::format("{} v{} -> v{}", name, change.old->resource_version(),
                     change.object->resource_version());
}

}  // namespace

void LiveHandler::take(const Change& change, std::string_view function) {
  may_take_ = false;
  if (is_slow_) busy_until_ = clock_.now() + kSlow;
  ++calls_;
  last_ = fmt::format("{} {}", function, versions_text(change));
  if (change.final_state_unknown) last_ += " (from a list)";
  if (change.folded > 0) last_ += fmt::format(" ({} merged)", change.folded);
  tell_(fmt::format("{} is called: {}.", name_, last_));
}

void LiveHandler::on_synced(const SyncedEvent& event) {
  may_take_ = false;
  has_synced_ = true;
  tell_(fmt::format("{} has synced: it has seen all {} pods of the first list.", name_,
                    event.objects));
}

PipelinePicture::Handler LiveHandler::picture() const {
  PipelinePicture::Handler picture;
  picture.title = fmt::format("{}: {} {}{}", name_, calls_, calls_ == 1 ? "call" : "calls",
                              is_slow_ ? ", slow" : "");
  picture.activity = is_busy()     ? "busy for " + in_seconds(busy_until_ - clock_.now())
                     : has_synced_ ? "ready, has synced"
                                   : "ready, has not synced";
  picture.last = last_;
  return picture;
}

std::string short_text(const Change& change) {
  std::string_view verb = "update";
  if (change.type == ChangeType::added) verb = "add";
  if (change.type == ChangeType::deleted) verb = "delete";
  std::string text = fmt::format("{} {}", verb, change.object->name());
  if (change.folded > 0) text += fmt::format(" ({} merged)", change.folded);
  return text;
}

std::string in_seconds(Clock::Duration duration) {
  return fmt::format("{:.1f} s", std::chrono::duration<double>(duration).count());
}

}  // namespace kinf
