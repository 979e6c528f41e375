// SPDX-License-Identifier: Apache-2.0
#include "rollout_pods.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "kinf/api/object.h"
#include "kinf/api/object_decoder.h"

namespace kinf::bench {
namespace {

/// The stages of a pod: created, scheduled, its containers are created, they run, it is ready, it
/// is being deleted, its containers have ended.
enum Stage : std::size_t { kCreated, kScheduled, kCreating, kRunning, kReady, kDeleting, kEnded };

constexpr std::array<std::string_view, 3> kContainers = {"checkout", "proxy", "metrics"};

/// Returns how many variables each container has, so that all pods have about the same size.
std::size_t variables_of(std::size_t containers) { return (36 - 9 * containers) / containers; }

/// Texts that differ from pod to pod as identifiers do.
std::size_t hash_of(std::size_t number) { return (number + 1) * 2654435761u % 4294967291u; }

/// Returns 64 bits without any order, as of a digest.
std::uint64_t random_of(std::uint64_t number) {
  number = (number + 1) * 0x9e3779b97f4a7c15U;
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9U;
  number = (number ^ number >> 27) * 0x94d049bb133111ebU;
  return number ^ number >> 31;
}

std::string digest_of(std::uint64_t number) {
  return fmt::format("{:016x}{:016x}{:016x}{:016x}", random_of(4 * number),
                     random_of(4 * number + 1), random_of(4 * number + 2),
                     random_of(4 * number + 3));
}

std::string name_of(std::size_t number) {
  return fmt::format("checkout-7d4f9b8c66-{:05x}", hash_of(number) % 0xfffff);
}

std::string time_of(std::size_t number, std::size_t stage) {
  const std::size_t seconds = number * 3 + stage * 2;
  return fmt::format("2026-11-21T{:02}:{:02}:{:02}Z", 10 + seconds / 3600 % 12, seconds / 60 % 60,
                     seconds % 60);
}

std::string metadata(std::size_t number, std::size_t stage, std::size_t version) {
  std::string deletion;
  if (stage >= kDeleting) {
    deletion = fmt::format(R"("deletionTimestamp":"{}","deletionGracePeriodSeconds":30,)",
                           time_of(number, kDeleting + 15));
  }
  return fmt::format(
      R"({{"name":"{0}","generateName":"checkout-7d4f9b8c66-","namespace":"shop",)"
      R"("uid":"{1:08x}-55aa-4b1d-9e3f-{2:012x}","resourceVersion":"{3}","generation":{4},)"
      R"("creationTimestamp":"{5}",{6}"labels":{{"app":"checkout",)"
      R"("app.kubernetes.io/instance":"checkout-prod","app.kubernetes.io/version":"v1.31",)"
      R"("pod-template-hash":"7d4f9b8c66","team":"payments"}},"annotations":)"
      R"({{"checksum/config":"{7:064x}","kubectl.kubernetes.io/restartedAt":"2026-11-21T10:00:00Z",)"
      R"("prometheus.io/port":"9102","prometheus.io/scrape":"true"}},"ownerReferences":)"
      R"([{{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"checkout-7d4f9b8c66",)"
      R"("uid":"c24be0ad-8d0f-47d5-8f3e-0b1d2f9a7c32","controller":true,"blockOwnerDeletion":true)"
      R"(}}]}})",
      name_of(number), hash_of(number), number, version, stage >= kDeleting ? 2 : 1,
      time_of(number, kCreated), deletion, hash_of(77));
}

std::string container(std::string_view name, std::size_t variables) {
  std::string env;
  for (std::size_t i = 0; i < variables; ++i) {
    env += fmt::format(
        R"({{"name":"SETTING_{0}","valueFrom":{{"configMapKeyRef":{{"name":"checkout-config",)"
        R"("key":"setting-{0}-{1:x}","optional":true}}}}}},)",
        i, hash_of(i) % 4096);
  }
  return fmt::format(
      R"({{"name":"{0}","image":"registry.example.com/shop/{0}:v1.31","args":["--port=8080",)"
      R"("--log=json"],"ports":[{{"name":"http","containerPort":8080,"protocol":"TCP"}}],"env":[{1})"
      R"({{"name":"NODE","valueFrom":{{"fieldRef":{{"apiVersion":"v1","fieldPath":)"
      R"("spec.nodeName"}}}}}}],"resources":{{"limits":{{"cpu":"1","memory":"512Mi"}},"requests":)"
      R"({{"cpu":"250m","memory":"256Mi"}}}},"volumeMounts":[{{"name":"config","mountPath":)"
      R"("/etc/{0}"}},{{"name":"kube-api-access-x7k2p","readOnly":true,"mountPath":)"
      R"("/var/run/secrets/kubernetes.io/serviceaccount"}}],"livenessProbe":{{"httpGet":)"
      R"({{"path":"/healthz","port":"http","scheme":"HTTP"}},"timeoutSeconds":1,"periodSeconds":10,)"
      R"("successThreshold":1,"failureThreshold":3}},"readinessProbe":{{"httpGet":{{"path":)"
      R"("/ready","port":"http","scheme":"HTTP"}},"timeoutSeconds":1,"periodSeconds":10,)"
      R"("successThreshold":1,"failureThreshold":3}},"terminationMessagePath":)"
      R"("/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":)"
      R"("IfNotPresent"}})",
      name, env);
}

std::string spec(const RolloutPod& pod) {
  const auto [number, stage, version, restarts, count] = pod;
  std::string containers;
  for (std::size_t i = 0; i < count; ++i) {
    containers += (i == 0 ? "" : ",") + container(kContainers.at(i), variables_of(count));
  }
  const std::string node =
      stage < kScheduled ? "" : fmt::format(R"("nodeName":"ip-10-0-{}-17",)", number % 50);
  return fmt::format(
      R"({{"volumes":[{{"name":"config","configMap":{{"name":"checkout-config","defaultMode":420}}}},)"
      R"({{"name":"kube-api-access-x7k2p","projected":{{"sources":[{{"serviceAccountToken":)"
      R"({{"expirationSeconds":3607,"path":"token"}}}},{{"configMap":{{"name":"kube-root-ca.crt",)"
      R"("items":[{{"key":"ca.crt","path":"ca.crt"}}]}}}},{{"downwardAPI":{{"items":[{{"path":)"
      R"("namespace","fieldRef":{{"apiVersion":"v1","fieldPath":"metadata.namespace"}}}}]}}}}],)"
      R"("defaultMode":420}}}}],"containers":[{}],"restartPolicy":"Always",)"
      R"("terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":)"
      R"("checkout","serviceAccount":"checkout",{}"securityContext":{{"fsGroup":2000,"runAsUser":)"
      R"(1000}},"schedulerName":"default-scheduler","tolerations":[{{"key":)"
      R"("node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute",)"
      R"("tolerationSeconds":300}},{{"key":"node.kubernetes.io/unreachable","operator":"Exists",)"
      R"("effect":"NoExecute","tolerationSeconds":300}}],"priority":0,"enableServiceLinks":true,)"
      R"("preemptionPolicy":"PreemptLowerPriority"}})",
      containers, node);
}

std::string condition(std::string_view type, bool holds, const std::string& since,
                      std::size_t generation, bool not_ready = false) {
  return fmt::format(
      R"({{"type":"{}","observedGeneration":{},"status":"{}","lastProbeTime":null,)"
      R"("lastTransitionTime":"{}"{}}})",
      type, generation, holds ? "True" : "False", since,
      not_ready ? R"(,"reason":"ContainersNotReady","message":"containers with unready status: )"
                  R"([checkout]")"
                : "");
}

std::string conditions(std::size_t number, std::size_t stage) {
  const auto at = [&](std::size_t since) { return time_of(number, since); };
  const std::size_t generation = stage >= kDeleting ? 2 : 1;
  const std::string scheduled = condition("PodScheduled", true, at(kScheduled), generation);
  if (stage == kScheduled) return scheduled;
  const bool sandbox = stage >= kRunning && stage != kEnded;
  const bool ready = stage == kReady || stage == kDeleting;
  const std::string since = at(ready ? kReady : stage == kEnded ? kEnded : kCreating);
  return condition("PodReadyToStartContainers", sandbox, at(sandbox ? kRunning : stage),
                   generation) +
         "," + condition("Initialized", true, at(kCreating), generation) + "," +
         condition("Ready", ready, since, generation, !ready) + "," +
         condition("ContainersReady", ready, since, generation, !ready) + "," + scheduled;
}

std::string container_status(const RolloutPod& pod, std::size_t index) {
  const auto [number, stage, version, all_restarts, count] = pod;
  const std::string_view name = kContainers.at(index);
  const std::size_t restarts = index == 0 ? all_restarts : 0;
  const std::string id =
      "containerd://" + digest_of((number * kContainers.size() + index) * 1000 + restarts);
  const std::string started = time_of(number + restarts, kRunning);
  std::string state = R"({"waiting":{"reason":"ContainerCreating"}})";
  if (stage >= kRunning) state = fmt::format(R"({{"running":{{"startedAt":"{}"}}}})", started);
  if (stage == kEnded) {
    state = fmt::format(
        R"({{"terminated":{{"exitCode":0,"reason":"Completed","startedAt":"{}","finishedAt":"{}",)"
        R"("containerID":"{}"}}}})",
        started, time_of(number, kEnded), id);
  }
  const bool ready = stage == kReady || stage == kDeleting;
  const std::string image = stage < kRunning ? ""
                                             : "registry.example.com/shop/" + std::string(name) +
                                                   "@sha256:" + digest_of(name.size());
  return fmt::format(
      R"({{"name":"{}","state":{},"lastState":{{}},"ready":{},"restartCount":{},)"
      R"("image":"registry.example.com/shop/{}:v1.31","imageID":"{}",{}"started":{}}})",
      name, state, ready, restarts, name, image,
      stage < kRunning ? "" : fmt::format(R"("containerID":"{}",)", id), ready);
}

std::string status(const RolloutPod& pod) {
  const auto [number, stage, version, restarts, count] = pod;
  if (stage == kCreated) return R"({"phase":"Pending","qosClass":"Burstable"})";
  std::string text =
      fmt::format(R"({{"phase":"{}","conditions":[{}],)", stage < kRunning ? "Pending" : "Running",
                  conditions(number, stage));
  if (stage >= kCreating) {
    const std::string host = fmt::format("10.0.{}.17", number % 50);
    text += fmt::format(R"("hostIP":"{0}","hostIPs":[{{"ip":"{0}"}}],)", host);
    if (stage >= kRunning) {
      text += fmt::format(R"("podIP":"10.1.{0}.{1}","podIPs":[{{"ip":"10.1.{0}.{1}"}}],)",
                          number / 250 % 250, number % 250);
    }
    std::string containers;
    for (std::size_t i = 0; i < count; ++i) {
      containers += (i == 0 ? "" : ",") + container_status(pod, i);
    }
    text += fmt::format(R"("startTime":"{}","containerStatuses":[{}],)", time_of(number, kCreating),
                        containers);
  }
  return text + R"("qosClass":"Burstable"})";
}

std::string cells(const RolloutPod& pod) {
  const auto [number, stage, version, restarts, count] = pod;
  constexpr std::array kWords = {"Pending", "Pending",     "ContainerCreating", "Running",
                                 "Running", "Terminating", "Completed"};
  const bool ready = stage == kReady || stage == kDeleting;
  return fmt::format(
      R"(["{}","{}/{}","{}","{}","{}s","{}","{}","<none>","<none>"])", name_of(number),
      ready ? count : 0, count, kWords.at(stage), restarts, stage * 2,
      stage < kRunning ? "<none>" : fmt::format("10.1.{}.{}", number / 250 % 250, number % 250),
      stage < kScheduled ? "<none>" : fmt::format("ip-10-0-{}-17", number % 50));
}

std::shared_ptr<const TableColumns> columns() {
  static const auto shared = [] {
    TableColumns all;
    for (const char* name : {"Name", "Ready", "Status", "Restarts", "Age", "IP", "Node",
                             "Nominated Node", "Readiness Gates"}) {
      all.columns.push_back({name, "string", "", "", 0});
    }
    return std::make_shared<const TableColumns>(std::move(all));
  }();
  return shared;
}

Change change_of(ChangeType type, ObjectPtr object) {
  static const Clock::Wall start{std::chrono::seconds(1'795'000'000)};
  static std::int64_t count = 0;
  Change change;
  change.type = type;
  change.key = object->key();
  change.object = std::move(object);
  change.origin.arrived = start + std::chrono::microseconds(++count * 10'123);
  return change;
}

}  // namespace

ResourceType pods_type() { return {{"", "v1", "pods"}, "Pod", "pod", true}; }

ObjectPtr rollout_pod(const RolloutPod& pod) {
  static ObjectDecoder decoder({});
  const std::size_t stage = pod.stage;
  const std::string json =
      fmt::format(R"({{"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{},"status":{}}})",
                  metadata(pod.number, stage, pod.version), spec(pod), status(pod));
  RowCells row;
  const std::string texts = cells(pod);
  row.cells = texts;
  row.columns = columns();
  row.manager = stage == kCreated     ? "kube-controller-manager"
                : stage == kScheduled ? "kube-scheduler"
                                      : "kubelet";
  Result<ObjectPtr> made = decoder.decode(json, row);
  if (!made) std::abort();
  return *std::move(made);
}

std::vector<Change> rollout(std::size_t count, bool updates, std::size_t containers) {
  std::vector<Change> changes;
  std::size_t version = 1'000'000;
  const auto add = [&](ChangeType type, std::size_t number, std::size_t stage) {
    // The other objects of a cluster use versions, too.
    changes.push_back(change_of(type, rollout_pod({.number = number,
                                                   .stage = stage,
                                                   .version = version += 3,
                                                   .containers = containers})));
  };
  for (std::size_t i = 0; i < count; ++i) add(ChangeType::added, i, kReady);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t next = count + i;
    add(ChangeType::added, next, kCreated);
    for (const Stage stage : {kScheduled, kCreating, kRunning, kReady}) {
      if (updates) add(ChangeType::updated, next, stage);
    }
    for (const Stage stage : {kDeleting, kEnded}) {
      if (updates) add(ChangeType::updated, i, stage);
    }
    add(ChangeType::deleted, i, updates ? kEnded : kReady);
  }
  return changes;
}

}  // namespace kinf::bench
