// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/type_joiner.h"

#include <algorithm>
#include <utility>

#include "kinf/base/limits.h"
#include "kinf/base/log.h"

namespace kinf {
namespace {

/// By which factor each pause is longer than the one before.
constexpr int kGrowth = 4;

HandlerFunctions on_each_change(const std::function<void()>& note) {
  return {.on_add =
              [note](const Change& change) {
                if (!change.initial) note();
              },
          .on_update =
              [note](const Change& change) {
                if (change.type != ChangeType::resync) note();
              },
          .on_delete = [note](const Change&) { note(); }};
}

}  // namespace

TypeJoiner::TypeJoiner(const std::vector<GroupVersionResource>& known, AskTypes ask, Clock& clock,
                       std::function<void()> changed)
    : ask_(std::move(ask)),
      clock_(clock),
      changed_(std::move(changed)),
      handler_(on_each_change([this] { note_change(); })),
      asked_(clock.now()),
      due_(clock.now() + pause_) {
  for (const GroupVersionResource& type : known) known_.emplace(type.group_resource(), type);
}

bool TypeJoiner::is_definition(const GroupVersionResource& type) {
  return (type.group == "apiextensions.k8s.io" && type.resource == "customresourcedefinitions") ||
         (type.group == "apiregistration.k8s.io" && type.resource == "apiservices");
}

void TypeJoiner::note_change() {
  is_changed_ = true;
  changed_();
}

bool TypeJoiner::is_due() {
  const Clock::Mono now = clock_.now();
  if (is_changed_.exchange(false)) {
    pause_ = kLeastPause;
    due_ = std::min(due_, std::max(now + kSoon, asked_ + kLeastPause));
  }
  return now >= due_;
}

TypeJoiner::Difference TypeJoiner::update(const std::vector<GroupVersionResource>& lost,
                                          bool watched) {
  const Result<std::vector<ResourceType>> types = ask_();
  const Clock::Duration longest = watched ? kWatchedPeriod : kPeriod;
  asked_ = clock_.now();
  due_ = asked_ + std::min(pause_, longest);
  pause_ = std::min(pause_ * kGrowth, longest);
  Difference difference;
  if (!types) {
    log::verbose(2, "API discovery: {}; asking again", types.error().message);
    return difference;
  }
  for (const GroupVersionResource& type : lost) {
    const bool is_named = std::ranges::any_of(
        *types, [&](const ResourceType& offered) { return offered.gvr == type; });
    const auto found = known_.find(type.group_resource());
    if (is_named || found == known_.end() || found->second != type) continue;
    known_.erase(found);
    difference.gone.push_back(type);
  }
  for (const ResourceType& type : *types) {
    if (known_.contains(type.gvr.group_resource())) continue;
    if (known_.size() >= limits::kFollowedTypes) {
      if (!std::exchange(is_full_, true)) {
        log::notice("more than {} types; kinf leaves out the others", limits::kFollowedTypes);
      }
      break;
    }
    known_.emplace(type.gvr.group_resource(), type.gvr);
    difference.come.push_back(type);
  }
  return difference;
}

}  // namespace kinf
