// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/selection/failing.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <memory>
#include <string>

namespace kinf {
namespace {

TEST_CASE("a marked state is failing at once, a passing one after a while") {
  const auto from = [](std::string_view kind, const char* column, std::string_view cell,
                       std::string_view status, Clock::Wall seen = Clock::Wall::min()) {
    const std::string json = fmt::format(R"({{"metadata":{{"name":"a"}},"status":{}}})", status);
    const std::string cells = fmt::format(R"(["{}"])", cell);
    ObjectFacts facts;
    facts.kind = kind;
    facts.json = json;
    facts.creation_time = std::chrono::sys_seconds(std::chrono::hours(1));
    facts.cells = cells;
    facts.columns = std::make_shared<TableColumns>(TableColumns{{{column, "string", "", "", 0}}});
    return failing_from(*Object::create(facts), seen);
  };
  const auto at = [](std::chrono::minutes minutes) { return Clock::Wall(minutes); };
  using std::chrono::minutes;
  CHECK(from("Pod", "Status", "Running", "{}") == std::nullopt);
  CHECK(from("Pod", "Status", "ImagePullBackOff", "{}") == Clock::Wall::min());
  CHECK(from("Node", "Status", "NotReady", "{}") == Clock::Wall::min());
  CHECK(from("Event", "Type", "Warning", "{}") == Clock::Wall::min());
  CHECK(from("StatefulSet", "Ready", "1/2", "{}") == at(minutes(62)));
  CHECK(from("StatefulSet", "Ready", "1/2", "{}", at(minutes(90))) == at(minutes(92)));
  CHECK(from("Pod", "Status", "Pending",
             R"({"conditions":[{"lastTransitionTime":"1970-01-01T02:00:00Z"},{},3]})") ==
        at(minutes(122)));
}

}  // namespace
}  // namespace kinf
