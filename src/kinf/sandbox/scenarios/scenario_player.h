// SPDX-License-Identifier: Apache-2.0
// ScenarioPlayer: plays the steps of a scenario once, each at its time.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "kinf/base/sync.h"
#include "kinf/sandbox/api/object_service.h"
#include "kinf/sandbox/scenarios/scenario.h"

namespace kinf::sandbox {

/// Threads: start() may be called from any thread, any number of times. A background thread plays
/// the steps and calls the hooks without holding a lock. stop() and the destructor join it.
class ScenarioPlayer {
 public:
  struct Hooks {
    std::function<void()> on_end;  ///< called after the last step
    /// Called for a step that injects a fault.
    std::function<void(const FaultSpec& fault)> on_fault;
  };

  /// A `speed` of 2 plays the scenario in half the time. A scenario without steps never calls
  /// on_end.
  ScenarioPlayer(ObjectService& objects, const ApiTypes& types, Clock& clock, Scenario scenario,
                 double speed, Hooks hooks);
  ~ScenarioPlayer();
  ScenarioPlayer(const ScenarioPlayer&) = delete;
  ScenarioPlayer& operator=(const ScenarioPlayer&) = delete;

  /// Stores the initial objects. If `keep` is true, existing objects stay unchanged; otherwise they
  /// cause a usage error. Usage errors begin with `name`, the scenario's name.
  Result<void> load_initial(const std::string& name, bool keep);
  /// Starts to play the steps. Does nothing after the first call or after stop().
  void start();
  void stop();
  /// Returns whether the scenario drives the object with this uid. Its steps change such an object,
  /// so the controllers ignore it. `type` is a storage key. May be called from any thread.
  bool drives(const std::string& type, const ObjectKey& key, const std::string& uid) const;
  /// Returns whether the scenario has deleted this pod and will remove it in a later step. The
  /// arguments and the threading rules are those of drives().
  bool removes(const std::string& type, const ObjectKey& key) const;
  /// Makes the scenario drive its initial objects, which are already stored. Call after the objects
  /// were restored from a file.
  void adopt_initial();

 private:
  void drive(const ApiType& type, const ObjectKey& key, std::string uid);
  void release(const ApiType& type, const ObjectKey& key);
  ApiResult<Deletion> delete_gracefully(const ApiType& type, const ObjectKey& key);
  std::optional<ApiStatus> finish_deletion(const ApiType& type, const ObjectKey& key);
  void set_removing(const ApiType& type, const ObjectKey& key, bool removing);
  void play(const std::stop_token& stop);
  /// Waits until the time of the step and plays it. Returns false if stopped before that time.
  bool play_at(Clock::Mono begin, const ScenarioStep& step, const std::stop_token& stop);
  void play_step(const ScenarioStep& step);
  std::optional<ApiStatus> play_on(const ApiType& type, const ScenarioStep& step,
                                   const Json& object);
  ApiResult<StoredPtr> merge(const ApiType& type, const ObjectKey& key, const Json& object);

  ObjectService& objects_;
  const ApiTypes& types_;
  Clock& clock_;
  const Scenario scenario_;
  const double speed_;
  const Hooks hooks_;
  mutable Mutex mu_;
  /// The uids of the objects that the scenario drives, by type and key. A uid is empty while it is
  /// unknown.
  std::map<std::pair<std::string, ObjectKey>, std::string> driven_ KINF_GUARDED_BY(mu_);
  /// The pods that a step has deleted and a later step will remove.
  std::set<std::pair<std::string, ObjectKey>> removing_ KINF_GUARDED_BY(mu_);
  bool stopped_ KINF_GUARDED_BY(mu_) = false;
  std::jthread thread_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf::sandbox
