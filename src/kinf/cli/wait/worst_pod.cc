// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/wait/worst_pod.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "kinf/columns/columns.h"
#include "kinf/columns/fields.h"
#include "kinf/print/object_row.h"

namespace kinf {
namespace {

using columns::field;
using columns::text;
using Json = nlohmann::json;

bool is_controlled_by(const Json& object, const std::set<std::string>& uids) {
  const Json& owners = columns::elements(field(object, "metadata", "ownerReferences"));
  return std::ranges::any_of(owners, [&](const Json& owner) {
    return columns::is_true(field(owner, "controller")) && uids.contains(text(field(owner, "uid")));
  });
}

/// Returns the cells of a pod as text.
std::vector<std::string> cells_of(const Json& pod, Clock::Wall now) {
  std::vector<std::string> cells;
  for (const Json& cell : table_cells(pod, now)) {
    cells.push_back(cell.is_string() ? cell.get<std::string>() : cell.dump());
  }
  return cells;
}

/// Returns 3 for a cell in red, 2 for a pod that does not run, 1 for one that is not ready, else 0.
int badness(const std::vector<TableColumn>& columns, const std::vector<std::string>& cells,
            std::string_view phase) {
  const Colour mark = strongest(attention_colours("Pod", columns, cells));
  if (mark == Colour::red) return 3;
  if (mark == Colour::none) return 0;
  return phase == "Running" ? 1 : 2;
}

ObjectPtr pod_of(const Json& item) {
  const std::string json = item.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string ns = text(field(item, "metadata", "namespace"));
  const std::string name = text(field(item, "metadata", "name"));
  const std::string uid = text(field(item, "metadata", "uid"));
  ObjectFacts facts;
  facts.api_version = "v1";
  facts.kind = "Pod";
  facts.ns = ns;
  facts.name = name;
  facts.uid = uid;
  facts.json = json;
  return Object::create(facts);
}

}  // namespace

std::string pod_selector(std::string_view kind, const Json& workload) {
  constexpr std::array<std::string_view, 5> kOwners = {"Deployment", "ReplicaSet", "StatefulSet",
                                                       "DaemonSet", "Job"};
  if (std::ranges::find(kOwners, kind) == kOwners.end()) return {};
  std::string selector = columns::selector_text(field(workload, "spec", "selector"));
  return selector == "<none>" ? std::string() : selector;
}

std::set<std::string> controlled_by(const Json& items, const std::set<std::string>& uids) {
  std::set<std::string> found;
  for (const Json& item : columns::elements(items)) {
    if (is_controlled_by(item, uids)) found.insert(text(field(item, "metadata", "uid")));
  }
  return found;
}

WorstPod worst_pod(const Json& items, const std::set<std::string>& uids, Clock::Wall now) {
  const std::vector<TableColumn>& columns = table_columns("v1", "Pod").columns;
  WorstPod worst;
  int worst_badness = 0;
  for (const Json& item : columns::elements(items)) {
    if (!is_controlled_by(item, uids)) continue;
    Json pod = item;
    pod["apiVersion"] = "v1";
    pod["kind"] = "Pod";
    const std::vector<std::string> cells = cells_of(pod, now);
    const int bad = badness(columns, cells, text(field(pod, "status", "phase")));
    ++worst.all;
    if (bad > 0) ++worst.unwell;
    if (bad <= worst_badness) continue;
    worst_badness = bad;
    worst.pod = pod_of(pod);
    for (std::size_t i = 0; i < std::min(columns.size(), cells.size()); ++i) {
      if (columns[i].name == "Status") worst.status = cells[i];
    }
  }
  return worst;
}

}  // namespace kinf
