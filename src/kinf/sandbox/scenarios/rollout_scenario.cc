// SPDX-License-Identifier: Apache-2.0
// The steps of a rolling update, as the controllers of a real cluster perform them with maxSurge 1
// and maxUnavailable 0.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "kinf/sandbox/scenarios/built_in_scenarios.h"
#include "kinf/sandbox/scenarios/scenario_objects.h"

namespace kinf::sandbox {
namespace {

constexpr int kWanted = 3;
constexpr const char* kDeploymentUid = "8d0c6f0a-54b3-4c6b-8a54-3f2f3d3c1a10";

Json controlled_by(const char* kind, const std::string& name, const std::string& uid) {
  return {{"apiVersion", "apps/v1"},
          {"kind", kind},
          {"name", name},
          {"uid", uid},
          {"controller", true},
          {"blockOwnerDeletion", true}};
}

/// A ReplicaSet of the Deployment `web` and its pods.
struct RolloutSet {
  std::string hash;
  std::string uid;
  std::string image;
  int revision;
  std::array<const char*, kWanted> suffixes;
  int first_ip;

  std::string name() const { return "web-" + hash; }
  Json labels() const { return {{"app", "web"}, {"pod-template-hash", hash}}; }
  ScenarioPod pod(int number) const {
    return {name() + "-" + suffixes.at(static_cast<std::size_t>(number)),
            labels(),
            "web",
            image,
            fmt::format("198.51.100.{}", first_ip + number),
            controlled_by("ReplicaSet", name(), uid),
            fmt::format("5d0b7c1e-3a64-4f0a-8c55-{:012}", first_ip + number)};
  }
};

const RolloutSet kOld = {"6b7c8d9f54",
                         "1f7a2c52-0c58-4be5-9d0a-6f0e5a7f1b21",
                         "web:1",
                         1,
                         {"2xkvp", "8jzqd", "tn5lw"},
                         31};
const RolloutSet kNew = {"7d4f9b8c66",
                         "c24be0ad-8d0f-47d5-8f3e-0b1d2f9a7c32",
                         "web:2",
                         2,
                         {"4hrmx", "9cwbk", "zl6ds"},
                         41};

Json rollout_template(const RolloutSet& set, Json labels) {
  return {{"metadata", {{"labels", std::move(labels)}}},
          {"spec", {{"containers", Json::array({{{"name", "web"}, {"image", set.image}}})}}}};
}

Json cause_of(const RolloutSet& set) {
  return {{"deployment.kubernetes.io/revision", std::to_string(set.revision)},
          {"kubernetes.io/change-cause", "image " + set.image}};
}

Json set_status(int present, int ready, int generation) {
  return {{"replicas", present},
          {"fullyLabeledReplicas", present},
          {"readyReplicas", ready},
          {"availableReplicas", ready},
          {"observedGeneration", generation}};
}

Json set_object(const RolloutSet& set, int replicas, const char* since) {
  Json annotations = cause_of(set);
  annotations["deployment.kubernetes.io/desired-replicas"] = "3";
  annotations["deployment.kubernetes.io/max-replicas"] = "4";
  return scenario_object(
      "apps/v1", "ReplicaSet", set.name(),
      {{"metadata",
        {{"uid", set.uid},
         {"creationTimestamp", since},
         {"labels", set.labels()},
         {"annotations", std::move(annotations)},
         {"ownerReferences", Json::array({controlled_by("Deployment", "web", kDeploymentUid)})}}},
       {"spec",
        {{"replicas", replicas},
         {"selector", {{"matchLabels", set.labels()}}},
         {"template", rollout_template(set, set.labels())}}}});
}

/// Returns the status of the Deployment. `updated`, `total` and `ready` count pods. `done` means
/// that the rollout is complete.
Json deployment_status(int generation, int updated, int total, int ready, const RolloutSet& towards,
                       bool done) {
  Json progressing = condition_json("Progressing", true, kNow);
  progressing["lastUpdateTime"] = kNow;
  progressing["reason"] = done ? "NewReplicaSetAvailable" : "ReplicaSetUpdated";
  progressing["message"] = fmt::format("ReplicaSet \"{}\" {}.", towards.name(),
                                       done ? "has successfully progressed" : "is progressing");
  Json available = condition_json("Available", true, kThreeDaysAgo);
  available["lastUpdateTime"] = kThreeDaysAgo;
  available["reason"] = "MinimumReplicasAvailable";
  available["message"] = "Deployment has minimum availability.";
  const int missing = total - ready;
  return {{"observedGeneration", generation},
          {"replicas", total},
          {"updatedReplicas", updated},
          {"readyReplicas", ready},
          {"availableReplicas", ready},
          {"unavailableReplicas", missing > 0 ? Json(missing) : Json(nullptr)},
          {"conditions", Json::array({std::move(available), std::move(progressing)})}};
}

Json deployment_object() {
  Json status = deployment_status(1, kWanted, kWanted, kWanted, kOld, true);
  status.erase("unavailableReplicas");
  return scenario_object("apps/v1", "Deployment", "web",
                         {{"metadata",
                           {{"uid", kDeploymentUid},
                            {"creationTimestamp", kThreeDaysAgo},
                            {"labels", {{"app", "web"}}},
                            {"annotations", cause_of(kOld)}}},
                          {"spec",
                           {{"replicas", kWanted},
                            {"selector", {{"matchLabels", {{"app", "web"}}}}},
                            {"template", rollout_template(kOld, {{"app", "web"}})}}},
                          {"status", std::move(status)}});
}

class Rollout {
 public:
  std::vector<ScenarioStep> steps() {
    say(Millis(200), "Deployment", "web",
        {{"metadata", {{"annotations", {{"kubernetes.io/change-cause", "image web:2"}}}}},
         {"spec", {{"template", rollout_template(kNew, {{"app", "web"}})}}}});
    for (int i = 0; i < kWanted; ++i) replace_pod(i, Millis(500) + i * std::chrono::seconds(5));
    report(Millis(15'700), kWanted, kWanted, kWanted, true);
    return std::move(steps_);
  }

 private:
  void say(Millis at, const char* kind, const std::string& name, const Json& members) {
    steps_.push_back(patch_step(at, "apps/v1", kind, name, members));
  }
  void report(Millis at, int updated, int total, int ready, bool done) {
    say(at, "Deployment", "web",
        {{"metadata", {{"annotations", {{"deployment.kubernetes.io/revision", "2"}}}}},
         {"status", deployment_status(2, updated, total, ready, kNew, done)}});
  }

  /// Adds the Event that says that the Deployment changes the number of pods of `set`.
  void scaled(Millis at, const RolloutSet& set, const char* direction, int before, int after) {
    steps_.push_back(events_.record(
        at, {.api_version = "apps/v1", .kind = "Deployment", .name = "web", .uid = kDeploymentUid},
        {.reason = "ScalingReplicaSet",
         .message = fmt::format("Scaled {} replica set {} from {} to {}", direction, set.name(),
                                before, after),
         .component = "deployment-controller"}));
  }
  void replica_set_says(Millis at, const RolloutSet& set, const char* reason,
                        const std::string& message) {
    steps_.push_back(events_.record(
        at, {.api_version = "apps/v1", .kind = "ReplicaSet", .name = set.name(), .uid = set.uid},
        {.reason = reason, .message = message, .component = "replicaset-controller"}));
  }

  /// Starts new pod `i` at time `at` and deletes old pod `i` when the new pod is running.
  void replace_pod(int i, Millis at) {
    const ScenarioPod comes = kNew.pod(i);
    const ScenarioPod goes = kOld.pod(i);
    const int left = kWanted - 1 - i;
    const int generation = i + 1;  // generation of the new ReplicaSet; the old one has i + 2
    if (i == 0) {
      steps_.push_back({at, StepAction::apply, set_object(kNew, 1, kNow)});
    } else {
      say(at, "ReplicaSet", kNew.name(), {{"spec", {{"replicas", i + 1}}}});
    }
    scaled(at + Millis(50), kNew, "up", i, i + 1);
    steps_.push_back({at + Millis(100), StepAction::apply, new_pod(comes)});
    replica_set_says(at + Millis(120), kNew, "SuccessfulCreate", "Created pod: " + comes.name);
    say(at + Millis(150), "ReplicaSet", kNew.name(),
        {{"status", set_status(i + 1, i, generation)}});
    report(at + Millis(200), i + 1, kWanted + 1, kWanted, false);
    steps_.push_back(events_.scheduled(at + Millis(250), comes));
    steps_.push_back(schedule_pod_step(at + Millis(300), comes));
    steps_.push_back(events_.pulled(at + Millis(1700), comes));
    steps_.push_back(events_.created(at + Millis(1800), comes));
    steps_.push_back(events_.started(at + Millis(1900), comes));
    steps_.push_back(start_pod_step(at + Millis(2000), comes));
    say(at + Millis(2100), "ReplicaSet", kNew.name(),
        {{"status", set_status(i + 1, i + 1, generation)}});
    report(at + Millis(2200), i + 1, kWanted + 1, kWanted + 1, false);
    say(at + Millis(2300), "ReplicaSet", kOld.name(), {{"spec", {{"replicas", left}}}});
    scaled(at + Millis(2350), kOld, "down", left + 1, left);
    std::vector<ScenarioStep> end = delete_pod_steps(at + Millis(2400), goes);
    steps_.push_back(std::move(end[0]));
    replica_set_says(at + Millis(2420), kOld, "SuccessfulDelete", "Deleted pod: " + goes.name);
    steps_.push_back(events_.killing(at + Millis(2450), goes));
    say(at + Millis(2500), "ReplicaSet", kOld.name(), {{"status", set_status(left, left, i + 2)}});
    report(at + Millis(2600), i + 1, kWanted, kWanted, false);
    steps_.push_back(std::move(end[1]));
  }

  std::vector<ScenarioStep> steps_;
  EventRecorder events_;
};

}  // namespace

Scenario rollout_scenario() {
  Scenario scenario;
  Json old_set = set_object(kOld, kWanted, kThreeDaysAgo);
  old_set["status"] = set_status(kWanted, kWanted, 1);
  scenario.initial = {node_json("node-1"), deployment_object(), std::move(old_set)};
  for (int i = 0; i < kWanted; ++i) {
    scenario.initial.push_back(running_pod(kOld.pod(i), kThreeDaysAgo));
  }
  scenario.steps = Rollout().steps();
  return scenario;
}

}  // namespace kinf::sandbox
