// SPDX-License-Identifier: Apache-2.0
// WaitTracker: decides from the changes of the objects when the goal of `kinf wait` is met.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/base/clock.h"
#include "kinf/base/sync.h"
#include "kinf/cli/flags/wait_goal.h"

namespace kinf {

/// Names an informer and the objects that it reads.
struct WaitSource {
  std::size_t cluster_rank = 0;  ///< the position of the cluster in --context
  std::size_t rank = 0;          ///< the position of the informer in its plan
  const ResourceType* type = nullptr;
  std::string cluster{};  ///< name of the context; empty if the command uses only one
  std::string ns{};       ///< empty for all namespaces, and for a cluster-scoped type
  std::string name{};     ///< empty for all objects

  /// Returns the key of the single object. Call it only if has_one_object().
  std::string key() const { return ns.empty() ? name : ns + "/" + name; }
  /// Returns whether the informer reads a single object, which is awaited even if it does not
  /// exist.
  bool has_one_object() const { return !name.empty() && (!ns.empty() || !type->namespaced); }
};

/// An object that is waited for.
struct AwaitedObject {
  const WaitSource* source = nullptr;
  std::string ns{};
  std::string name{};
  ObjectPtr last{};  ///< the last known state; null if the object never existed
  bool exists = false;
  Clock::Wall changed{};    ///< when the last change arrived
  std::vector<bool> met{};  ///< for each condition of the goal, whether it is met
  bool is_satisfied = false;
  Clock::Wall satisfied_at{};        ///< when the change arrived that satisfied it
  std::string satisfying_version{};  ///< the resourceVersion of that change
};

/// Threads: any. Changes of one object must arrive one after the other. Conditions are evaluated
/// without a lock; `stop` cancels evaluations that take long.
class WaitTracker {
 public:
  enum class State {
    waiting,
    met,
    failed,     ///< a condition of --fail-on held, or an awaited rollout failed
    broken,     ///< a condition cannot be evaluated: see error()
    timed_out,  ///< wait() reached its deadline
  };

  WaitTracker(WaitGoal goal, std::size_t clusters, Clock& clock, std::stop_token stop);
  ~WaitTracker();

  /// Returns a new handler for the changes of an informer, owned by this object.
  EventHandler& add(WaitSource source);
  /// Reports that all informers of one cluster were added. The goal is not met before this was
  /// called once for each cluster, and all informers have their initial lists.
  void all_added(std::size_t cluster_rank);
  /// Forgets the informers and objects of a cluster that cannot be read. Call it once, after its
  /// informers have stopped.
  void leave_out(std::size_t cluster_rank);

  /// Blocks until the state is no longer `waiting`, or stop is requested. At `deadline`, the state
  /// becomes `timed_out`. With `once`, the deadline is the moment at which the initial lists are
  /// complete.
  State wait(Clock::Mono deadline, bool once, const std::stop_token& stop);

  /// Reports that no more changes will come, which ends the wait like a deadline. Returns the
  /// state.
  State end();

  State state() const;
  /// Returns whether all initial lists are complete.
  bool is_complete() const;
  /// Returns the awaited objects in the order of the command line, then by key. Once the state is
  /// no longer `waiting`, they do not change.
  std::vector<AwaitedObject> objects() const;
  /// Returns for how long the goal has been met, or nullopt if it is not met now.
  std::optional<Clock::Duration> held() const;
  /// Returns the number of changes, initial objects included.
  std::uint64_t changes() const;

  struct Failure {
    AwaitedObject object;
    const Condition* condition;
  };
  /// Returns what made the state `failed`.
  std::optional<Failure> failure() const;
  /// Returns what made the state `broken`.
  std::optional<Error> error() const;
  const WaitGoal& goal() const { return goal_; }

 private:
  class Handler;
  struct Place {
    std::size_t cluster_rank;
    std::size_t rank;
    std::string key;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  /// The conditions that hold for one state of an object.
  struct Verdict {
    std::vector<bool> holds{};
    const Condition* failure = nullptr;
    std::optional<Error> error{};
  };

  static Place place_of(const WaitSource& source, std::string key) {
    return {source.cluster_rank, source.rank, std::move(key)};
  }
  static AwaitedObject described(const WaitSource& source, const Change& change);
  void note(const WaitSource& source, const Change& change);
  void list_completed(Handler& handler);
  void complete_locked() KINF_REQUIRES(mu_);
  Verdict evaluate(const WaitSource& source, const Change& change);
  /// Returns whether a condition holds after `change`. Sets `error` if the evaluation failed with
  /// an error that ends the command.
  bool holds(const Condition& condition, const WaitSource& source, const Change& change,
             std::optional<Error>& error);
  /// Returns whether an object has met a condition that stays met.
  bool is_kept_locked(const WaitSource& source, const Change& change,
                      const Condition& condition) const KINF_REQUIRES(mu_);
  void apply_locked(const WaitSource& source, const Change& change, const std::vector<bool>& holds)
      KINF_REQUIRES(mu_);
  /// Updates which conditions `object` meets after `change`.
  void update_locked(AwaitedObject& object, const Change& change, const std::vector<bool>& holds)
      KINF_REQUIRES(mu_);
  /// Returns whether an informer that looks for a name in all namespaces has not found an object
  /// yet.
  bool lacks_named_locked() const KINF_REQUIRES(mu_);
  bool is_met_locked() const KINF_REQUIRES(mu_);
  void settle_locked() KINF_REQUIRES(mu_);

  const WaitGoal goal_;
  Clock& clock_;
  const std::stop_token stop_;
  mutable Mutex mu_;
  CondVar settled_;
  State state_ KINF_GUARDED_BY(mu_) = State::waiting;
  /// The number of clusters without all_added(), plus the number of incomplete initial lists.
  std::size_t pending_ KINF_GUARDED_BY(mu_);
  /// Whether all_added() was called, by the rank of the cluster.
  std::vector<bool> is_added_ KINF_GUARDED_BY(mu_);
  std::vector<std::unique_ptr<Handler>> handlers_ KINF_GUARDED_BY(mu_);
  std::map<Place, AwaitedObject> objects_ KINF_GUARDED_BY(mu_);
  std::size_t satisfied_ KINF_GUARDED_BY(mu_) = 0;  ///< the number of satisfied objects
  std::uint64_t changes_ KINF_GUARDED_BY(mu_) = 0;
  std::optional<Clock::Mono> met_since_ KINF_GUARDED_BY(mu_);
  std::optional<Failure> failure_ KINF_GUARDED_BY(mu_);
  std::optional<Error> error_ KINF_GUARDED_BY(mu_);
  bool has_logged_ KINF_GUARDED_BY(mu_) = false;  ///< a failure of jq was logged
};

}  // namespace kinf
