// SPDX-License-Identifier: Apache-2.0
// The cells of pods: what kubectl shows for each state of the containers.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "fakes/fake_clock.h"
#include "kinf/columns/columns.h"
#include "kinf/columns/kind_columns.h"

namespace kinf {
namespace {

using Json = nlohmann::json;
using test::FakeClock;

/// A pod of one container `c` unless `spec` says otherwise. The arguments are JSON objects.
Json pod(std::string_view status, std::string_view spec = R"({"containers":[{"name":"c"}]})",
         std::string_view metadata = "{}") {
  Json object = {{"apiVersion", "v1"},
                 {"kind", "Pod"},
                 {"metadata", Json::parse(metadata)},
                 {"spec", Json::parse(spec)},
                 {"status", Json::parse(status)}};
  object["metadata"]["name"] = "web-1";
  object["metadata"]["creationTimestamp"] = "2026-11-21T10:00:00Z";
  return object;
}

Json cells(const Json& object) { return columns::pod_cells(object, FakeClock::kStart); }

enum Column { name, ready, status, restarts, age, ip, node, nominated, gates };

struct PodCase {
  const char* what;
  const char* status;  ///< of the pod
  Json ready;
  Json reason;
  Json restarts;
};

void check(const std::vector<PodCase>& cases,
           const char* spec = R"({"containers":[{"name":"c"}]})") {
  for (const PodCase& one : cases) {
    CAPTURE(one.what);
    const Json row = cells(pod(one.status, spec));
    CHECK(row[ready] == one.ready);
    CHECK(row[status] == one.reason);
    CHECK(row[restarts] == one.restarts);
  }
}

TEST_CASE("a pod without container states shows its phase or its reason") {
  check({{"new", R"({})", "0/1", "", "0"},
         {"pending", R"({"phase":"Pending"})", "0/1", "Pending", "0"},
         {"evicted", R"({"phase":"Failed","reason":"Evicted"})", "0/1", "Evicted", "0"},
         {"gated",
          R"({"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False",
              "reason":"SchedulingGated"}]})",
          "0/1", "SchedulingGated", "0"},
         {"unschedulable, which is no gate",
          R"({"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False",
              "reason":"Unschedulable"}]})",
          "0/1", "Pending", "0"}});
}

TEST_CASE("the state of a container overrides the phase") {
  check({{"running and ready",
          R"({"phase":"Running","containerStatuses":[
              {"ready":true,"restartCount":0,"state":{"running":{}}}]})",
          "1/1", "Running", "0"},
         {"running, not ready",
          R"({"phase":"Running","containerStatuses":[
              {"ready":false,"restartCount":0,"state":{"running":{}}}]})",
          "0/1", "Running", "0"},
         {"waiting with a reason",
          R"({"phase":"Pending","containerStatuses":[
              {"restartCount":0,"state":{"waiting":{"reason":"ContainerCreating"}}}]})",
          "0/1", "ContainerCreating", "0"},
         {"waiting without one",
          R"({"phase":"Pending","containerStatuses":[{"state":{"waiting":{}}}]})", "0/1", "Pending",
          "0"},
         {"ended with a reason",
          R"({"phase":"Failed","containerStatuses":[
              {"state":{"terminated":{"reason":"OOMKilled","exitCode":137}}}]})",
          "0/1", "OOMKilled", "0"},
         {"ended by a signal",
          R"({"phase":"Failed","containerStatuses":[
              {"state":{"terminated":{"signal":9,"exitCode":137}}}]})",
          "0/1", "Signal:9", "0"},
         {"ended with a code",
          R"({"phase":"Failed","containerStatuses":[{"state":{"terminated":{"exitCode":2}}}]})",
          "0/1", "ExitCode:2", "0"},
         {"completed",
          R"({"phase":"Succeeded","containerStatuses":[
              {"state":{"terminated":{"reason":"Completed","exitCode":0}}}]})",
          "0/1", "Completed", "0"}});
}

TEST_CASE("of several containers the first with a reason decides") {
  const char* spec = R"({"containers":[{"name":"a"},{"name":"b"}]})";
  const char* done = R"({"state":{"terminated":{"reason":"Completed","exitCode":0}}})";
  const char* runs = R"({"ready":true,"state":{"running":{}}})";
  const char* fails = R"({"state":{"terminated":{"reason":"Error","exitCode":1}}})";
  const char* waits = R"({"state":{"waiting":{"reason":"ImagePullBackOff"}}})";
  const auto row = [&](const char* a, const char* b, const char* conditions = "[]") {
    const std::string text = std::string(R"({"phase":"Running","conditions":)") + conditions +
                             R"(,"containerStatuses":[)" + a + "," + b + "]}";
    const Json all = cells(pod(text, spec));
    return all[ready].get<std::string>() + " " + all[status].get<std::string>();
  };
  const char* is_ready = R"([{"type":"Ready","status":"True"}])";
  CHECK(row(runs, waits) == "1/2 ImagePullBackOff");
  CHECK(row(waits, fails) == "0/2 ImagePullBackOff");
  CHECK(row(fails, waits) == "0/2 Error");
  CHECK(row(runs, runs, is_ready) == "2/2 Running");
  // One that completed hides neither that another runs nor that another failed.
  CHECK(row(done, runs, is_ready) == "1/2 Running");
  CHECK(row(done, runs) == "1/2 NotReady");
  CHECK(row(done, fails) == "0/2 Error");
  CHECK(row(done, done) == "0/2 Completed");
}

TEST_CASE("restarts are summed up, with the time of the last one") {
  const char* spec = R"({"containers":[{"name":"a"},{"name":"b"}]})";
  check({{"none", R"({"containerStatuses":[{"restartCount":0,"state":{}}]})", "0/2", "", "0"},
         {"two containers",
          R"({"containerStatuses":[
              {"restartCount":2,"lastState":{"terminated":{"finishedAt":"2026-11-21T10:04:00Z"}}},
              {"restartCount":3,"lastState":{"terminated":{"finishedAt":"2026-11-21T10:12:00Z"}}}]})",
          "0/2", "", "5 (2m ago)"},
         {"the last one comes first",
          R"({"containerStatuses":[
              {"restartCount":2,"lastState":{"terminated":{"finishedAt":"2026-11-21T10:12:00Z"}}},
              {"restartCount":3,"lastState":{"terminated":{"finishedAt":"2026-11-21T10:04:00Z"}}}]})",
          "0/2", "", "5 (2m ago)"},
         {"no time", R"({"containerStatuses":[{"restartCount":4}]})", "0/2", "", "4"},
         {"a time but no restart",
          R"({"containerStatuses":[
              {"restartCount":0,"lastState":{"terminated":{"finishedAt":"2026-11-21T10:12:00Z"}}}]})",
          "0/2", "", "0"}},
        spec);
}

TEST_CASE("an unfinished initialisation takes precedence over the containers") {
  const char* spec =
      R"({"initContainers":[{"name":"i0"},{"name":"i1"}],"containers":[{"name":"c"}]})";
  check({{"the first runs",
          R"({"phase":"Pending","initContainerStatuses":[{"name":"i0","state":{"running":{}}},
              {"name":"i1","state":{"waiting":{"reason":"PodInitializing"}}}]})",
          "0/1", "Init:0/2", "0"},
         {"the second waits for its turn",
          R"({"phase":"Pending","initContainerStatuses":[
              {"name":"i0","restartCount":1,"state":{"terminated":{"exitCode":0}}},
              {"name":"i1","restartCount":2,"state":{"waiting":{"reason":"PodInitializing"}}}]})",
          "0/1", "Init:1/2", "3"},
         {"waits for a reason",
          R"({"phase":"Pending","initContainerStatuses":[
              {"name":"i0","restartCount":3,"state":{"waiting":{"reason":"CrashLoopBackOff"}}}]})",
          "0/1", "Init:CrashLoopBackOff", "3"},
         {"failed with a reason",
          R"({"phase":"Pending","initContainerStatuses":[
              {"name":"i0","state":{"terminated":{"reason":"Error","exitCode":1}}}]})",
          "0/1", "Init:Error", "0"},
         {"failed with a code",
          R"({"phase":"Pending","initContainerStatuses":[
              {"name":"i0","state":{"terminated":{"exitCode":7}}}]})",
          "0/1", "Init:ExitCode:7", "0"},
         {"ended by a signal",
          R"({"phase":"Pending","initContainerStatuses":[
              {"name":"i0","state":{"terminated":{"signal":15,"exitCode":143}}}]})",
          "0/1", "Init:Signal:15", "0"},
         {"containers that run already do not count",
          R"({"phase":"Pending","initContainerStatuses":[{"name":"i0","state":{"running":{}}}],
              "containerStatuses":[{"ready":true,"restartCount":9,"state":{"running":{}}}]})",
          "0/1", "Init:0/2", "0"},
         {"all done: only the containers count",
          R"({"phase":"Running","initContainerStatuses":[
              {"name":"i0","restartCount":4,"state":{"terminated":{"exitCode":0}}},
              {"name":"i1","state":{"terminated":{"exitCode":0}}}],
              "containerStatuses":[{"ready":true,"restartCount":1,"state":{"running":{}}}]})",
          "1/1", "Running", "1"},
         {"initialised once, then one runs again",
          R"({"phase":"Running","conditions":[{"type":"Initialized","status":"True"}],
              "initContainerStatuses":[{"name":"i0","state":{"running":{}}}],
              "containerStatuses":[{"ready":true,"restartCount":1,"state":{"running":{}}}]})",
          "1/1", "Init:0/2", "1"}},
        spec);
}

TEST_CASE("a sidecar counts as a container") {
  const char* spec =
      R"({"initContainers":[{"name":"proxy","restartPolicy":"Always"},{"name":"setup"}],
          "containers":[{"name":"c"}]})";
  check({{"sidecar started, setup runs",
          R"({"phase":"Pending","initContainerStatuses":[
              {"name":"proxy","started":true,"ready":true,"restartCount":2,"state":{"running":{}}},
              {"name":"setup","state":{"running":{}}}]})",
          "1/2", "Init:1/2", "2"},
         {"sidecar not started yet",
          R"({"phase":"Pending","initContainerStatuses":[
              {"name":"proxy","started":false,"state":{"running":{}}}]})",
          "0/2", "Init:0/2", "0"},
         {"sidecar started, not ready",
          R"({"phase":"Running","initContainerStatuses":[
              {"name":"proxy","started":true,"ready":false,"state":{"running":{}}},
              {"name":"setup","state":{"terminated":{"exitCode":0}}}],
              "containerStatuses":[{"ready":true,"state":{"running":{}}}]})",
          "1/2", "Running", "0"},
         {"all run: restarts of the sidecar stay, those of setup do not",
          R"({"phase":"Running","initContainerStatuses":[
              {"name":"proxy","started":true,"ready":true,"restartCount":2,"state":{"running":{}},
               "lastState":{"terminated":{"finishedAt":"2026-11-21T10:13:00Z"}}},
              {"name":"setup","restartCount":5,"state":{"terminated":{"exitCode":0}}}],
              "containerStatuses":[{"ready":true,"restartCount":1,"state":{"running":{}}}]})",
          "2/2", "Running", "3 (60s ago)"}},
        spec);
}

TEST_CASE("a pod that is being deleted is terminating, unless it has ended") {
  const char* spec = R"({"containers":[{"name":"c"}]})";
  const char* deleted = R"({"deletionTimestamp":"2026-11-21T10:14:30Z"})";
  const auto state = [&](const char* text) { return cells(pod(text, spec, deleted))[status]; };
  CHECK(state(R"({"phase":"Running"})") == "Terminating");
  CHECK(state(R"({"phase":"Pending"})") == "Terminating");
  CHECK(state(R"({"phase":"Running","containerStatuses":[
      {"state":{"waiting":{"reason":"CrashLoopBackOff"}}}]})") == "Terminating");
  CHECK(state(R"({"phase":"Running","reason":"NodeLost"})") == "Unknown");
  CHECK(state(R"({"phase":"Succeeded"})") == "Succeeded");
  CHECK(state(R"({"phase":"Failed","containerStatuses":[
      {"state":{"terminated":{"reason":"Error","exitCode":1}}}]})") == "Error");
}

TEST_CASE("the wide columns of a pod show where it is") {
  const Json placed = cells(pod(
      R"({"podIP":"10.0.0.1","podIPs":[{"ip":"10.0.0.2"},{"ip":"fd00::2"}],
          "nominatedNodeName":"n2",
          "conditions":[{"type":"a.example/x","status":"True"},
                        {"type":"b.example/y","status":"False"}]})",
      R"({"nodeName":"n1","containers":[],
          "readinessGates":[{"conditionType":"a.example/x"},{"conditionType":"b.example/y"},
                            {"conditionType":"c.example/z"}]})"));
  CHECK(placed == Json::array({"web-1", "0/0", "", "0", "14m", "10.0.0.2", "n1", "n2", "1/3"}));
  const Json fresh = cells(pod("{}"));
  CHECK(fresh[ip] == "<none>");
  CHECK(fresh[node] == "<none>");
  CHECK(fresh[nominated] == "<none>");
  CHECK(fresh[gates] == "<none>");
  CHECK(cells(pod(R"({"podIP":"10.0.0.9"})"))[ip] == "10.0.0.9");
  CHECK(cells(pod(R"({"podIP":"10.0.0.9","podIPs":[{"ip":""}]})"))[ip] == "10.0.0.9");
}

TEST_CASE("a pod with fields of the wrong type has cells") {
  const Json odd = cells({{"metadata", {{"name", 5}, {"creationTimestamp", "long ago"}}},
                          {"spec", "none"},
                          {"status", {{"phase", 7}, {"containerStatuses", {1, "two", nullptr}}}}});
  CHECK(odd ==
        Json::array({"", "0/0", "", "0", "<unknown>", "<none>", "<none>", "<none>", "<none>"}));
}

}  // namespace
}  // namespace kinf
