// SPDX-License-Identifier: Apache-2.0
// Formats the results of `kinf index` (a table of counts, CSV, JSON or YAML), and the changes that
// `kinf index -w` prints.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/print/table_text.h"
#include "kinf/query/index_groups.h"
#include "kinf/query/index_spec.h"

namespace kinf {

/// A query to an index and the matching objects.
struct IndexAnswer {
  const ResourceType* resource = nullptr;
  std::optional<std::string> ns;   ///< nullopt means all namespaces
  std::vector<IndexSpec> specs;    ///< one per --by
  std::vector<ObjectPtr> objects;  ///< the matching objects, sorted by key
  std::string resource_version;
  std::string cluster;  ///< the kubeconfig context; empty if the command uses only one
  KeyFormat key_format;
  bool with_objects = false;        ///< whether JSON has the objects, too, not only their keys
  std::set<const Object*> damaged;  ///< objects with damaged documents, which JSON leaves out
  bool show_secrets = false;
};

/// The contents of all indices: index name → value → keys.
using IndexDump = std::map<std::string, std::map<std::string, std::vector<std::string>>>;

/// Returns a table with one line per group. The columns are CLUSTER (if the command uses several),
/// the group's values, COUNT and, if `wide`, the first KEYS.
std::string groups_table(const IndexAnswer& answer, const std::vector<IndexGroup>& groups,
                         bool headers, bool wide = false, TerminalWidth terminal_width = {});
/// Returns the groups as rows with a separator. The cell of a missing value is empty.
std::string groups_separated(const IndexAnswer& answer, const std::vector<IndexGroup>& groups,
                             bool headers, Separator separator);
/// Returns one JSON document with all groups, on one line.
std::string groups_json(const IndexAnswer& answer, const std::vector<IndexGroup>& groups);
/// Returns one JSON document per group, one per line.
std::string groups_json_lines(const IndexAnswer& answer, const std::vector<IndexGroup>& groups);
/// Returns the matching objects as one JSON document on one line. Every spec must have a value.
std::string matches_json(const IndexAnswer& answer);
/// Returns the contents of all indices as one JSON document on one line.
std::string dump_json(const IndexDump& dump);
/// Returns the contents of the indices of several clusters as one JSON document on one line.
/// `dumps` maps cluster → index name → value → keys.
std::string dump_json(const std::map<std::string, IndexDump>& dumps);
/// Converts a JSON document to YAML. Returns an empty string if `json` is not valid.
std::string json_as_yaml(std::string_view json);

/// Formats the lines of `kinf index -w`. Each line says that an object was added to an index,
/// removed from it, or moved in it. Threads: one thread at a time.
class IndexChanges {
 public:
  /// `clusters` has the kubeconfig contexts if the command uses several; otherwise it is empty. On
  /// a terminal, a line that is too wide continues on the next one.
  explicit IndexChanges(bool as_json, const std::vector<std::string>& clusters = {},
                        TerminalWidth terminal_width = {});

  /// Makes the column of the values wide enough for a value that may be printed later.
  void reserve(const IndexTuple& values);
  /// Returns one line with its end: text such as `nginx + default/nginx-d` or `nginx → web
  /// default/nginx-a`, or JSON. If the command uses several clusters, the cluster comes first. Does
  /// not use `question.objects`.
  std::string line(const IndexAnswer& question, const IndexMove& move, std::string_view key);

 private:
  std::string text_line(const std::vector<std::string>& cells) const;

  const bool as_json_;
  const TerminalWidth terminal_width_;
  std::size_t cluster_width_ = 0;  ///< width of the longest cluster, in cells; 0 without clusters
  std::size_t width_ = 0;          ///< width of the longest value so far, in cells
};

}  // namespace kinf
