// SPDX-License-Identifier: Apache-2.0
#include "storm/history.h"

#include <fmt/format.h>

#include <stdexcept>

#include "kinf/informer/version_tracker.h"

namespace kinf::test {
namespace {

constexpr std::size_t kMostViolations = 5;

std::string shown(const ClusterState& states, const std::string& key) {
  const auto found = states.find(key);
  return found == states.end() ? "absent" : found->second.uid + "@" + found->second.version;
}

}  // namespace

std::string difference(const ClusterState& got, const ClusterState& wanted) {
  std::string text;
  int count = 0;
  const auto compare = [&](const std::string& key) {
    if (shown(got, key) == shown(wanted, key) || ++count > 3) return;
    text += fmt::format("{}{}: {} instead of {}", text.empty() ? "" : "; ", key, shown(got, key),
                        shown(wanted, key));
  };
  for (const auto& [key, state] : wanted) compare(key);
  for (const auto& [key, state] : got) {
    if (!wanted.contains(key)) compare(key);
  }
  if (count > 3) text += fmt::format("; and {} more", count - 3);
  return text;
}

void History::expect(bool holds, const std::string& key, const char* what) {
  if (holds || violations_.size() >= kMostViolations) return;
  violations_.push_back(fmt::format("{}: {}: {}", name_, key, what));
}

void History::expect_newer(const std::string& key, std::string_view version) {
  std::string& newest = newest_[key];
  expect(newest.empty() || is_older_version(newest, version), key,
         "got a version that is not newer than the last");
  newest = version;
}

void History::on_add(const Change& change) {
  {
    MutexLock lock(mu_);
    const std::string& key = change.key;
    expect(!state_.contains(key), key, "added twice");
    expect_newer(key, change.object->resource_version());
    state_[key] = {std::string(change.object->uid()),
                   std::string(change.object->resource_version())};
  }
  after_event();
}

void History::on_update(const Change& change) {
  {
    MutexLock lock(mu_);
    const std::string& key = change.key;
    const auto held = state_.find(key);
    expect(held != state_.end(), key, "updated while absent");
    if (held != state_.end()) {
      expect(held->second.uid == change.object->uid(), key, "updated to another object");
      expect(change.old && held->second.version == change.old->resource_version(), key,
             "updated from a state that was never delivered");
    }
    expect_newer(key, change.object->resource_version());
    state_[key] = {std::string(change.object->uid()),
                   std::string(change.object->resource_version())};
  }
  after_event();
}

void History::on_delete(const Change& change) {
  {
    MutexLock lock(mu_);
    expect(state_.erase(change.key) == 1, change.key, "deleted while absent");
    // A deletion has a version of its own, unless it was inferred from a list.
    if (!change.final_state_unknown && change.object) {
      newest_[change.key] = change.object->resource_version();
    }
  }
  after_event();
}

void History::after_event() {
  bool throws = false;
  {
    MutexLock lock(mu_);
    ++events_;
    throws = options_.throw_each != 0 && events_ % options_.throw_each == 0;
  }
  if (options_.pause.count() > 0) sleep_until(clock_, clock_.now() + options_.pause, {});
  if (throws) throw std::runtime_error("a storm handler throws on purpose");
}

ClusterState History::state() const {
  MutexLock lock(mu_);
  return state_;
}

std::uint64_t History::events() const {
  MutexLock lock(mu_);
  return events_;
}

std::vector<std::string> History::violations() const {
  MutexLock lock(mu_);
  return violations_;
}

}  // namespace kinf::test
