// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/wait/wait_timeout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "kinf/base/log.h"
#include "kinf/base/visible_text.h"
#include "kinf/cli/wait/wait_report.h"
#include "kinf/columns/human_duration.h"

namespace kinf {

void report_lines(const std::string& cluster, const std::string& error,
                  const std::vector<std::string>& lines) {
  std::string text = cluster.empty() ? "" : visible_line(cluster) + ": ";
  text += "error: " + visible_line(error);
  for (const std::string& line : lines) text += "\n  " + visible_line(line);
  log::error(text);
}

void WaitTimeout::report() {
  constexpr std::size_t kMostObjects = 10;
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
  for (std::size_t i = 0; i < std::min(objects.size(), kMostObjects); ++i) {
    report_object(objects[i]);
  }
  if (objects.size() > kMostObjects) {
    report_lines({}, fmt::format("and {} more objects", objects.size() - kMostObjects), {});
  }
}

void WaitTimeout::report_unsynced() {
  std::vector<std::string> lines;
  for (const Session* session : sessions_) {
    if (session == nullptr) continue;
    for (const std::string& text : session->informers->monitor().unsynced()) {
      lines.push_back("no initial list: " + text);
    }
  }
  report_lines({}, "timed out waiting for the condition", lines);
}

void WaitTimeout::report_object(const AwaitedObject& object) {
  const WatchPlan& plan = sessions_[object.source->cluster_rank]->plan;
  std::string error =
      (is_once_ ? "condition not met for " : "timed out waiting for the condition on ") +
      resource_name(object);
  if (plan.several_namespaces() && !object.ns.empty()) error += " in namespace " + object.ns;
  report_lines(object.source->cluster, error, reasons_of(object));
}

std::vector<std::string> WaitTimeout::reasons_of(const AwaitedObject& object) {
  const WaitGoal& goal = tracker_.goal();
  const std::size_t rank = object.source->cluster_rank;
  std::vector<std::string> lines = {"last seen: " + last_state(goal, object, clock_.wall())};
  std::unique_ptr<WaitDiagnosis>& diagnosis = diagnoses_[rank];
  if (!diagnosis) diagnosis = std::make_unique<WaitDiagnosis>(*sessions_[rank]->connection);
  if (object.last) {
    std::ranges::move(reasons(goal, *object.last), std::back_inserter(lines));
    std::ranges::move(diagnosis->recent_events(object), std::back_inserter(lines));
    return lines;
  }
  const std::vector<std::string> names = diagnosis->similar_names(object);
  if (!names.empty())
    lines.push_back(fmt::format("hint: similar names: {}", fmt::join(names, ", ")));
  return lines;
}

}  // namespace kinf
