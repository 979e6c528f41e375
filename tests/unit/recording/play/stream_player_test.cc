// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/play/stream_player.h"

#include <doctest/doctest.h>

#include "unit/recording/play/stream_rig.h"

namespace kinf::test {
namespace {

using Lines = std::vector<std::string>;

const std::string kList = R"(,"source":"list")";
const std::string kWatch = R"(,"source":"watch")";
const std::string kRelist = R"(,"source":"relist")";

TEST_CASE("Events of kinf play as they were printed") {
  StreamRig rig;
  CHECK(rig.play({event_json("ADDED", pod_json("a", 1), kList) +
                  event_json("ADDED", pod_json("b", 2), kList) +
                  event_json("MODIFIED", pod_json("a", 3), kWatch) +
                  event_json("ADDED", pod_json("c", 4), kWatch) +
                  event_json("DELETED", pod_json("b", 5), kWatch)}) ==
        Lines{"ADDED a@1 initial", "ADDED b@2 initial", "SYNCED 2", "MODIFIED a@1->3", "ADDED c@4",
              "DELETED b@5"});
  CHECK(rig.error.empty());
}

TEST_CASE("The differences that a later list found play as a list") {
  StreamRig rig;
  const std::string unknown = kRelist + R"(,"finalStateUnknown":true)";
  CHECK(rig.play({event_json("ADDED", pod_json("a", 1), kList) +
                  event_json("ADDED", pod_json("b", 2), kList) +
                  event_json("DELETED", pod_json("b", 2), unknown) +
                  event_json("MODIFIED", pod_json("a", 3), kRelist) +
                  event_json("MODIFIED", pod_json("a", 6), kWatch)}) ==
        Lines{"ADDED a@1 initial", "ADDED b@2 initial", "SYNCED 2", "DELETED b@2 unknown (relist)",
              "MODIFIED a@1->3 (relist)", "MODIFIED a@3->6"});
}

TEST_CASE("An object that replaces another one plays as recreated") {
  StreamRig rig;
  const std::string first = event_json("ADDED", pod_json("a", 1), kList);
  const std::string gone =
      event_json("DELETED", pod_json("a", 1), kWatch + R"(,"finalStateUnknown":true)");
  CHECK(rig.play({first + gone +
                  event_json("ADDED", pod_json("a", 3, "new"), kWatch + R"(,"recreated":true)")}) ==
        Lines{"ADDED a@1 initial", "SYNCED 1", "DELETED a@1 unknown", "ADDED a@3 recreated"});
  // Without the object that replaces it, the deletion is not lost.
  CHECK(rig.play({first + gone}) == Lines{"ADDED a@1 initial", "SYNCED 1", "DELETED a@1"});
  CHECK(rig.play({first + gone + event_json("ADDED", pod_json("b", 3), kWatch)}) ==
        Lines{"ADDED a@1 initial", "SYNCED 1", "DELETED a@1", "ADDED b@3"});
}

TEST_CASE("What kubectl prints first is the first list") {
  StreamRig rig;
  const std::string a = event_json("ADDED", pod_json("a", 1));
  const std::string changes =
      event_json("MODIFIED", pod_json("a", 3)) + event_json("DELETED", pod_json("a", 4));
  CHECK(rig.play({a + event_json("ADDED", pod_json("b", 2)) + changes}) ==
        Lines{"ADDED a@1 initial", "ADDED b@2 initial", "SYNCED 2", "MODIFIED a@1->3",
              "DELETED a@4"});
  // In a pipe, what comes after a pause is new.
  CHECK(rig.play({a, "", event_json("ADDED", pod_json("b", 2))}) ==
        Lines{"ADDED a@1 initial", "SYNCED 1", "ADDED b@2"});
}

TEST_CASE("Objects without events were added or changed") {
  StreamRig rig;
  CHECK(
      rig.play({pod_json("a", 1) + pod_json("b", 2) + pod_json("a", 3) + pod_json("c", 4)}) ==
      Lines{"ADDED a@1 initial", "ADDED b@2 initial", "SYNCED 2", "MODIFIED a@1->3", "ADDED c@4"});
}

TEST_CASE("An object that is mentioned first when it changes or goes was added") {
  StreamRig rig;
  CHECK(
      rig.play({event_json("MODIFIED", pod_json("a", 1)) + event_json("DELETED", pod_json("b", 2)) +
                event_json("DELETED", pod_json("a", 3))}) ==
      Lines{"SYNCED 0", "ADDED a@1", "ADDED b@2", "DELETED b@2", "DELETED a@3"});
}

TEST_CASE("Objects of other types and names are skipped") {
  StreamRig rig;
  const std::string map =
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"n"}})";
  const std::string other =
      R"({"apiVersion":"x.io/v1","kind":"Pod","metadata":{"name":"a","namespace":"n"}})";
  CHECK(rig.play({map + other + pod_json("a", 1) + pod_json("b", 1)}, {}, "b") ==
        Lines{"ADDED b@1 initial", "SYNCED 1"});
}

TEST_CASE("Objects without versions are played") {
  StreamRig rig;
  const std::string pod = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}})";
  CHECK(rig.play({pod + event_json("MODIFIED", pod) + event_json("DELETED", pod)}).back() ==
        "DELETED a@");
}

TEST_CASE("What comes before an error is played") {
  StreamRig rig;
  CHECK(rig.play({pod_json("a", 1) + "\n" + pod_json("b", 2), "\n]"}) ==
        Lines{"ADDED a@1 initial", "ADDED b@2 initial", "SYNCED 2"});
  CHECK(rig.error == "in: line 3: invalid JSON at byte 226: found ']', expected a value");
  const std::string nameless = R"({"apiVersion":"v1","kind":"Pod","metadata":{}})";
  rig.play({pod_json("a", 1) + "\n", "", nameless});
  CHECK(rig.error.starts_with("in: line 2 (object 2): "));
  CHECK(rig.play({nameless}, {.only_state = true}).empty());
}

TEST_CASE("An ERROR event does not end the stream") {
  StreamRig rig;
  const std::string status = R"({"kind":"Status","apiVersion":"v1","code":410,"message":"old"})";
  CHECK(rig.play({pod_json("a", 1) + event_json("ERROR", status) +
                  event_json("ERROR", R"({"x":1})") + pod_json("a", 2)}) ==
        Lines{"ADDED a@1 initial", "SYNCED 1", "MODIFIED a@1->2"});
  CHECK(rig.error.empty());
}

std::string at(int second, const std::string& source) {
  return fmt::format(R"({},"time":"2026-01-01T00:00:{:02}.000Z")", source, second);
}

Clock::Wall second(int number) {
  return std::chrono::sys_days(std::chrono::year(2026) / 1 / 1) + std::chrono::seconds(number);
}

TEST_CASE("Events with times play from a moment and until one") {
  StreamRig rig;
  const std::string text = event_json("ADDED", pod_json("a", 1), at(1, kList)) +
                           event_json("MODIFIED", pod_json("a", 2), at(2, kWatch)) +
                           event_json("ADDED", pod_json("b", 3), at(3, kWatch)) +
                           event_json("DELETED", pod_json("a", 4), at(4, kWatch));
  CHECK(rig.play({text}).size() == 5);
  CHECK(rig.end == second(4));
  CHECK(rig.play({text}, {.begin = second(2), .end = second(3)}) ==
        Lines{"ADDED a@2 initial", "SYNCED 1", "ADDED b@3"});
  CHECK(rig.play({text}, {.begin = second(3), .only_state = true}) ==
        Lines{"ADDED a@2 initial", "ADDED b@3 initial", "SYNCED 2"});
  CHECK(rig.end == second(3));
  CHECK(rig.play({text}, {.only_state = true}) == Lines{"ADDED b@3 initial", "SYNCED 1"});
  rig.play({pod_json("a", 1)}, {.begin = second(1)});
  CHECK(rig.error == "in: line 1 (object 1) has no time");
}

TEST_CASE("The types of a file are known in advance, those of a pipe from its first objects") {
  const std::string gateway =
      R"({"apiVersion":"x.io/v1","kind":"Gateway","metadata":{"name":"a"}})";
  const auto names = [&](bool is_file) {
    StreamReader reader(std::make_unique<ScriptedInput>(
        std::deque<std::string>{pod_json("a", 1), event_json("ADDED", gateway)}, is_file));
    Lines lines;
    for (const RecordedType& type : reader.types({}).value()) {
      lines.push_back(type.type.gvr.group_resource() + (type.type.namespaced ? "" : " cluster"));
    }
    const Result<const StreamItem*> first = reader.peek(std::nullopt, {});
    lines.push_back((*first)->kind);
    return lines;
  };
  CHECK(names(true) == Lines{"pods", "gateways.x.io cluster", "Pod"});
  CHECK(names(false) == Lines{"pods", "Pod"});
}

TEST_CASE("The plural of a kind is the one of Kubernetes") {
  CHECK(plural_of("Pod") == "pods");
  CHECK(plural_of("Ingress") == "ingresses");
  CHECK(plural_of("NetworkPolicy") == "networkpolicies");
  CHECK(plural_of("Gateway") == "gateways");
  CHECK(plural_of("Endpoints") == "endpoints");
}

}  // namespace
}  // namespace kinf::test
