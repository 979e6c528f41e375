// SPDX-License-Identifier: Apache-2.0
// CronJobs: creates Jobs at the times of a schedule, in UTC. With `speed` 10, the schedule also
// runs ten times as fast.
// Source: kubernetes pkg/controller/cronjob (cronjob_controllerv2.go, utils.go).
#include "kinf/sandbox/controllers/owner_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "kinf/base/timestamp.h"
#include "kinf/sandbox/api/object_condition.h"
#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/controllers/cron_schedule.h"
#include "kinf/sandbox/controllers/job_rules.h"
#include "kinf/sandbox/controllers/templates.h"

namespace kinf::sandbox {
namespace {

bool has_uid(const Json& reference, const std::string& uid) {
  return text(field(reference, "uid")) == uid;
}

bool is_active(const Json& status, const std::string& uid) {
  return std::ranges::any_of(elements(field(status, "active")),
                             [&](const Json& each) { return has_uid(each, uid); });
}

void remove_active(Json& status, const std::string& uid) {
  if (!is_active(status, uid)) return;
  std::erase_if(status["active"].get_ref<Json::array_t&>(),
                [&](const Json& each) { return has_uid(each, uid); });
  if (status["active"].empty()) status.erase("active");
}

CronSchedule::Time whole_seconds(Clock::Wall time) {
  return std::chrono::floor<std::chrono::seconds>(time);
}

class CronJobs : public OwnerLoop {
 public:
  explicit CronJobs(Cluster& cluster)
      : OwnerLoop(cluster, "cronjobs.batch", "jobs.batch", "cronjob-controller",
                  /*adopts=*/false) {}

 private:
  /// A CronJob, its Jobs and the status to write.
  struct View {
    const Json& cron;
    std::vector<StoredPtr> jobs;
    Json status;
  };

  void forget(const std::string& uid) override { started_.erase(uid); }

  void reconcile(const Json& cron) override {
    View view{cron, children(cron), field(cron, "status")};
    if (!view.status.is_object()) view.status = Json::object();
    trim_history(view);
    update_active(view);
    const bool is_suspended = field(cron, "spec", "suspend") == Json(true);
    if (!is_deleting(cron) && !is_suspended) follow_schedule(view);
    write_status(cron, view.status);
  }

  /// Deletes the oldest finished Jobs that exceed the history limits.
  void trim_history(View& view) {
    for (const auto& [limit, wanted] :
         {std::pair("successfulJobsHistoryLimit", true), {"failedJobsHistoryLimit", false}}) {
      const Json& most = field(view.cron, "spec", limit);
      if (!most.is_number_integer()) continue;
      std::vector<StoredPtr> finished = view.jobs;
      std::erase_if(finished, [&](const StoredPtr& job) {
        return !is_finished_job(job->json) || holds(job->json, "Complete") != wanted ||
               is_deleting(job->json);
      });
      std::ranges::stable_sort(finished, {}, [](const StoredPtr& job) {
        return std::tuple(text(field(job->json, "status", "startTime")), job->key.name);
      });
      for (const StoredPtr& job :
           first_of(finished, std::ssize(finished) - most.get<std::int64_t>())) {
        delete_job(view, *job);
      }
    }
  }

  /// Removes finished and missing Jobs from `status.active`.
  void update_active(View& view) {
    for (const StoredPtr& job : view.jobs) {
      if (is_finished_job(job->json)) {
        note_finished(view, *job);
      } else if (!is_active(view.status, uid_of(job->json))) {
        warn(view.cron, "UnexpectedJob",
             "Saw a job that the controller did not create or forgot: " + job->key.name);
      }
    }
    const Json listed = elements(field(view.status, "active"));
    for (const Json& each : listed) {
      const std::string uid = text(field(each, "uid"));
      if (std::ranges::any_of(view.jobs,
                              [&](const auto& job) { return uid_of(job->json) == uid; })) {
        continue;
      }
      remove_active(view.status, uid);
      report(view.cron, "MissingJob", "Active job went missing: " + text(field(each, "name")));
    }
  }

  void note_finished(View& view, const StoredObject& job) {
    const std::string uid = uid_of(job.json);
    const bool is_complete = holds(job.json, "Complete");
    if (is_active(view.status, uid)) {
      remove_active(view.status, uid);
      report(view.cron, "SawCompletedJob",
             fmt::format("Saw completed job: {}, condition: {}", job.key.name,
                         is_complete ? "Complete" : "Failed"));
    }
    const std::string time = text(field(job.json, "status", "completionTime"));
    if (is_complete && time > text(field(view.status, "lastSuccessfulTime"))) {
      view.status["lastSuccessfulTime"] = time;
    }
  }

  void follow_schedule(View& view) {
    const std::string zone = text(field(view.cron, "spec", "timeZone"));
    if (!zone.empty() && zone != "UTC" && zone != "Etc/UTC") {
      return warn(view.cron, "UnknownTimeZone",
                  fmt::format("invalid timeZone: \"{}\": the sandbox knows only UTC", zone));
    }
    const std::string rule = text(field(view.cron, "spec", "schedule"));
    const Result<CronSchedule> schedule = CronSchedule::parse(rule);
    if (!schedule) {
      return warn(view.cron, "UnparseableSchedule",
                  fmt::format("unparseable schedule: \"{}\" : {}", rule, schedule.error().message));
    }
    const CronSchedule::Time now = whole_seconds(cluster_.scheduled_wall());
    const auto started = started_.find(uid_of(view.cron));
    const Json& last = field(view.status, "lastScheduleTime");
    const Json& begin = last.is_null() ? field(view.cron, "metadata", "creationTimestamp") : last;
    const CronSchedule::Time earliest =
        started != started_.end()
            ? started->second
            : whole_seconds(cluster_.scheduled_wall(cluster_.mono_time(begin)));
    if (const auto due = schedule->last_between(earliest, now)) start(view, *due);
    if (const auto next = schedule->next(now)) {
      again_after(view.cron, wall_time(*next) - cluster_.scheduled_wall());
    }
  }

  /// Creates the Job for a scheduled time if startingDeadlineSeconds and concurrencyPolicy permit
  /// it.
  void start(View& view, CronSchedule::Time time) {
    const Json& deadline = field(view.cron, "spec", "startingDeadlineSeconds");
    const auto late = cluster_.scheduled_wall() - wall_time(time);
    if (deadline.is_number_integer() && late > std::chrono::seconds(deadline.get<std::int64_t>())) {
      return warn(view.cron, "MissSchedule",
                  "Missed scheduled time to start a job: " + timestamp_text(time));
    }
    const std::string policy = text(field(view.cron, "spec", "concurrencyPolicy"));
    if (policy == "Forbid" && view.status.contains("active")) {
      return report(view.cron, "JobAlreadyActive",
                    "Not starting job because prior execution is running and concurrency policy is "
                    "Forbid");
    }
    if (policy == "Replace") {
      for (const StoredPtr& job : view.jobs) {
        if (is_active(view.status, uid_of(job->json))) delete_job(view, *job);
      }
    }
    started_[uid_of(view.cron)] = time;
    const StoredPtr job = create_child(view.cron, job_of_template(view.cron, time));
    if (job == nullptr) return;
    array_at(view.status, "active")
        .push_back({{"kind", "Job"},
                    {"namespace", job->key.ns},
                    {"name", job->key.name},
                    {"uid", uid_of(job->json)},
                    {"apiVersion", "batch/v1"},
                    {"resourceVersion", field(job->json, "metadata", "resourceVersion")}});
    // Convert to wall-clock time, because the schedule's clock may run faster.
    const auto real = cluster_.wall() - cluster_.scaled(late);
    view.status["lastScheduleTime"] =
        timestamp_text(std::chrono::round<std::chrono::seconds>(real));
  }

  void delete_job(View& view, const StoredObject& job) {
    if (delete_child(view.cron, job)) remove_active(view.status, uid_of(job.json));
  }

  /// The last scheduled time for which a Job was started, by the CronJob's uid. The times are those
  /// of Cluster::scheduled_wall().
  std::map<std::string, CronSchedule::Time> started_;
};

}  // namespace

std::unique_ptr<ClusterController> cron_jobs(Cluster& cluster) {
  return std::make_unique<CronJobs>(cluster);
}

}  // namespace kinf::sandbox
