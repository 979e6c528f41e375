// SPDX-License-Identifier: Apache-2.0
// The answers of `kinf index` as text: a table of counts, or JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/query/index_groups.h"
#include "kinf/query/index_spec.h"

namespace kinf {

/// What was asked and what was found.
struct IndexAnswer {
  const ResourceType* resource = nullptr;
  std::optional<std::string> ns;  ///< empty: all of them
  std::vector<IndexSpec> specs;
  std::vector<ObjectPtr> objects;  ///< those that match, sorted by key
  std::string resource_version;
};

/// One line a group: the values, COUNT.
std::string groups_table(const IndexAnswer& answer, const std::vector<IndexGroup>& groups,
                         bool headers);
/// One document on one line, with all groups.
std::string groups_json(const IndexAnswer& answer, const std::vector<IndexGroup>& groups);
/// One document a group and line.
std::string groups_json_lines(const IndexAnswer& answer, const std::vector<IndexGroup>& groups);
/// The matching objects by key, one document on one line; every spec has a value.
std::string matches_json(const IndexAnswer& answer);

}  // namespace kinf
