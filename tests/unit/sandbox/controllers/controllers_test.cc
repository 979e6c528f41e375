// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/controllers.h"

#include "unit/sandbox/controllers/cluster_world.h"

using namespace kinf::sandbox;

TEST_CASE("the controllers' thread waits for changes and times, and ends on stop") {
  ClusterWorld w;
  w.controllers.start();
  w.add(w.pod("web"));
  while (text(field(w.pod_named("web"), "status", "phase")) != "Running") {
    w.clock.advance(std::chrono::milliseconds(100));
    std::this_thread::yield();
  }
  w.clock.wait_for_sleepers(1);
  w.controllers.stop();
}

TEST_CASE("a dropped history is replaced by a list") {
  ClusterWorld w;
  w.settle();
  w.add(w.pod("web"));
  w.add(w.pod("gone"));
  w.objects.erase(w.type("pods"), {"default", "gone"});
  w.store.compact();
  w.pass(std::chrono::seconds(5));
  CHECK(w.pod_named("web")["status"]["phase"] == "Running");
}

TEST_CASE("from the tenth message on, similar Events become one") {
  ClusterWorld w;
  w.create_set("ReplicaSet", "web", 14);
  std::vector<std::string> combined;
  int others = 0;
  for (const Json& event : w.all("events")) {
    if (text(event["reason"]) != "SuccessfulCreate") continue;
    const std::string message = text(event["message"]);
    if (!message.starts_with("(combined from similar events): Created pod: web-")) {
      ++others;
      continue;
    }
    combined.push_back(message);
    CHECK(event["count"] == 5);
  }
  CHECK(others == 9);
  CHECK(combined.size() == 1);
}
