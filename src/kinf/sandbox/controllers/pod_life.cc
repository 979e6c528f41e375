// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/pod_life.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "kinf/base/random.h"
#include "kinf/sandbox/api/object_condition.h"
#include "kinf/sandbox/api/object_deletion.h"

namespace kinf::sandbox {
namespace {

using Seconds = std::chrono::duration<double>;

// The delays of a small node, at speed 1.
constexpr Seconds kAccept(0.05);    ///< from the binding to the first status
constexpr Seconds kPrepare(0.4);    ///< to create the pod sandbox
constexpr Seconds kStart(0.8);      ///< to create and start the containers
constexpr Seconds kRestart(1);      ///< from an exit to the restart or the back-off
constexpr Seconds kStop(1);         ///< from SIGTERM to the end of a container
constexpr Seconds kDismantle(0.2);  ///< to remove the pod sandbox, and then the pod
constexpr std::chrono::seconds kFirstBackOff(10);
constexpr std::chrono::seconds kLastBackOff(300);
constexpr Seconds kLastMountDelay(122);
/// A container that has run this long restarts without back-off.
constexpr Seconds kHealthy(600);

Json waiting(const std::string& reason, const std::string& message = "") {
  Json state = {{"reason", reason}};
  if (!message.empty()) state["message"] = message;
  return {{"waiting", std::move(state)}};
}

/// Returns the time from the start of a container until its readiness probe succeeds. Returns
/// nullopt if it has no probe.
std::optional<Seconds> readiness_delay(const Json& container) {
  const Json& probe = field(container, "readinessProbe");
  if (!probe.is_object()) return std::nullopt;
  const std::int64_t more = integer_or(field(probe, "successThreshold"), 1) - 1;
  const std::int64_t delay = integer_or(field(probe, "initialDelaySeconds"), 0) +
                             more * integer_or(field(probe, "periodSeconds"), 10);
  return Seconds(std::clamp<std::int64_t>(delay, 1, 86'400));
}

/// The conditions that the kubelet writes. The scheduler writes PodScheduled.
constexpr std::array kOwnConditions = {"PodReadyToStartContainers", "Initialized", "Ready",
                                       "ContainersReady"};

/// Returns an invented digest, which is always the same for the same text.
std::string digest(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a hash
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  Random random(hash);
  return fmt::format("{:016x}{:016x}{:016x}{:016x}", random.next(), random.next(), random.next(),
                     random.next());
}

}  // namespace

bool PodLife::Container::has_succeeded() const {
  return field(state, "terminated", "exitCode") == Json(0);
}

std::string PodLife::Container::part() const {
  return fmt::format("spec.{}{{{}}}", is_init ? "initContainers" : "containers", name());
}

PodLife::PodLife(const Json& pod, Setting setting, Clock::Mono now)
    : setting_(std::move(setting)), pod_(pod), now_(now) {
  const bool has_init = !elements(field(pod, "spec", "initContainers")).empty();
  for (const char* list : {"initContainers", "containers"}) {
    for (const Json& spec : elements(field(pod, "spec", list))) {
      Container container;
      container.spec = spec;
      container.is_init = list == std::string_view("initContainers");
      container.is_sidecar = container.is_init && text(field(spec, "restartPolicy")) == "Always";
      container.state = waiting(has_init ? "PodInitializing" : "ContainerCreating");
      containers_.push_back(std::move(container));
    }
  }
  stage_at_ = after(kAccept);
  import(pod);
  update(pod, now);
}

/// Restores the state from a status that an earlier process has written.
void PodLife::import(const Json& pod) {
  const Json& status = field(pod, "status");
  conditions_ = elements(field(status, "conditions"));
  start_time_ = text(field(status, "startTime"));
  if (start_time_.empty()) return;
  const std::string ip = text(field(status, "podIP"));
  if (ip.empty()) {
    stage_ = Stage::creating;
    stage_at_ = after(kPrepare);
    return;
  }
  setting_.pod_ip = ip;
  stage_ = Stage::prepared;
  stage_at_ = Clock::kNever;
  for (Container& container : containers_) {
    const char* list = container.is_init ? "initContainerStatuses" : "containerStatuses";
    for (const Json& each : elements(field(status, list))) {
      if (text(field(each, "name")) == container.name()) import_container(container, each);
    }
  }
  proceed();
}

void PodLife::import_container(Container& container, const Json& status) {
  if (!field(status, "state").empty()) container.state = field(status, "state");
  if (field(status, "lastState").is_object()) container.last_state = field(status, "lastState");
  container.restarts = integer_or(field(status, "restartCount"), 0);
  container.ready = field(status, "ready") == Json(true);
  container.image = text(field(status, "image"));
  container.started = container.ended = now_;
  if (container.restarts > 0) container.back_off = kFirstBackOff;
  const ContainerProgram program = program_of(pod_, container.spec, container.is_init);
  if (container.runs() && program.runs) {
    container.plan(Due::exit, after(*program.runs));
  } else if (container.runs() && !container.ready) {
    container.ready_at = after(readiness_delay(container.spec).value_or(Seconds(0)));
  } else if (container.has_ended()) {
    plan_restart(container);
  } else if (!container.last_state.empty()) {
    container.plan(Due::restart, after(container.back_off));
  }
}

void PodLife::update(const Json& pod, Clock::Mono now) {
  now_ = now;
  pod_ = pod;
  for (Container& container : containers_) {
    const char* list = container.is_init ? "initContainers" : "containers";
    for (const Json& spec : elements(field(pod, "spec", list))) {
      if (text(field(spec, "name")) == container.name()) container.spec = spec;
    }
    const bool is_other = text(field(container.spec, "image")) != container.image;
    if (container.runs() && is_other && !container.is_init && stage_ == Stage::prepared) {
      note(container, "Normal", "Killing",
           fmt::format("Container {} definition changed, will be restarted", container.name()));
      container.back_off = {};
      container.image = text(field(container.spec, "image"));
      container.plan(Due::exit, after(kStop));
    }
  }
  if (is_deleting(pod) && stage_ < Stage::stopping) begin_deletion();
}

void PodLife::begin_deletion() {
  const Seconds grace(std::clamp<std::int64_t>(
      integer_or(field(pod_, "metadata", "deletionGracePeriodSeconds"), 0), 0, 86'400));
  const bool any_runs = std::ranges::any_of(containers_, &Container::runs);
  stage_ = any_runs ? Stage::stopping : Stage::stopped;
  stage_at_ = after(any_runs ? std::min(kStop, grace) : kDismantle);
  for (Container& container : containers_) {
    container.plan(Due::nothing, Clock::kNever);
    container.ready_at = Clock::kNever;
    if (!container.runs()) continue;
    note(container, "Normal", "Killing", "Stopping container " + container.name());
  }
}

Clock::Mono PodLife::next() const {
  Clock::Mono first = stage_at_;
  for (const Container& container : containers_) {
    first = std::min({first, container.at, container.ready_at});
  }
  return first;
}

void PodLife::step(Clock::Mono now, const std::string& wall) {
  now_ = now;
  wall_ = wall;
  if (stage_at_ <= now) {
    advance_stage();
  } else {
    for (Container& container : containers_) {
      if (container.ready_at <= now) {
        container.ready_at = Clock::kNever;
        container.ready = container.runs();
      }
      if (container.at <= now) act(container);
    }
  }
  proceed();
  record_conditions();
}

void PodLife::advance_stage() {
  if (needs_volumes() && !mount_problem_.empty()) return retry_mount();
  const bool is_deletion = stage_ >= Stage::stopping;
  stage_ = static_cast<Stage>(static_cast<int>(stage_) + 1);
  stage_at_ = Clock::kNever;
  if (stage_ == Stage::creating) {
    start_time_ = wall_;
    stage_at_ = after(kPrepare);
  } else if (stage_ == Stage::stopped) {
    for (Container& container : containers_) {
      if (container.runs()) end(container, 0);
    }
  }
  if (is_deletion && stage_ != Stage::over) stage_at_ = after(kDismantle);
}

/// Reports that the volumes could not be mounted, and plans the next attempt.
void PodLife::retry_mount() {
  events_.push_back({"Warning", "FailedMount", mount_problem_, kKubeletName,
                     text(field(pod_, "spec", "nodeName"))});
  stage_at_ = after(mount_delay_);
  mount_delay_ = std::min(2 * mount_delay_, kLastMountDelay);
}

void PodLife::act(Container& container) {
  const Due due = container.due;
  container.plan(Due::nothing, Clock::kNever);
  if (due == Due::start) {
    start(container);
  } else if (due == Due::restart) {
    ++container.restarts;
    start(container);
  } else if (due == Due::back_off) {
    back_off(container);
  } else if (due == Due::exit) {
    const ContainerProgram program = program_of(pod_, container.spec, container.is_init);
    end(container, program.runs ? program.exit_code : 0);
    plan_restart(container);
  }
}

void PodLife::start(Container& container) {
  if (container.has_ended()) container.last_state = container.state;
  container.image = text(field(container.spec, "image"));
  container.state = {{"running", {{"startedAt", wall_}}}};
  container.started = now_;
  const std::optional<Seconds> delay = readiness_delay(container.spec);
  container.ready = !delay;
  container.ready_at = delay ? after(*delay) : Clock::kNever;
  const ContainerProgram program = program_of(pod_, container.spec, container.is_init);
  if (program.runs && !container.is_sidecar) {
    container.plan(Due::exit, after(*program.runs));
  }
  note(container, "Normal", "Pulled",
       fmt::format("Container image \"{}\" already present on machine", container.image));
  note(container, "Normal", "Created", "Created container: " + container.name());
  note(container, "Normal", "Started", "Started container " + container.name());
}

void PodLife::end(Container& container, int code) {
  const Json started = field(container.state, "running", "startedAt");
  container.state = {{"terminated",
                      {{"exitCode", code},
                       {"reason", code == 0 ? "Completed" : "Error"},
                       {"startedAt", started},
                       {"finishedAt", wall_}}}};
  container.ready = container.is_init && code == 0;
  container.ready_at = Clock::kNever;
  container.ended = now_;
}

/// Plans the restart of a container that has ended, if the container restarts. The first restart
/// has no back-off. Later restarts wait for 10 s, 20 s, 40 s, … up to 5 minutes.
void PodLife::plan_restart(Container& container) {
  const auto code = integer_or(field(container.state, "terminated", "exitCode"), 0);
  if (!restarts_after(container, static_cast<int>(code))) return;
  if (container.ended - container.started >= scaled(kHealthy)) container.back_off = {};
  const bool is_first = container.back_off.count() == 0;
  if (is_first) container.back_off = kFirstBackOff;
  container.plan(is_first ? Due::restart : Due::back_off, after(kRestart));
}

void PodLife::back_off(Container& container) {
  const std::string pod =
      fmt::format("{}_{}", name_of(pod_), text(field(pod_, "metadata", "namespace")));
  const std::string uid = uid_of(pod_);
  container.last_state = container.state;
  container.state = waiting("CrashLoopBackOff",
                            fmt::format("back-off {} restarting failed container={} pod={}({})",
                                        container.back_off.count() < 60
                                            ? fmt::format("{}s", container.back_off.count())
                                            : fmt::format("{}m{}s", container.back_off.count() / 60,
                                                          container.back_off.count() % 60),
                                        container.name(), pod, uid));
  note(container, "Warning", "BackOff",
       fmt::format("Back-off restarting failed container {} in pod {}({})", container.name(), pod,
                   uid));
  container.plan(Due::restart,
                 std::max(now_, container.ended + scaled(Seconds(container.back_off))));
  container.back_off = std::min(container.back_off * 2, kLastBackOff);
}

/// Plans the next step, which depends on the states of the containers: start the next init
/// container, start the other containers, or end the pod.
void PodLife::proceed() {
  if (stage_ != Stage::prepared) return;
  for (Container& container : containers_) {
    const bool is_done =
        container.is_sidecar ? container.runs() : container.is_init && container.has_succeeded();
    if (is_done) continue;
    if (container.is_new() && container.due == Due::nothing) {
      container.plan(Due::start, after(kStart));
    }
    if (container.is_init) break;
  }
  if (!has_ended()) return;
  for (Container& container : containers_) {
    if (container.is_sidecar && container.runs()) end(container, 0);
    container.plan(Due::nothing, Clock::kNever);
  }
  stage_ = Stage::ended;
  stage_at_ = after(kDismantle);
}

void PodLife::note(const Container& container, const char* type, const char* reason,
                   std::string message) {
  events_.push_back({type, reason, std::move(message), kKubeletName,
                     text(field(pod_, "spec", "nodeName")), container.part()});
}

Clock::Duration PodLife::scaled(Seconds delay) const {
  return std::chrono::duration_cast<Clock::Duration>(delay / setting_.speed);
}

bool PodLife::restarts_after(const Container& container, int code) const {
  const std::string policy = text(field(pod_, "spec", "restartPolicy"));
  if (container.is_sidecar) return true;
  if (container.is_init) return code != 0 && policy != "Never";
  return policy != "Never" && (policy != "OnFailure" || code != 0);
}

// The functions below compute the status: phase, conditions and container statuses.

bool PodLife::is_initialized() const {
  return std::ranges::all_of(containers_, [](const Container& each) {
    return !each.is_init || (each.is_sidecar ? !each.is_new() : each.has_succeeded());
  });
}

/// Returns whether an init container has failed for good, or all other containers have ended for
/// good.
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
  put_condition(conditions_, std::move(condition));
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
    const std::string uid = uid_of(pod_);
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
  // Keep the conditions that other components have written.
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
