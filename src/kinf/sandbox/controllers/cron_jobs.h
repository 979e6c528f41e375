// SPDX-License-Identifier: Apache-2.0
// CronJobs: creates Jobs at the times of a schedule, in UTC. At `speed` 10 the schedule runs ten
// times as fast, too.
// Source: kubernetes pkg/controller/cronjob (cronjob_controllerv2.go, utils.go).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kinf/sandbox/controllers/cron_schedule.h"
#include "kinf/sandbox/controllers/owner_loop.h"

namespace kinf::sandbox {

class CronJobs : public OwnerLoop {
 public:
  explicit CronJobs(Cluster& cluster)
      : OwnerLoop(cluster, "cronjobs.batch", "jobs.batch", /*adopts=*/false) {}

 private:
  /// A CronJob, its Jobs and its next status.
  struct View {
    const ObjectId& id;
    const Json& cron;
    std::vector<StoredPtr> jobs;
    Json status;
  };

  void observe(const MirrorChange& change) override;
  void reconcile(const ObjectId& id, const Json& cron) override;
  /// Deletes the oldest finished Jobs that exceed the history limits.
  void trim_history(View& view);
  /// Removes finished and missing Jobs from the list of active ones.
  void update_active(View& view);
  void note_finished(View& view, const StoredObject& job);
  void follow_schedule(View& view);
  /// Creates the Job of a scheduled time, if the deadline and the other Jobs permit it.
  void start(View& view, CronSchedule::Time time);
  void delete_job(View& view, const StoredObject& job);
  void warn(const Json& cron, const char* reason, const std::string& message);

  /// The last times for which a Job was started, by the CronJob's uid, in
  /// Cluster::scheduled_wall().
  std::map<std::string, CronSchedule::Time> started_;
};

/// Returns the Job of a CronJob for a scheduled time.
Json job_of_template(const Json& cron, CronSchedule::Time time);

}  // namespace kinf::sandbox
