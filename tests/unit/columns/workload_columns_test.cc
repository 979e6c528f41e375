// SPDX-License-Identifier: Apache-2.0
// The cells of the kinds that make pods, as kubectl shows them.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "fakes/fake_clock.h"
#include "kinf/columns/kind_columns.h"

namespace kinf {
namespace {

using Json = nlohmann::json;
using test::FakeClock;

/// An object made at 10:00 by a clock that shows 10:14. The arguments are JSON objects.
Json object(std::string_view spec, std::string_view status, std::string_view metadata = "{}") {
  Json made = {{"metadata", Json::parse(metadata)},
               {"spec", Json::parse(spec)},
               {"status", Json::parse(status)}};
  made["metadata"]["name"] = "web";
  made["metadata"]["creationTimestamp"] = "2026-11-21T10:00:00Z";
  return made;
}

Json row(columns::CellsFunction cells, std::string_view spec, std::string_view status,
         std::string_view metadata = "{}") {
  return cells(object(spec, status, metadata), FakeClock::kStart);
}

constexpr const char* kTemplate =
    R"("selector":{"matchLabels":{"app":"web"}},
       "template":{"spec":{"containers":[{"name":"nginx","image":"nginx:1.27"},
                                         {"name":"log","image":"fluent-bit:3"}]}})";

std::string with_template(std::string_view more) {
  return std::string("{") + kTemplate + std::string(more) + "}";
}

TEST_CASE("a deployment shows how many pods are ready, of the newest template and available") {
  CHECK(
      row(columns::deployment_cells, with_template(R"(,"replicas":3)"),
          R"({"replicas":4,"readyReplicas":2,"updatedReplicas":1,"availableReplicas":2})") ==
      Json::array({"web", "2/3", 1, 2, "14m", "nginx,log", "nginx:1.27,fluent-bit:3", "app=web"}));
  CHECK(row(columns::deployment_cells, "{}", "{}") ==
        Json::array({"web", "0/0", 0, 0, "14m", "", "", "<none>"}));
}

TEST_CASE("a replica set shows wanted, present and ready pods") {
  CHECK(row(columns::replica_set_cells, with_template(R"(,"replicas":3)"),
            R"({"replicas":2,"readyReplicas":1})") ==
        Json::array({"web", 3, 2, 1, "14m", "nginx,log", "nginx:1.27,fluent-bit:3", "app=web"}));
  CHECK(row(columns::replica_set_cells, R"({"replicas":"3"})", "{}") ==
        Json::array({"web", 0, 0, 0, "14m", "", "", "<none>"}));
}

TEST_CASE("a daemon set counts nodes and shows which ones it selects") {
  const std::string spec =
      R"({"selector":{"matchLabels":{"app":"web"}},
          "template":{"spec":{"nodeSelector":{"disk":"ssd","arch":"arm64"},
                              "containers":[{"name":"nginx","image":"nginx:1.27"}]}}})";
  CHECK(row(columns::daemon_set_cells, spec,
            R"({"desiredNumberScheduled":5,"currentNumberScheduled":4,"numberReady":3,
                "updatedNumberScheduled":2,"numberAvailable":1})") ==
        Json::array({"web", 5, 4, 3, 2, 1, "arch=arm64,disk=ssd", "14m", "nginx", "nginx:1.27",
                     "app=web"}));
  CHECK(row(columns::daemon_set_cells, "{}", "{}") ==
        Json::array({"web", 0, 0, 0, 0, 0, "<none>", "14m", "", "", "<none>"}));
}

TEST_CASE("a stateful set shows how many pods are ready") {
  CHECK(row(columns::stateful_set_cells, with_template(R"(,"replicas":2)"),
            R"({"readyReplicas":1})") ==
        Json::array({"web", "1/2", "14m", "nginx,log", "nginx:1.27,fluent-bit:3"}));
}

TEST_CASE("a container without an image keeps its place in the list") {
  const Json cells = row(columns::stateful_set_cells,
                         R"({"template":{"spec":{"containers":[{"name":"a"},
                             {"name":"b","image":"i"},7]}}})",
                         "{}");
  CHECK(cells[3] == "a,b,");
  CHECK(cells[4] == ",i,");
}

TEST_CASE("the state of a job follows its conditions, the final ones first") {
  const auto status = [](std::string_view conditions, std::string_view metadata = "{}") {
    return row(columns::job_cells, "{}",
               std::string(R"({"conditions":)") + std::string(conditions) + "}", metadata)[1];
  };
  const char* deleted = R"({"deletionTimestamp":"2026-11-21T10:14:30Z"})";
  CHECK(status("[]") == "Running");
  CHECK(status("null") == "Running");
  CHECK(status("[]", deleted) == "Terminating");
  CHECK(status(R"([{"type":"Complete","status":"True"}])") == "Complete");
  CHECK(status(R"([{"type":"Complete","status":"True"}])", deleted) == "Complete");
  CHECK(status(R"([{"type":"Failed","status":"True"}])") == "Failed");
  CHECK(status(R"([{"type":"Failed","status":"False"}])") == "Running");
  CHECK(status(R"([{"type":"Suspended","status":"True"}])") == "Suspended");
  CHECK(status(R"([{"type":"Suspended","status":"True"}])", deleted) == "Terminating");
  CHECK(status(R"([{"type":"FailureTarget","status":"True"}])") == "FailureTarget");
  CHECK(status(R"([{"type":"SuccessCriteriaMet","status":"True"}])") == "SuccessCriteriaMet");
  CHECK(status(R"([{"type":"FailureTarget","status":"True"},{"type":"Failed","status":"True"}])") ==
        "Failed");
}

TEST_CASE("the completions of a job are counted to what is wanted") {
  const auto completions = [](std::string_view spec, std::string_view status) {
    return row(columns::job_cells, spec, status)[2];
  };
  CHECK(completions(R"({"completions":5,"parallelism":2})", R"({"succeeded":3})") == "3/5");
  CHECK(completions(R"({"completions":0})", "{}") == "0/0");
  // Without `completions` one success is enough, of any of the pods that run side by side.
  CHECK(completions(R"({"parallelism":3})", R"({"succeeded":2})") == "2/1 of 3");
  CHECK(completions(R"({"parallelism":1})", R"({"succeeded":1})") == "1/1");
  CHECK(completions("{}", "{}") == "0/1");
}

TEST_CASE("a job lasts from its start to its completion, or until now") {
  const auto duration = [](std::string_view status) {
    return row(columns::job_cells, "{}", status)[3];
  };
  CHECK(duration("{}") == "");
  CHECK(duration(R"({"startTime":"2026-11-21T10:13:25Z"})") == "35s");
  CHECK(duration(R"({"startTime":"2026-11-21T10:01:00Z",
                     "completionTime":"2026-11-21T10:03:05Z"})") == "2m5s");
  CHECK(duration(R"({"startTime":"2026-11-21T10:03:00Z",
                     "completionTime":"2026-11-21T10:01:00Z"})") == "<invalid>");
  CHECK(duration(R"({"startTime":"2026-11-21T10:13:00Z","completionTime":"soon"})") == "60s");
}

TEST_CASE("a job shows its template and its selector") {
  CHECK(row(columns::job_cells, with_template(R"(,"completions":1)"),
            R"({"succeeded":1,"startTime":"2026-11-21T10:00:00Z",
                "completionTime":"2026-11-21T10:00:07Z",
                "conditions":[{"type":"Complete","status":"True"}]})") ==
        Json::array({"web", "Complete", "1/1", "7s", "14m", "nginx,log", "nginx:1.27,fluent-bit:3",
                     "app=web"}));
}

}  // namespace
}  // namespace kinf
