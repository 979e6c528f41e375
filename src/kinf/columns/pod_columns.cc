// SPDX-License-Identifier: Apache-2.0
// The cells of a pod. STATUS combines several sources. Each of these overrides the ones before it:
// the phase, status.reason, the state of the containers, an unfinished initialization, and a
// pending deletion. Behaves like printPod in kubernetes/pkg/printers/internalversion/printers.go.
#include <fmt/format.h>

#include <algorithm>

#include "kinf/columns/fields.h"
#include "kinf/columns/human_duration.h"
#include "kinf/columns/kind_columns.h"

namespace kinf::columns {
namespace {

/// The cells that are computed from the containers of a pod.
struct PodSummary {
  std::string reason;      ///< the STATUS cell
  std::int64_t ready = 0;  ///< containers that are ready
  std::int64_t restarts = 0;
  std::optional<Clock::Wall> last_restart;
};

/// Adds the restarts of one container to `restarts`, and sets `last` if its last restart is newer.
void count_restarts(const Json& container, std::int64_t& restarts,
                    std::optional<Clock::Wall>& last) {
  restarts += number(field(container, "restartCount"));
  const auto finished = time(field(container, "lastState", "terminated", "finishedAt"));
  if (finished && (!last || *last < *finished)) last = finished;
}

/// Returns the STATUS of a terminated container without a reason, from its signal or exit code.
std::string exit_text(const Json& terminated) {
  const std::int64_t signal = number(field(terminated, "signal"));
  if (signal != 0) return fmt::format("Signal:{}", signal);
  return fmt::format("ExitCode:{}", number(field(terminated, "exitCode")));
}

/// Returns whether the init container `name` is a sidecar, which keeps running beside the main
/// containers.
bool is_sidecar(const Json& pod, const std::string& name) {
  const auto& containers = elements(field(pod, "spec", "initContainers"));
  // If two containers have the same name, use the last one.
  const auto found = std::find_if(containers.rbegin(), containers.rend(),
                                  [&](const Json& c) { return text(field(c, "name")) == name; });
  return found != containers.rend() && text(field(*found, "restartPolicy")) == "Always";
}

/// Reads the init containers up to the first that has not completed. Returns whether there is such
/// a container. Sets `sidecars` to the restarts that still count after the initialization.
bool summarize_init(const Json& pod, PodSummary& summary, PodSummary& sidecars) {
  const auto& statuses = elements(field(pod, "status", "initContainerStatuses"));
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const Json& container = statuses[i];
    const bool sidecar = is_sidecar(pod, text(field(container, "name")));
    count_restarts(container, summary.restarts, summary.last_restart);
    if (sidecar) count_restarts(container, sidecars.restarts, sidecars.last_restart);

    const Json& terminated = field(container, "state", "terminated");
    // If this init container is complete, or a started sidecar, look at the next one.
    if (terminated.is_object() && number(field(terminated, "exitCode")) == 0) continue;
    if (sidecar && is_true(field(container, "started"))) {
      if (is_true(field(container, "ready"))) ++summary.ready;
      continue;
    }
    const std::string waiting = text(field(container, "state", "waiting", "reason"));
    if (terminated.is_object()) {
      const std::string reason = text(field(terminated, "reason"));
      summary.reason = "Init:" + (reason.empty() ? exit_text(terminated) : reason);
    } else if (!waiting.empty() && waiting != "PodInitializing") {
      summary.reason = "Init:" + waiting;
    } else {
      summary.reason =
          fmt::format("Init:{}/{}", i, elements(field(pod, "spec", "initContainers")).size());
    }
    return true;
  }
  return false;
}

/// Reads the containers from the last to the first, so that the first one with a reason wins. A
/// completed container does not hide a running or failed one.
void summarize_containers(const Json& pod, PodSummary& summary) {
  const auto& statuses = elements(field(pod, "status", "containerStatuses"));
  bool has_running = false;
  std::string failure;
  for (auto it = statuses.rbegin(); it != statuses.rend(); ++it) {
    count_restarts(*it, summary.restarts, summary.last_restart);
    const std::string waiting = text(field(*it, "state", "waiting", "reason"));
    const Json& terminated = field(*it, "state", "terminated");
    if (!waiting.empty()) {
      summary.reason = waiting;
    } else if (terminated.is_object()) {
      const std::string reason = text(field(terminated, "reason"));
      summary.reason = reason.empty() ? exit_text(terminated) : reason;
      if (number(field(terminated, "exitCode")) != 0) failure = summary.reason;
    } else if (is_true(field(*it, "ready")) && field(*it, "state", "running").is_object()) {
      has_running = true;
      ++summary.ready;
    }
  }
  if (summary.reason == "Completed" && !failure.empty()) {
    summary.reason = failure;
  } else if (summary.reason == "Completed" && has_running) {
    summary.reason = has_condition(pod, "Ready") ? "Running" : "NotReady";
  }
}

/// Computes the counts of containers, and STATUS from its sources in ascending priority.
PodSummary summarize(const Json& pod) {
  const Json& status = field(pod, "status");
  const std::string phase = text(field(status, "phase"));
  PodSummary summary;
  summary.reason = text(field(status, "reason"));
  if (summary.reason.empty()) summary.reason = phase;
  for (const Json& condition : elements(field(status, "conditions"))) {
    if (text(field(condition, "type")) == "PodScheduled" &&
        text(field(condition, "reason")) == "SchedulingGated") {
      summary.reason = "SchedulingGated";
    }
  }
  PodSummary sidecars;
  const bool initializing = summarize_init(pod, summary, sidecars);
  // Restarts of init containers count only during the initialization, except those of sidecars.
  if (!initializing || has_condition(pod, "Initialized")) {
    summary.restarts = sidecars.restarts;
    summary.last_restart = sidecars.last_restart;
    summarize_containers(pod, summary);
  }
  if (!field(pod, "metadata", "deletionTimestamp").is_null()) {
    if (text(field(status, "reason")) == "NodeLost") {
      summary.reason = "Unknown";
    } else if (phase != "Succeeded" && phase != "Failed") {
      summary.reason = "Terminating";
    }
  }
  return summary;
}

/// Returns the number of containers, including sidecars.
std::size_t container_count(const Json& pod) {
  const auto& init = elements(field(pod, "spec", "initContainers"));
  return elements(field(pod, "spec", "containers")).size() +
         static_cast<std::size_t>(std::count_if(init.begin(), init.end(), [](const Json& c) {
           return text(field(c, "restartPolicy")) == "Always";
         }));
}

/// Returns how many readiness gates are True, as in `1/2`.
std::string readiness_gates(const Json& pod) {
  const auto& gates = elements(field(pod, "spec", "readinessGates"));
  if (gates.empty()) return "<none>";
  const auto open = std::ranges::count_if(gates, [&](const Json& gate) {
    return has_condition(pod, text(field(gate, "conditionType")));
  });
  return fmt::format("{}/{}", open, gates.size());
}

/// Returns the first IP address. Older servers set only `podIP`.
std::string pod_ip(const Json& pod) {
  const auto& ips = elements(field(pod, "status", "podIPs"));
  const std::string first = ips.empty() ? "" : text(field(ips.front(), "ip"));
  return first.empty() ? text(field(pod, "status", "podIP")) : first;
}

}  // namespace

Json pod_cells(const Json& pod, Clock::Wall now) {
  const PodSummary summary = summarize(pod);
  std::string restarts = std::to_string(summary.restarts);
  if (summary.restarts != 0 && summary.last_restart) {
    restarts += fmt::format(" ({} ago)", human_age(*summary.last_restart, now));
  }
  return Json::array(
      {name_of(pod), fmt::format("{}/{}", summary.ready, container_count(pod)), summary.reason,
       restarts, age(pod, now), or_none(pod_ip(pod)), or_none(text(field(pod, "spec", "nodeName"))),
       or_none(text(field(pod, "status", "nominatedNodeName"))), readiness_gates(pod)});
}

}  // namespace kinf::columns
