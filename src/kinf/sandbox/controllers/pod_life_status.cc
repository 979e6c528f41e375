// SPDX-License-Identifier: Apache-2.0
// The status of a PodLife: phase, conditions and container statuses.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "kinf/base/random.h"
#include "kinf/sandbox/controllers/pod_life.h"

namespace kinf::sandbox {
namespace {

/// The conditions that the kubelet writes. PodScheduled is the scheduler's.
constexpr std::array kOwnConditions = {"PodReadyToStartContainers", "Initialized", "Ready",
                                       "ContainersReady"};

/// Returns a made-up digest that is always the same for the same text.
std::string digest(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  Random random(hash);
  return fmt::format("{:016x}{:016x}{:016x}{:016x}", random.next(), random.next(), random.next(),
                     random.next());
}

Json* find_condition(Json& conditions, std::string_view type) {
  for (Json& each : conditions) {
    if (text(field(each, "type")) == type) return &each;
  }
  return nullptr;
}

}  // namespace

bool PodLife::is_initialized() const {
  return std::ranges::all_of(containers_, [](const Container& each) {
    return !each.is_init || (each.is_sidecar ? !each.is_new() : each.has_succeeded());
  });
}

/// Returns true if no container runs and none will be restarted.
bool PodLife::has_ended() const {
  const auto is_final = [&](const Container& each) {
    const Json& code = field(each.state, "terminated", "exitCode");
    return code.is_number_integer() && !restarts_after(each, code.get<int>());
  };
  const bool init_failed = std::ranges::any_of(containers_, [&](const Container& each) {
    return each.is_init && is_final(each) && !each.has_succeeded();
  });
  return init_failed || std::ranges::all_of(containers_, [&](const Container& each) {
           return each.is_init || is_final(each);
         });
}

std::string PodLife::phase() const {
  if (!is_initialized()) {
    return has_ended() && stage_ >= Stage::ended ? "Failed" : "Pending";
  }
  return main_phase();
}

std::string PodLife::main_phase() const {
  bool is_new = false;
  bool runs = false;
  bool failed = false;
  for (const Container& each : containers_) {
    if (each.is_init) continue;
    is_new = is_new || each.is_new();
    runs = runs || each.runs();
    failed = failed || !each.has_succeeded();
  }
  if (is_new) return "Pending";
  if (runs || (stage_ < Stage::ended && !has_ended())) return "Running";
  return failed ? "Failed" : "Succeeded";
}

void PodLife::set_condition(const char* type, bool holds, const std::string& reason,
                            const std::string& message) {
  const char* status = holds ? "True" : "False";
  Json condition = {{"type", type}};
  const Json& generation = field(pod_, "metadata", "generation");
  if (!generation.is_null()) condition["observedGeneration"] = generation;
  condition["status"] = status;
  condition["lastProbeTime"] = nullptr;
  condition["lastTransitionTime"] = wall_;
  if (!reason.empty()) condition["reason"] = reason;
  if (!message.empty()) condition["message"] = message;
  Json* old = find_condition(conditions_, type);
  if (old == nullptr) {
    conditions_.push_back(std::move(condition));
    return;
  }
  if (field(*old, "status") == Json(status)) {
    condition["lastTransitionTime"] = field(*old, "lastTransitionTime");
  }
  *old = std::move(condition);
}

std::string PodLife::names_of_unready(bool init) const {
  std::vector<std::string> names;
  for (const Container& each : containers_) {
    if (each.is_init == init && !each.ready) names.push_back(each.name());
  }
  return fmt::format("[{}]", fmt::join(names, " "));
}

void PodLife::record_conditions() {
  const bool has_sandbox = stage_ == Stage::prepared || stage_ == Stage::ended ||
                           stage_ == Stage::stopping || stage_ == Stage::stopped;
  set_condition(kOwnConditions[0], has_sandbox);
  const bool initialized = is_initialized();
  const std::string now = phase();
  const bool completed = now == "Succeeded";
  set_condition(kOwnConditions[1], initialized,
                initialized ? (completed ? "PodCompleted" : "") : "ContainersNotInitialized",
                initialized ? "" : "containers with incomplete status: " + names_of_unready(true));
  const bool ready = initialized && std::ranges::all_of(containers_, [](const Container& each) {
                       return each.ready || (each.is_init && !each.is_sidecar);
                     });
  std::string reason;
  std::string message;
  if (completed || now == "Failed") {
    reason = completed ? "PodCompleted" : "PodFailed";
  } else if (!ready) {
    reason = "ContainersNotReady";
    message = "containers with unready status: " + names_of_unready(false);
  }
  set_condition(kOwnConditions[2], ready, reason, message);
  set_condition(kOwnConditions[3], ready, reason, message);
}

Json PodLife::container_status(const Container& container) const {
  const bool has_run = !container.is_new();
  const std::string image =
      container.image.empty() ? text(field(container.spec, "image")) : container.image;
  Json result = {{"name", container.name()},
                 {"state", container.state},
                 {"lastState", container.last_state},
                 {"ready", container.ready},
                 {"restartCount", container.restarts},
                 {"image", image},
                 {"imageID", has_run ? "sandbox://sha256:" + digest(image) : ""}};
  if (has_run) {
    const std::string uid = text(field(pod_, "metadata", "uid"));
    result["containerID"] =
        "sandbox://" + digest(fmt::format("{}/{}/{}", uid, container.name(), container.restarts));
  }
  result["started"] = container.runs();
  return result;
}

Json PodLife::status(const Json& pod) const {
  Json result = Json::object();
  const Json& generation = field(pod, "metadata", "generation");
  if (!generation.is_null()) result["observedGeneration"] = generation;
  result["phase"] = phase();
  // What others have written stays.
  Json conditions = conditions_;
  for (const Json& each : elements(field(pod, "status", "conditions"))) {
    const std::string type = text(field(each, "type"));
    if (std::ranges::find(kOwnConditions, type) != kOwnConditions.end()) continue;
    Json* mine = find_condition(conditions, type);
    if (mine != nullptr) {
      *mine = each;
    } else {
      conditions.push_back(each);
    }
  }
  result["conditions"] = std::move(conditions);
  result["hostIP"] = setting_.host_ip;
  result["hostIPs"] = Json::array({{{"ip", setting_.host_ip}}});
  if (stage_ > Stage::creating && !setting_.pod_ip.empty()) {
    result["podIP"] = setting_.pod_ip;
    result["podIPs"] = Json::array({{{"ip", setting_.pod_ip}}});
  }
  if (!start_time_.empty()) result["startTime"] = start_time_;
  Json init = Json::array();
  Json main = Json::array();
  for (const Container& each : containers_) {
    (each.is_init ? init : main).push_back(container_status(each));
  }
  if (!init.empty()) result["initContainerStatuses"] = std::move(init);
  result["containerStatuses"] = std::move(main);
  const Json& before = field(pod, "status");
  if (before.is_object()) {
    for (const auto& [key, value] : before.items()) {
      if (!result.contains(key)) result[key] = value;
    }
  }
  return result;
}

}  // namespace kinf::sandbox
