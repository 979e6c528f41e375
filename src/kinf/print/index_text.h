// SPDX-License-Identifier: Apache-2.0
// The answers of `kinf index` as text: a table of counts, CSV, JSON or YAML.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/query/index_groups.h"
#include "kinf/query/index_spec.h"
#include "kinf/query/key_format.h"

namespace kinf {

/// What was asked and what was found.
struct IndexAnswer {
  const ResourceType* resource = nullptr;
  std::optional<std::string> ns;  ///< empty: all of them
  std::vector<IndexSpec> specs;
  std::vector<ObjectPtr> objects;  ///< those that match, sorted by key
  std::string resource_version;
  KeyFormat key_format;
  bool with_objects = false;  ///< JSON: the objects beside their keys
  bool show_secrets = false;
};

/// index → value → keys.
using IndexDump = std::map<std::string, std::map<std::string, std::vector<std::string>>>;

/// One line a group: the values, COUNT; with `wide` the first keys too.
std::string groups_table(const IndexAnswer& answer, const std::vector<IndexGroup>& groups,
                         bool headers, bool wide = false);
std::string groups_csv(const IndexAnswer& answer, const std::vector<IndexGroup>& groups,
                       bool headers);
/// One document on one line, with all groups.
std::string groups_json(const IndexAnswer& answer, const std::vector<IndexGroup>& groups);
/// One document a group and line.
std::string groups_json_lines(const IndexAnswer& answer, const std::vector<IndexGroup>& groups);
/// The matching objects by key, one document on one line; every spec has a value.
std::string matches_json(const IndexAnswer& answer);
/// A whole index, one document on one line.
std::string dump_json(const IndexDump& dump);
/// The same document as YAML.
std::string json_as_yaml(std::string_view json);
/// Appends the values as a JSON array, with null for "has no value".
void append_index_values(std::string& out, const IndexTuple& values);
/// Appends `"resource":…,"namespace":…,"by":[…]`.
void append_index_question(std::string& out, const IndexAnswer& answer);

}  // namespace kinf
