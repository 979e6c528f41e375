// SPDX-License-Identifier: Apache-2.0
// Chooses the widths of a table's columns so that its rows fit a terminal.
#pragma once

#include <cstddef>
#include <vector>

namespace kinf {

/// The layout of a row: the width of each column that is shown, and the spaces between columns.
struct ColumnFit {
  std::vector<std::size_t> widths;
  std::size_t gap = 3;

  /// Returns the width of the row.
  std::size_t total() const;
};

/// Fits columns whose widest cells have the widths `needed` into `width` cells. Takes the first
/// that fits: the widths in `reserved`, a gap of two, reservations given up from the right, the
/// widest columns narrowed, a gap of one, columns left out from the right. Shows at least one
/// column. `reserved` may be shorter than `needed`. All widths are in cells.
ColumnFit fit_columns(const std::vector<std::size_t>& needed,
                      const std::vector<std::size_t>& reserved, std::size_t width);

}  // namespace kinf
