// SPDX-License-Identifier: Apache-2.0
// Cluster: the state and functions that the controllers of the sandbox share: the mirror of the
// objects, the time, writes in a controller's name, and Events.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "kinf/sandbox/api/object_service.h"
#include "kinf/sandbox/controllers/object_mirror.h"

namespace kinf::sandbox {

constexpr const char* kControllerManager = "kube-controller-manager";

/// The contents of an Event about an object.
struct EventDetails {
  std::string type = "Normal";
  std::string reason;
  std::string message;
  std::string component;
  std::string host = {};        ///< the node of a kubelet; empty for other components
  std::string field_path = {};  ///< the part of the object, such as `spec.containers{web}`
};

/// Logs writes that fail. The controllers repeat such a write at the next change of the object.
/// Threads: not thread-safe.
class Cluster {
 public:
  using Seconds = std::chrono::duration<double>;
  /// Returns true for objects that a scenario drives. Controllers leave these objects alone.
  using IsScripted = std::function<bool(const ObjectId& id, const std::string& uid)>;

  /// A `speed` of 2 halves all delays.
  Cluster(ResourceStore& store, ObjectService& objects, const ApiTypes& types, Clock& clock,
          double speed, IsScripted is_scripted);

  ObjectMirror& mirror() { return mirror_; }
  Clock::Mono now() const { return clock_.now(); }
  Clock::Wall wall() const { return clock_.wall(); }
  /// Returns the time that CronJob schedules use. It equals wall() when the sandbox starts, and
  /// then runs `speed` times as fast.
  Clock::Wall scheduled_wall() const { return scheduled_wall(clock_.now()); }
  Clock::Wall scheduled_wall(Clock::Mono at) const;
  /// Returns the current time in the form of metadata.creationTimestamp.
  std::string timestamp() const;
  /// Converts `timestamp`, a time from an object, to a monotonic time. Returns now() if it is not a
  /// valid time.
  Clock::Mono mono_time(const Json& timestamp) const;
  Clock::Duration scaled(Seconds delay) const;
  double speed() const { return speed_; }
  bool is_scripted(const std::string& type, const Json& object) const;

  // The functions below write to the store as a client of the API would. `type` is a storage key.
  // `object` identifies the object by its key and uid. edit(), edit_status() and remove() do
  // nothing if the key now belongs to another object.

  /// Creates an object, acting as the controller manager. Returns null on failure.
  StoredPtr create(Json object);
  /// Changes the object, acting as the controller manager.
  bool edit(const std::string& type, const Json& object, const std::function<void(Json&)>& change) {
    return write({kControllerManager}, type, object, change);
  }
  /// Like edit(), for a binding of a pod, which leaves no entry in managedFields.
  bool bind(const Json& pod, const std::function<void(Json&)>& change) {
    return write({}, "pods", pod, change);
  }
  /// Like edit(), for changes of the status. `manager` is the field manager.
  bool edit_status(const char* manager, const std::string& type, const Json& object,
                   const std::function<void(Json&)>& change) {
    return write({.name = manager, .subresource = "status"}, type, object, change);
  }
  /// Deletes the object. `grace` is the grace period in seconds. Empty means the grace period of
  /// the object.
  bool remove(const std::string& type, const Json& object,
              std::optional<std::int64_t> grace = std::nullopt,
              Propagation propagation = Propagation::background);

  /// Returns the object as it is in the store now, or null. Its type must be served.
  StoredPtr stored(const ObjectId& id) const;
  /// Removes the object that has this key now, and its contents. Ignores its uid, grace period and
  /// finalizers. Its type must be served.
  void erase(const ObjectId& id);

  /// Writes an Event about `about`. Repetitions of an Event increase its count.
  void report(const Json& about, const EventDetails& note);
  /// Forgets the Events about a deleted object.
  void forget_events(const std::string& uid) { events_.erase(uid); }

 private:
  struct Written {
    ObjectKey key;
    int count = 0;
  };

  Written& written_of(const std::string& uid, const EventDetails& note, std::string& message);
  bool write(const FieldManager& by, const std::string& type, const Json& object,
             const std::function<void(Json&)>& change);

  ObjectService& objects_;
  const ApiTypes& types_;
  Clock& clock_;
  const Clock::Mono began_;
  const double speed_;
  const IsScripted is_scripted_;
  ObjectMirror mirror_;
  /// The Events written so far: by the uid of the object, then by component, type, reason, field
  /// path and message.
  std::map<std::string, std::map<std::string, Written>> events_;
  std::uint64_t next_event_;
};

/// A control loop that brings the cluster closer to the desired state of its objects.
class ClusterController {
 public:
  explicit ClusterController(Cluster& cluster) : cluster_(cluster) {}
  ClusterController(const ClusterController&) = delete;
  ClusterController& operator=(const ClusterController&) = delete;
  virtual ~ClusterController() = default;

  /// Called for each change of the mirror. Must not write.
  virtual void observe(const MirrorChange& change) = 0;
  /// Performs the writes that are due.
  virtual void act() = 0;
  /// Returns when act() has to be called again if nothing changes until then.
  virtual Clock::Mono next() const { return Clock::kNever; }

 protected:
  Cluster& cluster_;
};

// These functions create the controllers of a real cluster. Each class is local to the .cc file
// that has the name of its function.
std::unique_ptr<ClusterController> claims(Cluster& cluster);
std::unique_ptr<ClusterController> cron_jobs(Cluster& cluster);
std::unique_ptr<ClusterController> daemon_sets(Cluster& cluster);
std::unique_ptr<ClusterController> deployments(Cluster& cluster);
std::unique_ptr<ClusterController> garbage_collector(Cluster& cluster);
std::unique_ptr<ClusterController> jobs(Cluster& cluster);
std::unique_ptr<ClusterController> kubelet(Cluster& cluster);
std::unique_ptr<ClusterController> namespaces(Cluster& cluster);
std::unique_ptr<ClusterController> replica_sets(Cluster& cluster);
std::unique_ptr<ClusterController> scheduler(Cluster& cluster);
std::unique_ptr<ClusterController> stateful_sets(Cluster& cluster);

/// Returns whether pod_remover() must leave a deleted pod alone, because a kubelet runs the pod or
/// a scenario removes it.
using IsLeftAlone = std::function<bool(const Json& pod)>;
std::unique_ptr<ClusterController> pod_remover(Cluster& cluster, IsLeftAlone is_left_alone);

/// Returns whether a kubelet of the sandbox runs this pod.
bool has_kubelet(Cluster& cluster, const Json& pod);

}  // namespace kinf::sandbox
