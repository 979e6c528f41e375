// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/scenarios/scenario.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "fakes/fake_clock.h"
#include "fakes/temp_folder.h"

namespace kinf::sandbox {
namespace {

TEST_CASE("every scenario that is listed can be found, with its steps in order") {
  for (const std::string& name : scenario_names()) {
    const auto scenario = find_scenario(name);
    REQUIRE_MESSAGE(scenario.has_value(), name);
    CHECK_MESSAGE(std::ranges::is_sorted(scenario->steps, {}, &ScenarioStep::at), name);
    CHECK((name == "quiet") == (scenario->steps.empty() && !scenario->generate));
    CHECK_MESSAGE(std::ranges::all_of(scenario->initial,
                                      [](const Json& object) {
                                        return !text(field(object, "metadata", "name")).empty();
                                      }),
                  name);
  }
}

TEST_CASE("churn takes settings, and ends after a number of changes if it has one") {
  const auto churn = find_scenario("churn:objects=5:rate=2:changes=7:seed=3");
  REQUIRE(churn.has_value());
  CHECK(churn->initial.size() == 6);  // a node and the pods
  CHECK(churn->steps.empty());        // they are generated when they are played
  for (int i = 0; i < 7; ++i) CHECK(churn->generate()->at == i * std::chrono::milliseconds(500));
  CHECK_FALSE(churn->generate().has_value());
  for (const char* bad : {"churn:", "churn:objects", "churn:objects=0", "churn:objects=100001",
                          "churn:rate=0", "churn:rate=x", "churn:changes=-1", "churn:size=1"}) {
    const auto scenario = find_scenario(bad);
    REQUIRE_MESSAGE(!scenario.has_value(), bad);
    CHECK(scenario.error().kind == ErrorKind::usage);
    CHECK(scenario.error().message.find(":objects=1..100000") != std::string::npos);
  }
}

TEST_CASE("an unknown scenario is an error that lists the known ones") {
  const auto scenario = find_scenario("calm");
  REQUIRE_FALSE(scenario.has_value());
  CHECK(
      scenario.error().message ==
      "unknown scenario \"calm\"; available: churn, crashloop, nettool, quiet, rollout, or a YAML "
      "file");
}

TEST_CASE("what looks like a file is read as one") {
  const test::TempFolder folder;
  const std::string path = folder.write("mine", "steps: [{at: 1, fault: gone}]");
  CHECK(find_scenario(path)->steps.size() == 1);
  for (const char* absent : {"./absent", "absent.yaml", "absent.yml", "absent.json"}) {
    CHECK(find_scenario(absent).error().message.find("no such file") != std::string::npos);
  }
}

TEST_CASE("$now with an offset is a time, and nothing else that begins so") {
  for (const char* good : {"$now", "$now-0", "$now-3600", "$now+9999999999"}) {
    CHECK_MESSAGE(is_relative_time(good), good);
  }
  for (const char* bad : {"now", "$now ", "$now-", "$now3600", "$now-1h", "$now--1",
                          "$now-99999999999", "$nowhere"}) {
    CHECK_MESSAGE(!is_relative_time(bad), bad);
  }
}

TEST_CASE("times are filled in wherever they stand, and only there") {
  const Json object = {
      {"at", "$now"}, {"list", {"$now-60", "text $now", 7}}, {"deep", {{"later", "$now+86400"}}}};
  CHECK(to_text(resolve_times(object, test::FakeClock::kStart)) ==
        R"({"at":"2026-11-21T10:14:00Z","list":["2026-11-21T10:13:00Z","text $now",7],)"
        R"("deep":{"later":"2026-11-22T10:14:00Z"}})");
}

}  // namespace
}  // namespace kinf::sandbox
