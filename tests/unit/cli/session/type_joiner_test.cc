// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/type_joiner.h"

#include <doctest/doctest.h>

#include "fakes/fake_clock.h"
#include "kinf/base/limits.h"
#include "kinf/base/log.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using Types = std::vector<GroupVersionResource>;

const GroupVersionResource kPods{"", "v1", "pods"};
const GroupVersionResource kOldWidgets{"kinf.test", "v1beta1", "widgets"};
const GroupVersionResource kWidgets{"kinf.test", "v1", "widgets"};

/// A joiner and the types of its server; no types: the server does not answer.
struct JoinerRig {
  Types update(const Types& lost = {}) {
    const TypeJoiner::Difference found = joiner.update(lost, true);
    gone = found.gone;
    Types come;
    for (const ResourceType& type : found.come) come.push_back(type.gvr);
    return come;
  }
  /// Returns the pauses after the next updates.
  std::vector<Clock::Duration> pauses(std::size_t number, bool watched) {
    std::vector<Clock::Duration> found;
    while (found.size() < number) {
      clock.advance(joiner.due() - clock.now());
      REQUIRE(joiner.is_due());
      static_cast<void>(joiner.update({}, watched));
      found.push_back(joiner.due() - clock.now());
    }
    return found;
  }

  test::FakeClock clock;
  Types served = {kPods};
  Types gone;
  int asked = 0;
  int notified = 0;
  TypeJoiner joiner{{kPods},
                    [this]() -> Result<std::vector<ResourceType>> {
                      ++asked;
                      if (served.empty()) return fail(ErrorKind::unavailable, "no answer");
                      std::vector<ResourceType> types;
                      for (const auto& one : served) types.push_back({one, "Kind", "", true});
                      return types;
                    },
                    clock,
                    [this] { ++notified; }};
};

TEST_CASE("a type that comes later is returned once") {
  JoinerRig rig;
  CHECK(rig.update().empty());
  rig.served = {kPods, kWidgets};
  CHECK(rig.update() == Types{kWidgets});
  CHECK(rig.update().empty());
}

TEST_CASE("a type is gone only if neither its watch nor discovery finds it, and may come again") {
  JoinerRig rig;
  rig.served = {kPods, kWidgets};
  REQUIRE(rig.update() == Types{kWidgets});
  CHECK(rig.update({kWidgets}).empty());  // a passing 404
  CHECK(rig.gone.empty());
  rig.served = {kPods};  // as while an API service is down
  CHECK(rig.update().empty());
  CHECK(rig.gone.empty());
  rig.served = {};
  CHECK(rig.update({kWidgets}).empty());
  CHECK(rig.gone.empty());
  rig.served = {kPods};
  CHECK(rig.update({kWidgets}).empty());
  CHECK(rig.gone == Types{kWidgets});
  rig.served = {kPods, kWidgets};
  CHECK(rig.update() == Types{kWidgets});
}

TEST_CASE("a version that is no longer served is replaced by the one that is") {
  JoinerRig rig;
  rig.served = {kPods, kOldWidgets};
  REQUIRE(rig.update() == Types{kOldWidgets});
  rig.served = {kPods, kWidgets};
  CHECK(rig.update().empty());
  CHECK(rig.update({kOldWidgets}) == Types{kWidgets});
  CHECK(rig.gone == Types{kOldWidgets});
}

TEST_CASE("without changes, the server is asked after long pauses") {
  JoinerRig rig;
  CHECK_FALSE(rig.joiner.is_due());
  CHECK(rig.pauses(4, true) == std::vector<Clock::Duration>{8s, 32s, 128s, 5min});
  CHECK(rig.pauses(1, true) == std::vector<Clock::Duration>{5min});
  CHECK(rig.pauses(1, false) == std::vector<Clock::Duration>{1min});
}

TEST_CASE("a changed definition is looked up soon, and again after growing pauses") {
  JoinerRig rig;
  static_cast<void>(rig.pauses(4, true));
  rig.clock.advance(10s);
  Change change{.type = ChangeType::added, .initial = true};
  rig.joiner.handler().on_add(change);
  CHECK(rig.notified == 0);  // a definition of the first list defines no new type
  change.initial = false;
  rig.joiner.handler().on_add(change);
  CHECK(rig.notified == 1);
  CHECK_FALSE(rig.joiner.is_due());
  CHECK(rig.joiner.due() - rig.clock.now() == TypeJoiner::kSoon);
  CHECK(rig.pauses(3, true) == std::vector<Clock::Duration>{2s, 8s, 32s});
}

TEST_CASE("definitions that change all the time do not ask all the time") {
  JoinerRig rig;
  for (int i = 0; i < 1000; ++i) {
    rig.joiner.note_change();
    if (rig.joiner.is_due()) rig.update();
    rig.clock.advance(10ms);
  }
  CHECK(rig.asked == 4);
}

TEST_CASE("a server with too many types is followed in part, and that is reported once") {
  JoinerRig rig;
  for (std::size_t i = 0; i < limits::kFollowedTypes; ++i) {
    rig.served.push_back({"kinf.test", "v1", "type" + std::to_string(i)});
  }
  std::size_t lines = 0;
  log::set_sink([&](std::string_view) { ++lines; });
  CHECK(rig.update().size() == limits::kFollowedTypes - 1);
  CHECK(rig.update().empty());
  log::set_sink({});
  CHECK(lines == 1);
}

TEST_CASE("definitions of types are CustomResourceDefinitions and APIServices") {
  CHECK(TypeJoiner::is_definition({"apiextensions.k8s.io", "v1", "customresourcedefinitions"}));
  CHECK(TypeJoiner::is_definition({"apiregistration.k8s.io", "v1", "apiservices"}));
  CHECK_FALSE(TypeJoiner::is_definition(kWidgets));
}

}  // namespace
}  // namespace kinf
