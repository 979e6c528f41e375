// SPDX-License-Identifier: Apache-2.0
// Sorts objects for printing (--sort-by).
#pragma once

#include <vector>

#include "kinf/print/objects_printer.h"
#include "kinf/query/sort_order.h"

namespace kinf {

/// What is sorted together.
enum class SortScope {
  table,  ///< the objects of each table; consecutive entries of the same type share one
  all,
};

/// Sorts the objects by `order`, also across clusters. Then each entry of `types` has one object.
/// An empty order changes nothing. Fails like SortOrder::positions(); `types` is then unspecified.
Result<void> sort_objects(std::vector<PrintedObjects>& types, const SortOrder& order,
                          SortScope scope);

}  // namespace kinf
