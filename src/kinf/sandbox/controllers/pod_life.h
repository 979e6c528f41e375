// SPDX-License-Identifier: Apache-2.0
// PodLife: one pod on a node, from its first status to its end, in the steps of a kubelet: the pod
// sandbox, init containers, containers, readiness, exits, restarts with back-off, and termination.
// Each step changes the status once. Source: kubernetes pkg/kubelet (kubelet_pods.go, status).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kinf/sandbox/controllers/cluster.h"
#include "kinf/sandbox/controllers/container_program.h"

namespace kinf::sandbox {

constexpr const char* kKubeletName = "kubelet";

/// Has no clock: the caller passes the time. Threads: not thread-safe.
class PodLife {
 public:
  struct Setting {
    std::string host_ip;
    std::string pod_ip;
    double speed = 1;  ///< speed factor; 2 halves all delays
  };

  /// Continues from the status that the pod already has.
  PodLife(const Json& pod, Setting setting, Clock::Mono now);

  /// Applies the changes of a client: new images of containers, or the deletion of the pod.
  void update(const Json& pod, Clock::Mono now);
  /// Sets why the volumes cannot be mounted; empty if they can. Until then no container starts.
  /// Call before step() while needs_volumes() is true.
  void set_mount_problem(std::string problem) { mount_problem_ = std::move(problem); }
  bool needs_volumes() const { return stage_ == Stage::creating; }
  /// Returns when the next step is due.
  Clock::Mono next() const;
  /// Performs the steps that are due. `wall` is the timestamp to write into the status.
  void step(Clock::Mono now, const std::string& wall);
  /// Returns the Events that were added since the last call.
  std::vector<EventDetails> take_events() { return std::exchange(events_, {}); }
  /// Returns the status after the last step. Keeps members and conditions that other components
  /// have added.
  Json status(const Json& pod) const;
  /// Returns whether the deleted pod has ended, so that it can be removed.
  bool is_over() const { return stage_ == Stage::over; }

 private:
  enum class Stage {
    accepted,    ///< the pod has no status yet
    creating,    ///< the pod sandbox is being created
    prepared,    ///< the pod sandbox is ready; containers start, run and end
    ended,       ///< all containers have ended for good
    finished,    ///< the containers have ended, and the pod sandbox was removed
    stopping,    ///< deleted; the containers are being stopped
    stopped,     ///< deleted; the containers have ended
    dismantled,  ///< deleted; the pod sandbox was removed
    over,        ///< deleted; the pod can be removed
  };
  enum class Due { nothing, start, exit, back_off, restart };

  struct Container {
    Json spec;
    bool is_init = false;
    bool is_sidecar = false;  ///< an init container with restartPolicy Always
    Json state;
    Json last_state = Json::object();
    std::int64_t restarts = 0;
    bool ready = false;
    std::string image;  ///< the image of the current run
    Due due = Due::nothing;
    Clock::Mono at = Clock::kNever;        ///< when `due` happens
    Clock::Mono ready_at = Clock::kNever;  ///< when the readiness probe succeeds
    Clock::Mono started{};
    Clock::Mono ended{};
    std::chrono::seconds back_off{0};  ///< the delay before the next restart

    bool runs() const { return state.contains("running"); }
    bool has_ended() const { return state.contains("terminated"); }
    bool has_succeeded() const;
    bool is_new() const { return !runs() && !has_ended() && last_state.empty(); }
    std::string name() const { return text(field(spec, "name")); }
    std::string part() const;
    void plan(Due what, Clock::Mono when) {
      due = what;
      at = when;
    }
  };

  void import(const Json& pod);
  void import_container(Container& container, const Json& status);
  void begin_deletion();
  void advance_stage();
  void retry_mount();
  void act(Container& container);
  void start(Container& container);
  void end(Container& container, int code);
  void plan_restart(Container& container);
  void back_off(Container& container);
  void proceed();
  void record_conditions();
  void set_condition(const char* type, bool holds, const std::string& reason = "",
                     const std::string& message = "");
  void note(const Container& container, const char* type, const char* reason, std::string message);

  Clock::Duration scaled(std::chrono::duration<double> delay) const;
  Clock::Mono after(std::chrono::duration<double> delay) const { return now_ + scaled(delay); }
  bool restarts_after(const Container& container, int code) const;
  bool is_initialized() const;
  bool has_ended() const;
  std::string phase() const;
  std::string main_phase() const;
  Json container_status(const Container& container) const;
  std::string names_of_unready(bool init) const;

  Setting setting_;
  Json pod_;
  std::vector<Container> containers_;  ///< all containers, init containers first
  Stage stage_ = Stage::accepted;
  Clock::Mono stage_at_ = Clock::kNever;  ///< when the next stage is due
  std::string mount_problem_;
  std::chrono::duration<double> mount_delay_{0.5};  ///< until the next attempt to mount
  Clock::Mono now_{};                               ///< the time of the current call
  std::string wall_;
  std::string start_time_;
  Json conditions_ = Json::array();
  std::vector<EventDetails> events_;
};

}  // namespace kinf::sandbox
