// SPDX-License-Identifier: Apache-2.0
// Cluster: what the controllers of the sandbox share: the mirror of the objects, the time, writes
// in a controller's name, and Events.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/sandbox/api/object_service.h"
#include "kinf/sandbox/controllers/object_mirror.h"

namespace kinf::sandbox {

/// What happened to an object, for an Event.
struct EventDetails {
  std::string type = "Normal";
  std::string reason;
  std::string message;
  std::string component;
  std::string host = {};        ///< the node of a kubelet; empty for other components
  std::string field_path = {};  ///< the part of the object, such as `spec.containers{web}`
};

/// Threads: one owner. Writes that fail are logged; the next change of the object repeats them.
class Cluster {
 public:
  using Seconds = std::chrono::duration<double>;
  /// Returns true for objects that a scenario drives. Controllers leave these alone.
  using IsScripted = std::function<bool(const ObjectId& id, const std::string& uid)>;

  /// A `speed` of 2 halves all delays.
  Cluster(ResourceStore& store, ObjectService& objects, const ApiTypes& types, Clock& clock,
          double speed, IsScripted is_scripted);

  ObjectMirror& mirror() { return mirror_; }
  Clock::Mono now() const { return clock_.now(); }
  Clock::Wall wall() const { return clock_.wall(); }
  /// Returns the time of a clock that runs `speed` times as fast as wall(), since the start.
  /// Schedules follow it.
  Clock::Wall scheduled_wall() const { return scheduled_wall(clock_.now()); }
  Clock::Wall scheduled_wall(Clock::Mono at) const;
  /// Returns the current time in the form of metadata.creationTimestamp.
  std::string timestamp() const;
  /// Converts `timestamp`, a time of the API, to a time of the clock. Returns now() if it is not a
  /// time.
  Clock::Mono mono_time(const Json& timestamp) const;
  Clock::Duration scaled(Seconds delay) const;
  double speed() const { return speed_; }
  bool is_scripted(const ObjectId& id, const Json& object) const;

  /// Creates an object as a client would. Returns null on failure.
  StoredPtr create(std::string_view manager, Json object);
  /// Changes the object. Does nothing if it has another uid.
  bool edit(std::string_view manager, const ObjectId& id, const std::string& uid,
            const std::function<void(Json&)>& change) {
    return write({std::string(manager)}, id, uid, change);
  }
  /// Like edit(), for changes of the status. (A binding is one, too.)
  bool edit_status(std::string_view manager, const ObjectId& id, const std::string& uid,
                   const std::function<void(Json&)>& change) {
    return write({.name = std::string(manager), .subresource = "status"}, id, uid, change);
  }
  /// Deletes the object if it has this uid. `grace` in seconds; empty: its own grace period.
  bool remove(const ObjectId& id, const std::string& uid,
              std::optional<std::int64_t> grace = std::nullopt,
              Propagation propagation = Propagation::background);
  /// Removes a namespace that is empty.
  void erase_namespace(const std::string& name);

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
  bool write(const FieldManager& by, const ObjectId& id, const std::string& uid,
             const std::function<void(Json&)>& change);

  ObjectService& objects_;
  const ApiTypes& types_;
  Clock& clock_;
  const Clock::Mono began_;
  const double speed_;
  const IsScripted is_scripted_;
  ObjectMirror mirror_;
  /// By the uid of the subject, then by component, type, reason, part and message.
  std::map<std::string, std::map<std::string, Written>> events_;
  std::uint64_t next_event_;
};

/// A loop that brings the cluster closer to what its objects ask for.
class ClusterController {
 public:
  ClusterController() = default;
  ClusterController(const ClusterController&) = delete;
  ClusterController& operator=(const ClusterController&) = delete;
  virtual ~ClusterController() = default;

  /// Called for each change of the mirror. Does not write.
  virtual void observe(const MirrorChange& change) = 0;
  /// Writes what is due.
  virtual void act() = 0;
  /// Returns when act() has to be called again if nothing changes until then.
  virtual Clock::Mono next() const { return Clock::kNever; }
};

}  // namespace kinf::sandbox
