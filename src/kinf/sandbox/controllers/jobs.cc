// SPDX-License-Identifier: Apache-2.0
// Jobs: runs pods until enough of them have succeeded or too many have failed, and deletes finished
// Jobs after their time to live. The status is written twice, as by the real controller: first with
// the uids of the pods that have ended, then with their number, after their finalizers were
// removed.
// Source: kubernetes pkg/controller/job, pkg/controller/ttlafterfinished.
#include "kinf/sandbox/controllers/owner_loop.h"

#include "kinf/sandbox/api/object_condition.h"
#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/controllers/job_rules.h"

namespace kinf::sandbox {
namespace {

constexpr const char* kUncounted = "uncountedTerminatedPods";
/// The maximum number of pods that one call of reconcile() creates.
constexpr std::int64_t kCreatedAtOnce = 500;

bool is_tracked(const StoredPtr& pod) { return has_finalizer(pod->json, kJobTracking); }

bool has_succeeded(const StoredPtr& pod) {
  return text(field(pod->json, "status", "phase")) == "Succeeded";
}

bool is_listed(const Json& status, const char* list, const StoredPtr& pod) {
  return std::ranges::count(elements(field(status, kUncounted, list)), Json(uid_of(pod->json))) > 0;
}

/// Removes the uids of pods that are no longer in `tracked`, and adds their number to the counters.
void settle_counts(Json& status, const std::set<std::string>& tracked) {
  for (const char* list : {"succeeded", "failed"}) {
    Json uids = elements(field(status, kUncounted, list));
    if (uids.empty()) continue;
    const std::size_t counted = std::erase_if(uids.get_ref<Json::array_t&>(), [&](const Json& uid) {
      return !tracked.contains(text(uid));
    });
    status[list] = integer_or(field(status, list), 0) + static_cast<std::int64_t>(counted);
    if (uids.empty()) {
      status[kUncounted].erase(list);
    } else {
      status[kUncounted][list] = std::move(uids);
    }
  }
}

class Jobs : public OwnerLoop {
 public:
  explicit Jobs(Cluster& cluster)
      : OwnerLoop(cluster, "jobs.batch", "pods", "job-controller", /*adopts=*/false) {}

  void observe(const MirrorChange& change) override {
    OwnerLoop::observe(change);
    const auto& [id, now, old] = change;
    if (id.first != "pods" || now == nullptr || !is_tracked(now)) return;
    const Json& owner = controller_reference(now->json);
    if (cluster_.mirror().find_uid(text(field(owner, "uid"))) == nullptr) strays_.insert(id.second);
  }

  void act() override {
    OwnerLoop::act();
    for (const ObjectKey& key : std::exchange(strays_, {})) {
      const StoredPtr pod = cluster_.mirror().find("pods", key);
      if (pod == nullptr || !is_tracked(pod) || cluster_.is_scripted("pods", pod->json)) {
        continue;
      }
      const std::string owner = text(field(controller_reference(pod->json), "uid"));
      if (cluster_.mirror().find_uid(owner) == nullptr) untrack(*pod);
    }
  }

 private:
  /// A Job, its pods and the status to write.
  struct View {
    const Json& job;
    std::vector<StoredPtr> pods;
    Json status;
    std::vector<StoredPtr> active{};
    std::int64_t ready = 0;  ///< the number of active pods that are ready
    JobCount count{};
    std::optional<JobEnd> end{};
    JobIndexes completed{};  ///< the completed indexes of an Indexed Job
  };
  /// Facts about a Job that its status does not contain, or contains only in whole seconds.
  struct Memory {
    int failures = 0;  ///< number of failed pods since the last success
    Clock::Mono failed_at{};
    Clock::Mono began{};
    std::string began_text;  ///< the startTime that `began` belongs to
    Clock::Mono finished = Clock::kNever;
  };

  void forget(const std::string& uid) override {
    memories_.erase(uid);
    for (const auto& [dependent, object] : cluster_.mirror().dependents(uid)) {
      if (dependent.first == "pods") strays_.insert(dependent.second);
    }
  }

  void reconcile(const Json& job) override {
    const std::string manager = text(field(job, "spec", "managedBy"));
    if (!manager.empty() && manager != "kubernetes.io/job-controller") return;
    Memory& memory = memories_[uid_of(job)];
    if (is_finished_job(job)) return expire(job, memory);
    View view = view_of(job);
    note_ended(view, memory);
    begin(view, memory);
    view.end = failure_of(job, view.pods, view.count);
    if (!view.end && is_too_late(view, memory)) {
      view.end = {false, "DeadlineExceeded", "Job was active longer than specified deadline"};
    }
    if (view.end) {
      delete_pods(view, view.active.size(), /*uncounted=*/false);
    } else {
      if (!is_deleting(job)) manage_pods(view, memory);
      view.end = success_of(job, view.count);
      if (!view.end && !is_deleting(job)) set_suspended(view, memory);
    }
    save(view, memory);
  }

  View view_of(const Json& job) {
    View view{job, children(job), field(job, "status")};
    if (!view.status.is_object()) view.status = Json::object();
    const auto listed = [&](const char* list) {
      return static_cast<std::int64_t>(elements(field(view.status, kUncounted, list)).size());
    };
    view.count.succeeded = integer_or(field(view.status, "succeeded"), 0) + listed("succeeded");
    view.count.failed = integer_or(field(view.status, "failed"), 0) + listed("failed");
    for (const StoredPtr& pod : view.pods) {
      if (is_active_pod(pod->json)) {
        view.active.push_back(pod);
        view.ready += is_ready_pod(pod->json) ? 1 : 0;
      }
      if (is_leaving_pod(pod->json)) ++view.count.terminating;
      if (!is_tracked(pod) || is_listed(view.status, "succeeded", pod) ||
          is_listed(view.status, "failed", pod)) {
        continue;
      }
      if (has_succeeded(pod)) ++view.count.succeeded;
      if (counts_as_failed(job, pod->json) && failure_verdict(job, pod->json).counts) {
        ++view.count.failed;
      }
    }
    view.count.active = static_cast<std::int64_t>(view.active.size());
    if (is_indexed_job(job)) note_indexes(view);
    return view;
  }

  /// Counts the failures since the last success, for the back-off.
  void note_ended(const View& view, Memory& memory) const {
    for (const StoredPtr& pod : view.pods) {
      if (!is_tracked(pod)) continue;
      if (has_succeeded(pod)) {
        memory.failures = 0;
      } else if (counts_as_failed(view.job, pod->json)) {
        ++memory.failures;
        memory.failed_at = cluster_.now();
      }
    }
  }

  void begin(View& view, Memory& memory) const {
    if (!view.status.contains("startTime") && !is_suspended_job(view.job)) {
      view.status["startTime"] = cluster_.timestamp();
      memory.began = cluster_.now();
    } else if (memory.began_text != text(field(view.status, "startTime"))) {
      memory.began = cluster_.mono_time(field(view.status, "startTime"));
    }
    memory.began_text = text(field(view.status, "startTime"));
  }

  bool is_too_late(const View& view, const Memory& memory) {
    const Json& limit = field(view.job, "spec", "activeDeadlineSeconds");
    if (!limit.is_number_integer() || is_suspended_job(view.job) || memory.began_text.empty()) {
      return false;
    }
    return has_passed(view.job, memory.began, std::chrono::seconds(limit.get<std::int64_t>()));
  }

  /// Sets the condition Suspended when the Job is suspended or resumed. Resuming a Job sets a new
  /// startTime.
  void set_suspended(View& view, Memory& memory) {
    const bool is_suspended = is_suspended_job(view.job);
    const std::string now = cluster_.timestamp();
    const char* word = is_suspended ? "Suspended" : "Resumed";
    const std::string message = is_suspended ? "Job suspended" : "Job resumed";
    if (!set_job_condition(view.status, "Suspended", is_suspended, std::string("Job") + word,
                           message, now)) {
      return;
    }
    report(view.job, word, message);
    view.status.erase("startTime");
    if (!is_suspended) {
      view.status["startTime"] = now;
      memory.began = cluster_.now();
    }
    memory.began_text = text(field(view.status, "startTime"));
  }

  /// Deletes surplus pods, or creates missing pods if the back-off has ended.
  void manage_pods(View& view, const Memory& memory) {
    const std::int64_t wanted = wanted_active(view.job, view.count);
    if (view.count.active > wanted) {
      return delete_pods(view, static_cast<std::size_t>(view.count.active - wanted),
                         /*uncounted=*/true);
    }
    const std::int64_t leaving = replaces_only_failed(view.job) ? view.count.terminating : 0;
    const std::int64_t missing = wanted - leaving - view.count.active;
    if (missing <= 0) return;
    if (memory.failures > 0 &&
        !has_passed(view.job, memory.failed_at, job_back_off(memory.failures))) {
      return;
    }
    create_pods(view, std::min(missing, kCreatedAtOnce));
  }

  /// Deletes `number` active pods. If `uncounted` is true, they count neither as succeeded nor as
  /// failed.
  void delete_pods(View& view, std::size_t number, bool uncounted) {
    sort_for_deletion(view.active);
    for (std::size_t i = 0; i < number; ++i) {
      const StoredPtr& pod = view.active[i];
      if (uncounted) untrack(*pod);
      delete_child(view.job, *pod);
      view.ready -= is_ready_pod(pod->json) ? 1 : 0;
      --view.count.active;
      ++view.count.terminating;
    }
  }

  void create_pods(View& view, std::int64_t number) {
    const bool is_indexed = is_indexed_job(view.job);
    std::vector<std::int64_t> indexes(static_cast<std::size_t>(number));
    if (is_indexed) indexes = free_job_indexes(view.job, taken_indexes(view), number);
    for (const std::int64_t index : indexes) {
      Json pod = pod_of_template(view.job, field(view.job, "spec", "template"));
      if (is_indexed) set_job_index(view.job, pod, index);
      array_at(pod["metadata"], "finalizers").push_back(kJobTracking);
      if (create_child(view.job, std::move(pod)) == nullptr) return;
      ++view.count.active;
    }
  }

  /// Notes the completed indexes. The count `succeeded` of an Indexed Job counts indexes, not pods.
  void note_indexes(View& view) const {
    view.completed = parse_job_indexes(view.job, text(field(view.status, "completedIndexes")));
    for (const StoredPtr& pod : view.pods) {
      const auto index = job_index_of(view.job, pod->json);
      if (index && has_succeeded(pod) && is_tracked(pod)) view.completed.insert(*index);
    }
    view.count.succeeded = std::ssize(view.completed);
  }

  /// Returns the indexes that have succeeded or that have a pod.
  JobIndexes taken_indexes(const View& view) const {
    JobIndexes taken = view.completed;
    for (const StoredPtr& pod : view.pods) {
      const bool holds =
          is_active_pod(pod->json) || (is_leaving_pod(pod->json) && replaces_only_failed(view.job));
      const auto index = job_index_of(view.job, pod->json);
      if (index && holds) taken.insert(*index);
    }
    return taken;
  }

  /// Adds the uids of the pods that have ended to the status. Returns the pods whose finalizer can
  /// be removed now.
  std::vector<StoredPtr> count_ended(View& view) const {
    std::vector<StoredPtr> counted;
    const bool has_failed = view.end && !view.end->is_success;
    const auto add = [&](const char* list, const StoredPtr& pod) {
      Json& uids = array_at(object_at(view.status, kUncounted), list);
      if (!is_listed(view.status, list, pod)) uids.push_back(uid_of(pod->json));
    };
    for (const StoredPtr& pod : view.pods) {
      const bool is_failed = counts_as_failed(view.job, pod->json);
      const bool is_over = is_deleting(view.job) || view.end || is_failed || has_succeeded(pod);
      if (!is_tracked(pod) || !is_over) continue;
      counted.push_back(pod);
      const bool is_indexed = is_indexed_job(view.job);
      if (is_indexed && (has_succeeded(pod) || !job_index_of(view.job, pod->json))) continue;
      if (has_succeeded(pod)) {
        add("succeeded", pod);
      } else if ((is_failed || has_failed) && failure_verdict(view.job, pod->json).counts) {
        add("failed", pod);  // all pods of a Job that has failed count as failed
      }
    }
    return counted;
  }

  void save(View& view, Memory& memory) {
    Json& status = view.status;
    object_at(status, kUncounted);
    const std::vector<StoredPtr> counted = count_ended(view);
    const std::string now = cluster_.timestamp();
    if (view.end) {
      set_job_condition(status, view.end->interim(), true, view.end->reason, view.end->message,
                        now);
    }
    if (!view.completed.empty()) {
      status["succeeded"] = std::ssize(view.completed);
      status["completedIndexes"] = job_indexes_text(view.completed);
    }
    status.erase("active");
    set_count(status, "active", view.count.active);
    status["ready"] = view.ready;
    status["terminating"] = view.count.terminating;
    write_status(view.job, status);
    std::set<std::string> tracked;
    for (const StoredPtr& pod : view.pods) {
      if (is_tracked(pod)) tracked.insert(uid_of(pod->json));
    }
    for (const StoredPtr& pod : counted) {
      untrack(*pod);
      tracked.erase(uid_of(pod->json));
    }
    settle_counts(status, tracked);
    const bool is_over = view.end && view.count.terminating == 0;
    if (is_over) finish(view, memory);
    write_status(view.job, status);
  }

  /// Sets the final condition of the Job, and reports its end as an Event.
  void finish(View& view, Memory& memory) {
    const std::string now = cluster_.timestamp();
    const JobEnd& end = *view.end;
    set_job_condition(view.status, end.final(), true, end.reason, end.message, now);
    if (end.is_success) view.status["completionTime"] = now;
    memory.finished = cluster_.now();
    if (end.is_success) {
      report(view.job, "Completed", "Job completed");
    } else {
      warn(view.job, end.reason, end.message);
    }
  }

  void untrack(const StoredObject& pod) {
    cluster_.edit("pods", pod.json, [](Json& current) { drop_finalizer(current, kJobTracking); });
  }

  /// Deletes a finished Job after its ttlSecondsAfterFinished.
  void expire(const Json& job, const Memory& memory) {
    const Json& ttl = field(job, "spec", "ttlSecondsAfterFinished");
    if (is_deleting(job) || !ttl.is_number_integer()) return;
    const Json& complete = condition_of(job, "Complete");
    const Json& end = complete.is_null() ? condition_of(job, "Failed") : complete;
    const Clock::Mono finished = memory.finished != Clock::kNever
                                     ? memory.finished
                                     : cluster_.mono_time(field(end, "lastTransitionTime"));
    if (has_passed(job, finished, std::chrono::seconds(ttl.get<std::int64_t>()))) {
      cluster_.remove(type_, job, std::nullopt, Propagation::foreground);
    }
  }

  std::map<std::string, Memory> memories_;  ///< facts about each Job, by its uid
  std::set<ObjectKey> strays_;              ///< tracked pods whose Job may be gone
};

}  // namespace

std::unique_ptr<ClusterController> jobs(Cluster& cluster) {
  return std::make_unique<Jobs>(cluster);
}

}  // namespace kinf::sandbox
