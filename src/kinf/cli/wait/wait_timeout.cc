// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kinf/api/lister_watcher.h"
#include "kinf/base/log.h"
#include "kinf/base/visible_text.h"
#include "kinf/cli/connection/connection.h"
#include "kinf/cli/runtime/blocking_calls.h"
#include "kinf/cli/session/informer_set.h"
#include "kinf/cli/session/session.h"
#include "kinf/cli/wait/wait_report.h"
#include "kinf/cli/wait/wait_tracker.h"
#include "kinf/cli/wait/worst_pod.h"
#include "kinf/client/api_client.h"
#include "kinf/client/paths.h"
#include "kinf/client/type_names.h"
#include "kinf/columns/fields.h"
#include "kinf/columns/human_duration.h"
#include "kinf/print/event_note.h"
#include "kinf/query/jsonpath.h"

namespace kinf {

namespace {

/// The maximum number of objects that one request reads.
constexpr std::int64_t kReadEvents = 500;

constexpr std::size_t kShownEvents = 3;

/// Returns whether an Event is about this object and not about an earlier one of the same name.
bool is_about(const EventNote& note, const Object& object) {
  // A kubelet uses the name of its node as the uid.
  return note.uid.empty() || note.uid == object.uid() || note.uid == note.name;
}

/// Returns the edit distance between `wanted` and a name that the user may have meant. It is 1 for
/// a name such as `wanted-x7k2p`, because names of generated objects begin with the name of their
/// owner.
std::size_t distance(const std::string& wanted, const std::string& name) {
  return name.starts_with(wanted + "-") ? 1 : edit_distance(wanted, name);
}

/// Asks the server for the recent Events about an object, and for names that are similar to the
/// name of a missing object. Stops all requests kPatience after its construction. The result of a
/// request that is stopped or fails is empty. Threads: one owner; an internal thread stops the
/// requests.
class WaitDiagnosis {
 public:
  static constexpr std::chrono::seconds kPatience{1};

  /// Opens no connection yet. `connection` must outlive this object.
  explicit WaitDiagnosis(Connection& connection)
      : clock_(connection.clock()),
        timer_([this, deadline = clock_.now() + kPatience](const std::stop_token& stop) {
          if (sleep_until(clock_, deadline, stop)) limit_.request_stop();
        }) {
    if (auto client = connection.new_client()) client_ = *std::move(client);
  }

  /// Returns the last Events about an object, at most `most`, the newest last:
  /// `event 3s ago: Warning BackOff: …`.
  std::vector<std::string> recent_events(const Object& object, const std::string& kind,
                                         std::size_t most) {
    ListOptions about;
    about.field_selector =
        fmt::format("involvedObject.kind={},involvedObject.name={}", kind, object.name());
    std::vector<EventNote> notes;
    for (const nlohmann::json& item :
         items({"", "v1", "events"}, object.ns().empty() ? "default" : std::string(object.ns()),
               about, "application/json")) {
      const std::string json = item.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
      ObjectFacts facts;
      facts.json = json;
      EventNote note = event_note(*Object::create(facts));
      if (is_about(note, object)) notes.push_back(std::move(note));
    }
    std::ranges::stable_sort(notes, {}, &EventNote::last_seen);
    const std::size_t skipped = notes.size() - std::min(notes.size(), most);
    std::vector<std::string> lines;
    for (std::size_t i = skipped; i < notes.size(); ++i) {
      const std::string when =
          notes[i].last_seen ? " " + human_age(*notes[i].last_seen, clock_.wall()) + " ago" : "";
      lines.push_back(fmt::format("event{}: {}", when, notes[i].text));
    }
    return lines;
  }

  /// Returns which pod of a workload is worst, and why: `worst of 3 pods: web-5d-x (Pending):
  /// condition PodScheduled=False (Unschedulable: …)`, and its last Event. Empty if all are well.
  std::vector<std::string> worst_pod_of(const AwaitedObject& object) {
    if (!object.last) return {};
    Scratch scratch;
    ListOptions selected;
    const std::string& kind = object.source->type->kind;
    selected.label_selector = pod_selector(kind, parse_document(object.last->json(scratch)));
    if (selected.label_selector.empty()) return {};
    std::set<std::string> uids = {std::string(object.last->uid())};
    if (kind == "Deployment") {
      uids = controlled_by(
          items({"apps", "v1", "replicasets"}, object.ns, selected, kMetadataListTypes), uids);
    }
    const WorstPod worst = worst_pod(
        items({"", "v1", "pods"}, object.ns, selected, "application/json"), uids, clock_.wall());
    if (!worst.pod) return {};
    const std::vector<std::string> why = reasons({}, *worst.pod);
    std::vector<std::string> lines = {fmt::format(
        "{} of {} pods not ready; worst: {} ({}){}{}", worst.unwell, worst.all, worst.pod->name(),
        worst.status, why.empty() ? "" : ": ", why.empty() ? "" : why.front())};
    std::ranges::move(recent_events(*worst.pod, "Pod", 1), std::back_inserter(lines));
    return lines;
  }

  /// Returns similar names of objects of the same type and namespace.
  std::vector<std::string> similar_names(const AwaitedObject& object) {
    std::vector<std::pair<std::size_t, std::string>> names;
    for (const nlohmann::json& item :
         items(object.source->type->gvr, object.ns, {}, kMetadataListTypes)) {
      std::string name = columns::text(columns::field(item, "metadata", "name"));
      const std::size_t far = distance(object.name, name);
      if (name != object.name) names.emplace_back(far, std::move(name));
    }
    return kinf::similar_names(object.name, std::move(names));
  }

 private:
  nlohmann::json items(const GroupVersionResource& gvr, const std::string& ns, ListOptions options,
                       std::string_view accept) {
    if (client_ == nullptr) return nlohmann::json::array();
    options.limit = kReadEvents;
    const Result<ApiAnswer> answer =
        get_list(*client_, gvr, ns, options, accept, limit_.get_token());
    if (!answer) return nlohmann::json::array();
    return columns::elements(columns::field(parse_document(answer->body), "items"));
  }

  Clock& clock_;
  std::unique_ptr<ApiClient> client_;  ///< null if no client could be created
  std::stop_source limit_;
  std::jthread timer_;
};

/// Writes the report of a timeout.
class WaitTimeout {
 public:
  WaitTimeout(const WaitTracker& tracker, const std::vector<Session*>& sessions, bool is_once,
              Clock& clock)
      : tracker_(tracker), sessions_(sessions), is_once_(is_once), clock_(clock) {}

  void report() {
    constexpr std::size_t kShownObjects = 10;
    if (!tracker_.is_complete()) return report_unsynced();
    const WaitGoal& goal = tracker_.goal();
    if (const std::optional<Clock::Duration> held = tracker_.held()) {
      return report_lines({},
                          fmt::format("timed out: the condition has held for {}, not for {}",
                                      human_duration(*held), human_duration(goal.duration)),
                          {});
    }
    std::vector<AwaitedObject> objects = tracker_.objects();
    const std::size_t all = objects.size();
    std::erase_if(objects, [](const AwaitedObject& object) { return object.is_satisfied; });
    if (goal.count) {
      report_lines({},
                   fmt::format("timed out waiting for the condition on {} objects: {} of {} met it",
                               goal.count->words(), all - objects.size(), all),
                   {});
    } else if (objects.empty()) {
      report_lines({}, "timed out waiting for the condition: no matching resources found", {});
    }
    for (std::size_t i = 0; i < std::min(objects.size(), kShownObjects); ++i) {
      report_object(objects[i]);
    }
    if (objects.size() > kShownObjects) {
      report_lines({}, fmt::format("and {} more objects", objects.size() - kShownObjects), {});
    }
  }

 private:
  void report_unsynced() {
    std::vector<std::string> lines;
    for (const Session* session : sessions_) {
      if (session == nullptr) continue;
      for (const std::string& text : session->informers->monitor().unsynced()) {
        lines.push_back("no initial list: " + text);
      }
    }
    report_lines({}, "timed out waiting for the condition", lines);
  }

  void report_object(const AwaitedObject& object) {
    const WatchPlan& plan = sessions_[object.source->cluster_rank]->plan;
    std::string error =
        (is_once_ ? "condition not met for " : "timed out waiting for the condition on ") +
        resource_name(object);
    if (plan.several_namespaces() && !object.ns.empty()) error += " in namespace " + object.ns;
    report_lines(object.source->cluster, error, reasons_of(object));
  }

  std::vector<std::string> reasons_of(const AwaitedObject& object) {
    const WaitGoal& goal = tracker_.goal();
    const std::size_t rank = object.source->cluster_rank;
    std::vector<std::string> lines = {"last seen: " + last_state(goal, object, clock_.wall())};
    std::unique_ptr<WaitDiagnosis>& diagnosis = diagnoses_[rank];
    if (!diagnosis) diagnosis = std::make_unique<WaitDiagnosis>(*sessions_[rank]->connection);
    if (object.last) {
      std::ranges::move(reasons(goal, *object.last), std::back_inserter(lines));
      std::ranges::move(
          diagnosis->recent_events(*object.last, object.source->type->kind, kShownEvents),
          std::back_inserter(lines));
      std::ranges::move(diagnosis->worst_pod_of(object), std::back_inserter(lines));
      return lines;
    }
    const std::vector<std::string> names = diagnosis->similar_names(object);
    if (!names.empty())
      lines.push_back(fmt::format("hint: similar names: {}", fmt::join(names, ", ")));
    return lines;
  }

  const WaitTracker& tracker_;
  const std::vector<Session*>& sessions_;
  const bool is_once_;
  Clock& clock_;
  std::map<std::size_t, std::unique_ptr<WaitDiagnosis>> diagnoses_;  ///< one per cluster, by rank
};

}  // namespace

void report_lines(const std::string& cluster, const std::string& error,
                  const std::vector<std::string>& lines) {
  std::string text = cluster.empty() ? "" : visible_line(cluster) + ": ";
  text += "error: " + visible_line(error);
  for (const std::string& line : lines) text += "\n  " + visible_line(line);
  log::error(text);
}

std::vector<std::string> pod_reasons(const AwaitedObject& object, Session& session) {
  return WaitDiagnosis(*session.connection).worst_pod_of(object);
}

void report_timeout(const WaitTracker& tracker, const std::vector<Session*>& sessions, bool is_once,
                    Clock& clock) {
  WaitTimeout(tracker, sessions, is_once, clock).report();
}

}  // namespace kinf
