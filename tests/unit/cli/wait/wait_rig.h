// SPDX-License-Identifier: Apache-2.0
// WaitRig: a WaitTracker, and the objects that tests pass to it. The object `a` of `pods` has the
// text that a test chooses as its `.state`.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "fakes/fake_clock.h"
#include "kinf/cli/wait/wait_tracker.h"
#include "unit/print/sample_objects.h"

namespace kinf::test {

/// The value of --for that an object with the text `done` satisfies.
inline const std::string kDone = "jsonpath=.state=done";

/// Threads: one owner.
class WaitRig {
 public:
  using State = WaitTracker::State;

  /// Makes the goal from the values of --for and --fail-on.
  explicit WaitRig(const std::vector<std::string>& conditions,
                   const std::vector<std::string>& failures = {}) {
    goal.conditions = *parse_conditions(conditions, "--for");
    goal.failures = *parse_conditions(failures, "--fail-on");
  }

  /// Makes the tracker, with one cluster and one informer: for the named object, or for all.
  void start(const std::string& name = "") {
    tracker.emplace(goal, 1, clock, std::stop_token());
    handler = &tracker->add({0, 0, &kPods, "", "default", name});
    tracker->all_added(0);
  }
  /// Completes the initial list.
  State sync() {
    handler->on_synced({});
    return tracker->state();
  }
  State initial(const std::string& name, const std::string& state) {
    Change change = make_added(object(name, state));
    change.initial = true;
    handler->on_add(change);
    return tracker->state();
  }
  State add(const std::string& name, const std::string& state) {
    handler->on_add(make_added(object(name, state)));
    return tracker->state();
  }
  State update(const std::string& name, const std::string& state) {
    handler->on_update(make_updated(object(name, "before"), object(name, state)));
    return tracker->state();
  }
  State remove(const std::string& name) {
    handler->on_delete(make_deleted(object(name, "last")));
    return tracker->state();
  }
  /// Looks at the clock, as a thread in WaitTracker::wait() does.
  State look() {
    std::stop_source stopped;
    stopped.request_stop();
    return tracker->wait(Clock::kNever, false, stopped.get_token());
  }
  /// Names the awaited objects, those that satisfy the goal with a `+`: `a+ b`.
  std::string names() const {
    std::string text;
    for (const AwaitedObject& one : tracker->objects()) {
      text += (text.empty() ? "" : " ") + one.name + (one.is_satisfied ? "+" : "");
    }
    return text;
  }

  FakeClock clock;
  WaitGoal goal;
  std::optional<WaitTracker> tracker;
  EventHandler* handler = nullptr;

 private:
  static ObjectPtr object(const std::string& name, const std::string& state) {
    const std::string json = fmt::format(
        R"({{"metadata":{{"name":"{}","namespace":"default"}},"state":"{}","list":["x","y"]}})",
        name, state);
    ObjectFacts facts;
    facts.ns = "default";
    facts.name = name;
    facts.json = json;
    return Object::create(facts);
  }
};

}  // namespace kinf::test
