// SPDX-License-Identifier: Apache-2.0
// Tests draining, stopping, retry limits and delivered objects of RunController.
#include <doctest/doctest.h>

#include <thread>

#include "fakes/change_builder.h"
#include "fakes/fake_clock.h"
#include "fakes/object_builder.h"
#include "kinf/base/log.h"
#include "kinf/cli/run/run_controller.h"
#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using Texts = std::vector<std::string>;

ObjectPtr make(const std::string& name, int version) {
  test::ObjectSpec spec;
  spec.name = name;
  spec.rv = std::to_string(version);
  spec.uid = name;
  return test::make_object(spec);
}

RunKey key_of(const std::string& name) { return {&test::kPods, "default/" + name}; }

struct LimitsRig {
  explicit LimitsRig(RunLimits limits = {}, bool name_types = false,
                     PendingChanges::Matters matters = {})
      : runs(
            limits, clock, std::move(matters),
            [this](const std::vector<RunItem>& items) { return launch(items); }, name_types,
            [this] { ++given_up; }) {
    log::set_sink([this](std::string_view line) { lines.emplace_back(line); });
  }
  ~LimitsRig() { log::set_sink({}); }

  std::optional<std::string> launch(const std::vector<RunItem>& items) {
    std::string text;
    for (const RunItem& item : items) {
      text += (text.empty() ? "" : " ") + item.change.key + "@" +
              std::string(item.change.object->resource_version()) + "#" +
              std::to_string(item.retry);
    }
    ran.push_back(text);
    if (!fails) return std::nullopt;
    return "exit status 1";
  }
  void change(const std::string& name, int version) {
    runs.changed(key_of(name), test::make_updated(nullptr, make(name, version)));
  }
  Texts work() {
    ran.clear();
    while (runs.try_work()) {
    }
    return ran;
  }

  test::FakeClock clock;
  RunController runs;
  bool fails = false;
  Texts ran;
  Texts lines;
  int given_up = 0;
};

TEST_CASE("objects that count as delivered run only when they change") {
  LimitsRig rig;
  rig.runs.set_delivered(key_of("a"), test::make_added(make("a", 1)));
  CHECK(rig.work().empty());
  rig.change("a", 1);
  CHECK(rig.work().empty());
  rig.change("a", 2);
  CHECK(rig.work() == Texts{"default/a@2#0"});
}

TEST_CASE("changes that do not matter run no command") {
  LimitsRig rig({}, false, [](const Object&, const Object& object) {
    return object.resource_version() == "3";
  });
  rig.runs.set_delivered(key_of("a"), test::make_added(make("a", 1)));
  rig.change("a", 2);
  CHECK(rig.work().empty());
  CHECK(rig.runs.is_idle());
  rig.change("a", 3);
  CHECK(rig.work() == Texts{"default/a@3#0"});
}

TEST_CASE("each retry has its number, and a success resets it to zero") {
  LimitsRig rig;
  rig.fails = true;
  rig.change("a", 1);
  CHECK(rig.work() == Texts{"default/a@1#0"});
  rig.clock.advance(1s);
  CHECK(rig.work() == Texts{"default/a@1#1"});
  rig.fails = false;
  rig.clock.advance(1s);
  CHECK(rig.work() == Texts{"default/a@1#2"});
  rig.change("a", 2);
  CHECK(rig.work() == Texts{"default/a@2#0"});
}

TEST_CASE("without retries the first failure is final and is reported once") {
  RunLimits limits;
  limits.max_retries = 0;
  LimitsRig rig(limits);
  rig.fails = true;
  rig.change("a", 1);
  CHECK(rig.work().size() == 1);
  CHECK(rig.given_up == 1);
  rig.clock.advance(1h);
  CHECK(rig.work().empty());
  CHECK(rig.given_up == 1);
  CHECK(rig.runs.is_idle());
}

TEST_CASE("messages name the type of an object if there are several types") {
  for (const bool name_types : {false, true}) {
    LimitsRig rig({}, name_types);
    rig.fails = true;
    rig.change("a", 1);
    rig.work();
    REQUIRE(rig.lines.size() == 1);
    CHECK((rig.lines.front().find("pod") != std::string::npos) == name_types);
    CHECK(rig.lines.front().find("default/a") != std::string::npos);
  }
}

TEST_CASE("the controller is idle when neither a change nor a retry is pending") {
  RunLimits limits;
  limits.max_retries = 1;
  LimitsRig rig(limits);
  rig.fails = true;
  rig.change("a", 1);
  CHECK_FALSE(rig.runs.is_idle());
  rig.work();
  CHECK_FALSE(rig.runs.is_idle());
  rig.clock.advance(1s);
  CHECK_FALSE(rig.runs.is_idle());
  rig.work();
  CHECK(rig.given_up == 1);
  CHECK(rig.runs.is_idle());
}

TEST_CASE("a retry that nothing needs any more keeps no one waiting") {
  LimitsRig rig;
  rig.fails = true;
  rig.change("a", 1);
  rig.work();
  rig.fails = false;
  rig.change("a", 2);
  CHECK(rig.work() == Texts{"default/a@2#1"});
  CHECK(rig.runs.is_idle());
}

TEST_CASE("draining an idle controller succeeds, and later changes are ignored") {
  LimitsRig rig;
  rig.change("a", 1);
  rig.work();
  CHECK(rig.runs.drain(rig.clock.now()));
  rig.change("b", 1);
  CHECK(rig.work().empty());
  CHECK_FALSE(rig.runs.work({}));
}

TEST_CASE("draining fails if a command still runs at the deadline") {
  test::FakeClock clock;
  bool drained = true;
  std::optional<RunController> runs;
  runs.emplace(
      RunLimits(), clock, PendingChanges::Matters(),
      [&](const std::vector<RunItem>&) -> std::optional<std::string> {
        drained = runs->drain(clock.now());
        return std::nullopt;
      },
      false, [] {});
  runs->changed(key_of("a"), test::make_added(make("a", 1)));
  CHECK(runs->try_work());
  CHECK_FALSE(drained);
  CHECK(runs->drain(clock.now()));
}

TEST_CASE("a change or stop wakes a waiting worker") {
  LimitsRig rig;
  std::stop_source stop;
  bool worked = false;
  bool went_on = true;
  {
    std::jthread thread([&] {
      worked = rig.runs.work(stop.get_token());
      went_on = rig.runs.work(stop.get_token());
    });
    rig.change("a", 1);
    while (!rig.runs.is_idle()) std::this_thread::yield();
    stop.request_stop();
  }
  CHECK(worked);
  CHECK_FALSE(went_on);
  CHECK(rig.ran == Texts{"default/a@1#0"});
}

}  // namespace
}  // namespace kinf
