// SPDX-License-Identifier: Apache-2.0
// Prints objects with the objects that they own, directly or not, as a tree. Pure functions.
// Threads: any.
#pragma once

#include <string>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/base/clock.h"
#include "kinf/print/event_printer.h"

namespace kinf {

/// Below this depth, owned objects are not shown.
inline constexpr std::size_t kDeepestBranch = 30;

struct TreeRow {
  std::string branch{};  ///< the lines in front of the name: `│ └─`; empty for a root
  ObjectPtr object{};
};

/// Returns the roots, each followed by its branches: what it owns among `objects`, by kind and
/// name. An object appears once below a root, even if it has several owners there. A root that
/// another root owns has a row only below that one.
std::vector<TreeRow> tree_rows(const std::vector<ObjectPtr>& roots,
                               const std::vector<ObjectPtr>& objects);

/// Returns the rows as a table with the columns NAME, READY, STATUS and AGE, and NAMESPACE if
/// `options` asks for it. READY and STATUS are the cells of the server that say so.
std::string tree_text(const std::vector<TreeRow>& rows, const PrintOptions& options,
                      Clock::Wall now);

}  // namespace kinf
