// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/container_program.h"

#include "unit/sandbox/controllers/cluster_world.h"

using namespace kinf::sandbox;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

using Lines = std::vector<std::string>;

/// The phase, the state of the container and whether the pod is being deleted.
std::string stage(const Json& pod) {
  std::string line = text(field(pod, "status", "phase"));
  for (const Json& each : elements(field(pod, "status", "containerStatuses"))) {
    const auto state = field(each, "state").begin();
    const std::string reason = text(field(state.value(), "reason"));
    line += " " + (reason.empty() ? state.key() : reason);
  }
  if (!field(pod, "metadata", "deletionTimestamp").is_null()) {
    line += " -" + field(pod, "metadata", "deletionGracePeriodSeconds").dump();
  }
  return line;
}

std::string condition(const Json& pod, const std::string& type) {
  for (const Json& each : elements(field(pod, "status", "conditions"))) {
    if (text(field(each, "type")) == type) return text(field(each, "status"));
  }
  return "";
}

Json status_of_container(const Json& pod) {
  return elements(field(pod, "status", "containerStatuses")).at(0);
}

}  // namespace

TEST_CASE("a pod is bound, created, run and deleted with eight updates, as on a real node") {
  ClusterWorld w;
  w.create(w.pod("nettool"));
  w.pass(seconds(5));
  w.remove("pods", "nettool");
  w.pass(seconds(5));
  CHECK(w.history("pods", "nettool", stage) ==
        Lines{"ADDED Pending",
              "MODIFIED Pending",                    // bound to a node
              "MODIFIED Pending ContainerCreating",  // accepted by the kubelet
              "MODIFIED Pending ContainerCreating",  // the sandbox is ready
              "MODIFIED Running running",            //
              "MODIFIED Running running -30",        // deleted by a client
              "MODIFIED Succeeded Completed -30",    // the container has ended
              "MODIFIED Succeeded Completed -30",    // the sandbox is gone
              "MODIFIED Succeeded Completed -0",     //
              "DELETED Succeeded Completed -0"});
  CHECK(w.reasons("nettool") == Lines{"Scheduled", "Pulled", "Created", "Started", "Killing"});
}

TEST_CASE("a running pod has a node, addresses, true conditions and a manager") {
  ClusterWorld w;
  w.create(w.pod("web"));
  w.pass(seconds(5));
  const Json pod = w.pod_named("web");
  CHECK(pod["spec"]["nodeName"] == "node-1");
  CHECK(text(pod["status"]["hostIP"]) == node_address(w.get("nodes", "node-1", "")));
  CHECK(text(pod["status"]["podIP"]).starts_with("10.244."));
  for (const char* type :
       {"PodScheduled", "PodReadyToStartContainers", "Initialized", "ContainersReady", "Ready"}) {
    CHECK_MESSAGE(condition(pod, type) == "True", type);
  }
  Lines managers;
  for (const Json& entry : pod["metadata"]["managedFields"]) {
    managers.push_back(text(entry["manager"]));
  }
  CHECK(managers == Lines{"kubelet"});  // a binding leaves no entry
}

TEST_CASE("transition times are the times of the transitions") {
  ClusterWorld w;
  w.create(w.pod("web"));
  w.pass(seconds(60));
  w.change("pods", "web", [](Json& pod) { pod["metadata"]["labels"]["tier"] = "front"; });
  w.remove("pods", "web");
  w.pass(milliseconds(1100));
  const Json pod = w.pod_named("web");
  std::string scheduled;
  std::string ready;
  for (const Json& each : pod["status"]["conditions"]) {
    if (each["type"] == "PodScheduled") scheduled = text(each["lastTransitionTime"]);
    if (each["type"] == "Ready") ready = text(each["lastTransitionTime"]);
  }
  CHECK(scheduled == "2026-11-21T10:14:00Z");
  CHECK(ready == "2026-11-21T10:15:01Z");
}

TEST_CASE("a container that fails restarts at once, then with growing back-off") {
  ClusterWorld w;
  w.create(w.pod("api", w.with_command({"false"})));
  w.pass(seconds(3));
  CHECK(status_of_container(w.pod_named("api"))["state"]["terminated"]["exitCode"] == 1);
  w.pass(seconds(2));
  Json status = status_of_container(w.pod_named("api"));
  CHECK(status["restartCount"] == 1);
  CHECK(status["lastState"]["terminated"]["reason"] == "Error");
  w.pass(seconds(2));
  status = status_of_container(w.pod_named("api"));
  CHECK(status["state"]["waiting"]["reason"] == "CrashLoopBackOff");
  CHECK(text(status["state"]["waiting"]["message"]).starts_with("back-off 10s restarting failed"));
  CHECK(stage(w.pod_named("api")) == "Running CrashLoopBackOff");
  w.pass(seconds(10));
  CHECK(status_of_container(w.pod_named("api"))["restartCount"] == 2);
  w.pass(seconds(3));
  CHECK(text(status_of_container(w.pod_named("api"))["state"]["waiting"]["message"])
            .starts_with("back-off 20s"));
  w.pass(std::chrono::minutes(60));
  w.pass(seconds(4));
  const Json last = status_of_container(w.pod_named("api"));
  CHECK(last["restartCount"].get<int>() > 10);
  CHECK(last["restartCount"].get<int>() < 20);
}

TEST_CASE("the restart policy decides whether a pod ends") {
  ClusterWorld w;
  w.create(w.pod("never", {{"restartPolicy", "Never"}}));
  w.change("pods", "never",
           [](Json& pod) { pod["metadata"]["annotations"][kExitAnnotation] = "3 after 2s"; });
  Json once = w.pod("once", w.with_command({"sh", "-c", "echo done; exit 0"}));
  once["spec"]["restartPolicy"] = "OnFailure";
  w.create(once);
  Json again = w.pod("again", w.with_command({"sh", "-c", "exit 4"}));
  again["spec"]["restartPolicy"] = "OnFailure";
  w.create(again);
  w.pass(seconds(8));
  CHECK(stage(w.pod_named("never")) == "Failed Error");
  CHECK(stage(w.pod_named("once")) == "Succeeded Completed");
  CHECK(condition(w.pod_named("once"), "Ready") == "False");
  CHECK(stage(w.pod_named("again")) == "Running CrashLoopBackOff");
}

TEST_CASE("init containers run one after the other before the containers") {
  ClusterWorld w;
  Json pod = w.pod("web");
  pod["spec"]["initContainers"] = {{{"name", "one"}, {"image", "i"}},
                                   {{"name", "two"}, {"image", "i"}}};
  w.create(pod);
  w.pass(seconds(2));
  CHECK(stage(w.pod_named("web")) == "Pending PodInitializing");
  CHECK(condition(w.pod_named("web"), "Initialized") == "False");
  w.pass(seconds(6));
  CHECK(stage(w.pod_named("web")) == "Running running");
  CHECK(condition(w.pod_named("web"), "Initialized") == "True");
  CHECK(condition(w.pod_named("web"), "Ready") == "True");
}

TEST_CASE("a readiness probe delays Ready") {
  ClusterWorld w;
  Json pod = w.pod("web");
  pod["spec"]["containers"][0]["readinessProbe"] = {{"initialDelaySeconds", 20}};
  w.create(pod);
  w.pass(seconds(10));
  CHECK(stage(w.pod_named("web")) == "Running running");
  CHECK(condition(w.pod_named("web"), "Ready") == "False");
  w.pass(seconds(20));
  CHECK(condition(w.pod_named("web"), "Ready") == "True");
}

TEST_CASE("a new image restarts the container") {
  ClusterWorld w;
  w.create(w.pod("web"));
  w.pass(seconds(5));
  w.change("pods", "web", [](Json& pod) { pod["spec"]["containers"][0]["image"] = "image:2"; });
  w.pass(seconds(5));
  const Json status = status_of_container(w.pod_named("web"));
  CHECK(status["image"] == "image:2");
  CHECK(status["restartCount"] == 1);
  CHECK(status["state"].contains("running"));
}

TEST_CASE("a deleted pod that waits for its container ends, and a finalizer holds it") {
  ClusterWorld w;
  Json pod = w.pod("web");
  pod["metadata"]["finalizers"] = {"x.test/hold"};
  w.create(pod);
  w.remove("pods", "web");
  w.pass(seconds(5));
  CHECK(stage(w.pod_named("web")) == "Pending ContainerCreating -0");
  w.change("pods", "web", [](Json& held) { held["metadata"].erase("finalizers"); });
  CHECK(w.pod_named("web").is_null());
}

TEST_CASE("the speed divides all times") {
  ClusterWorld w(1, {.speed = 10});
  w.create(w.pod("web"));
  w.pass(milliseconds(130));
  CHECK(stage(w.pod_named("web")) == "Running running");
}

TEST_CASE("another process continues with the pods that it finds") {
  ClusterWorld w;
  w.create(w.pod("web"));
  w.create(w.pod("api", w.with_command({"false"})));
  w.pass(seconds(7));
  const std::string ip = text(w.pod_named("web")["status"]["podIP"]);
  const auto version = w.pod_named("web")["metadata"]["resourceVersion"];
  Controllers next(w.store, w.objects, w.types, w.clock, {});
  for (int i = 0; next.step(); ++i) REQUIRE(i < 100);
  CHECK(w.pod_named("web")["metadata"]["resourceVersion"] == version);
  const int restarts = status_of_container(w.pod_named("api"))["restartCount"];
  for (int i = 0; i < 12; ++i) {
    w.clock.advance(seconds(1));
    while (next.step()) {
    }
  }
  CHECK(status_of_container(w.pod_named("api"))["restartCount"] == restarts + 1);
  CHECK(text(w.pod_named("web")["status"]["podIP"]) == ip);
}

TEST_CASE("pods of a scenario and of unknown nodes stay as they are") {
  ClusterWorld w(1, {.is_scripted = [](const ObjectId& id, const std::string&) {
                   return id.second.name == "scripted";
                 }});
  w.create(w.pod("scripted"));
  w.create(w.pod("elsewhere", {{"nodeName", "other"}}));
  w.pass(seconds(10));
  CHECK(w.history("pods", "scripted", stage) == Lines{"ADDED Pending"});
  CHECK(w.history("pods", "elsewhere", stage) == Lines{"ADDED Pending"});
}

TEST_CASE("the pods of a deleted node are removed") {
  ClusterWorld w;
  w.create(w.pod("web"));
  w.pass(seconds(5));
  w.remove("nodes", "node-1");
  CHECK(w.pod_named("web").is_null());
}

TEST_CASE("every pod has its own address") {
  ClusterWorld w(2);
  for (int i = 0; i < 30; ++i) w.create(w.pod("web-" + std::to_string(i)));
  w.pass(seconds(5));
  std::set<std::string> addresses;
  for (const Json& pod : w.all("pods")) addresses.insert(text(pod["status"]["podIP"]));
  CHECK(addresses.size() == 30);
}

TEST_CASE("a pod with a missing hostPath of the type Directory waits until a pod creates it") {
  ClusterWorld w;
  const auto with_directory = [](const char* path, const char* type) {
    return Json{{"volumes", Json::array({{{"name", "data"},
                                          {"hostPath", {{"path", path}, {"type", type}}}}})}};
  };
  w.create(w.pod("web", with_directory("/data/web", "Directory")));
  w.create(w.pod("log", with_directory("/var/log/", "Directory")));
  w.pass(seconds(5));
  CHECK(stage(w.pod_named("web")) == "Pending ContainerCreating");
  CHECK(stage(w.pod_named("log")) == "Running running");
  CHECK(w.reasons("web") == Lines{"Scheduled", "FailedMount"});
  CHECK(text(w.all("events").front()["message"]) != "");
  w.create(w.pod("mkdir", with_directory("/data/web/logs", "DirectoryOrCreate")));
  w.pass(seconds(30));
  CHECK(stage(w.pod_named("web")) == "Running running");
}

TEST_CASE("claims are bound: to the smallest volume that fits, or to a new one") {
  ClusterWorld w;
  const auto volume = [&](const char* name, const char* size) {
    w.create({{"apiVersion", "v1"},
              {"kind", "PersistentVolume"},
              {"metadata", {{"name", name}}},
              {"spec",
               {{"capacity", {{"storage", size}}},
                {"accessModes", {"ReadWriteOnce"}},
                {"storageClassName", "local"},
                {"local", {{"path", "/mnt/disks/ssd1"}}}}}});
  };
  const auto claim = [&](const char* name, const Json& storage_class) {
    Json spec = {{"accessModes", {"ReadWriteOnce"}},
                 {"resources", {{"requests", {{"storage", "5Gi"}}}}}};
    if (!storage_class.is_null()) spec["storageClassName"] = storage_class;
    w.create({{"apiVersion", "v1"},
              {"kind", "PersistentVolumeClaim"},
              {"metadata", {{"name", name}}},
              {"spec", spec}});
    const Json made = w.get("persistentvolumeclaims", name);
    return text(made["status"]["phase"]) + " " + text(field(made, "spec", "volumeName"));
  };
  for (const auto& [name, size] : {std::pair("tiny", "1Gi"), {"big", "100Gi"}, {"fit", "10Gi"}}) {
    volume(name, size);
  }
  CHECK(claim("data", "local") == "Bound fit");
  CHECK(claim("more", "local") == "Bound big");
  CHECK(claim("third", "local") == "Pending ");
  CHECK(w.reasons("third") == Lines{"FailedBinding"});
  CHECK(claim("any", nullptr).starts_with("Bound pvc-"));
  CHECK(w.get("persistentvolumes", "fit", "")["status"]["phase"] == "Bound");
  CHECK(w.get("persistentvolumes", "tiny", "")["status"]["phase"] == "Available");
  // The directory of a local volume is missing, so its pod waits.
  w.create(w.pod(
      "db", {{"volumes", Json::array({{{"name", "data"},
                                       {"persistentVolumeClaim", {{"claimName", "data"}}}}})}}));
  w.pass(seconds(5));
  CHECK(stage(w.pod_named("db")) == "Pending ContainerCreating");
  w.remove("persistentvolumeclaims", "data");
  w.pass(seconds(1));
  CHECK(w.get("persistentvolumes", "fit", "")["status"]["phase"] == "Released");
}
