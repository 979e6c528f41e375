// SPDX-License-Identifier: Apache-2.0
// Jobs: runs pods until enough of them have succeeded or too many have failed, and deletes finished
// Jobs after their time to live. It writes the status twice, as the real controller does: first
// with the uids of the pods that ended, then, when their finalizers are removed, with their number.
// Source: kubernetes pkg/controller/job, pkg/controller/ttlafterfinished.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "kinf/sandbox/controllers/job_indexes.h"
#include "kinf/sandbox/controllers/job_rules.h"
#include "kinf/sandbox/controllers/owner_loop.h"

namespace kinf::sandbox {

class Jobs : public OwnerLoop {
 public:
  explicit Jobs(Cluster& cluster) : OwnerLoop(cluster, "jobs.batch", "pods", /*adopts=*/false) {}

  void observe(const MirrorChange& change) override;
  void act() override;

 private:
  /// A Job, its pods and its next status.
  struct View {
    const ObjectId& id;
    const Json& job;
    std::vector<StoredPtr> pods;
    std::vector<StoredPtr> active;
    std::int64_t ready = 0;  ///< of the active pods
    JobCount count;
    Json status;
    std::optional<JobEnd> end;
    JobIndexes completed;  ///< of an Indexed Job
  };
  /// What the status does not hold, or holds only in whole seconds.
  struct Memory {
    int failures = 0;  ///< since the last success
    Clock::Mono failed_at{};
    Clock::Mono began{};
    std::string began_text;  ///< the startTime that `began` belongs to
    Clock::Mono finished = Clock::kNever;
  };

  void reconcile(const ObjectId& id, const Json& job) override;
  View view_of(const ObjectId& id, const Json& job);
  void note_ended(const View& view, Memory& memory) const;
  void begin(View& view, Memory& memory) const;
  bool is_too_late(const View& view, const Memory& memory);
  void set_suspended(View& view, Memory& memory);
  void manage_pods(View& view, const Memory& memory);
  void delete_pods(View& view, std::size_t number, bool uncounted);
  void create_pods(View& view, std::int64_t number);
  void note_indexes(View& view) const;
  JobIndexes taken_indexes(const View& view) const;
  /// Adds the uids of the pods that ended to the status. Returns the pods that it now counts.
  std::vector<StoredPtr> count_ended(View& view) const;
  void save(View& view, Memory& memory);
  void finish(View& view, Memory& memory);
  void untrack(const StoredObject& pod);
  void expire(const ObjectId& id, const Json& job, const Memory& memory);

  std::map<std::string, Memory> memories_;  ///< by the Job's uid
  std::set<ObjectKey> strays_;              ///< tracked pods whose Job may be gone
};

}  // namespace kinf::sandbox
