// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/column_fit.h"

#include <algorithm>
#include <numeric>

namespace kinf {
namespace {

constexpr std::size_t kSmallGap = 2;
constexpr std::size_t kSmallestGap = 1;
/// The width of a column without text, as in kubectl's tables.
constexpr std::size_t kLeastWidth = 3;
/// Columns are not narrowed below this width.
constexpr std::size_t kReadableWidth = 12;

/// Returns by how much the row is too wide.
std::size_t excess(const ColumnFit& fit, std::size_t width) {
  const std::size_t total = fit.total();
  return total > width ? total - width : 0;
}

void give_up_reservations(ColumnFit& fit, const std::vector<std::size_t>& needed,
                          std::size_t width) {
  std::size_t over = excess(fit, width);
  for (std::size_t i = fit.widths.size(); i-- > 0;) {
    const std::size_t spare = fit.widths[i] - std::max(needed[i], kLeastWidth);
    fit.widths[i] -= std::min(spare, over);
    over -= std::min(spare, over);
  }
}

void narrow_widest(ColumnFit& fit, std::size_t width) {
  for (std::size_t& column : fit.widths) column = std::min(column, width);
  for (std::size_t over = excess(fit, width); over > 0; --over) {
    // Of columns of the same width, narrow the last one.
    const auto widest = std::max_element(fit.widths.rbegin(), fit.widths.rend());
    if (*widest <= kReadableWidth) return;
    --*widest;
  }
}

}  // namespace

std::size_t ColumnFit::total() const {
  return std::accumulate(widths.begin(), widths.end(), std::size_t{0}) +
         (widths.empty() ? 0 : gap * (widths.size() - 1));
}

ColumnFit fit_columns(const std::vector<std::size_t>& needed,
                      const std::vector<std::size_t>& reserved, std::size_t width) {
  ColumnFit fit;
  if (needed.empty()) return fit;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const std::size_t least = std::max(needed[i], kLeastWidth);
    fit.widths.push_back(i < reserved.size() ? std::max(least, reserved[i]) : least);
  }
  if (excess(fit, width) == 0) return fit;
  fit.gap = kSmallGap;
  give_up_reservations(fit, needed, width);
  narrow_widest(fit, width);
  if (excess(fit, width) > 0) fit.gap = kSmallestGap;
  while (fit.widths.size() > 1 && excess(fit, width) > 0) fit.widths.pop_back();
  return fit;
}

}  // namespace kinf
