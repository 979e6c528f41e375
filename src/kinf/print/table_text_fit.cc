// SPDX-License-Identifier: Apache-2.0
// Fits the rows of a TableText into the width of a terminal.
#include <algorithm>
#include <numeric>

#include "kinf/base/display_width.h"
#include "kinf/print/table_text.h"

namespace kinf {
namespace {

constexpr std::size_t kSmallGap = 2;
constexpr std::size_t kSmallestGap = 1;
/// The width of a column without text, as in kubectl's tables.
constexpr std::size_t kLeastWidth = 3;
/// Columns are not narrowed below this width.
constexpr std::size_t kReadableWidth = 12;
/// Text is not wrapped to less than this width, if there is a way around it.
constexpr std::size_t kTextWidth = 30;
/// The indentation of a text below its row.
constexpr std::size_t kTextIndent = 4;

/// Returns by how many cells a row is wider than `width`; 0 if it fits.
std::size_t excess(const ColumnFit& fit, std::size_t width) {
  const std::size_t total = fit.total();
  return total > width ? total - width : 0;
}

ColumnRole role_of(const std::vector<ColumnRole>& roles, std::size_t column) {
  return column < roles.size() ? roles[column] : ColumnRole::wanted;
}

/// Returns the index of the last column that is shown.
std::size_t last_shown(const ColumnFit& fit) {
  std::size_t last = fit.widths.size() - 1;
  while (last > 0 && fit.widths[last] == 0) --last;
  return last;
}

void give_up_reservations(ColumnFit& fit, const std::vector<std::size_t>& needed,
                          const std::vector<ColumnRole>& roles, std::size_t width) {
  std::size_t over = excess(fit, width);
  for (std::size_t i = fit.widths.size(); i-- > 0;) {
    // The words of EVENT differ in width, and must not move the columns.
    const bool is_short = fit.widths[i] <= kReadableWidth;
    if (is_short && role_of(roles, i) == ColumnRole::fixed) continue;
    const std::size_t spare = fit.widths[i] - std::max(needed[i], kLeastWidth);
    fit.widths[i] -= std::min(spare, over);
    over -= std::min(spare, over);
  }
}

/// Narrows a column by what the row is too wide, but not below `least`.
void narrow(ColumnFit& fit, std::size_t column, std::size_t least, std::size_t width) {
  std::size_t& own = fit.widths[column];
  if (own > least) own -= std::min(own - least, excess(fit, width));
}

/// Narrows as few columns as possible: each cell that is too wide for its column costs a line.
void narrow_widest(ColumnFit& fit, const std::vector<ColumnRole>& roles, std::size_t width) {
  const std::size_t last = last_shown(fit);
  while (excess(fit, width) > 0) {
    std::size_t widest = fit.widths.size();
    for (std::size_t i = 0; i < fit.widths.size(); ++i) {
      const ColumnRole role = role_of(roles, i);
      if (role == ColumnRole::fixed || (role == ColumnRole::wanted && i == last)) continue;
      if (fit.widths[i] <= kReadableWidth) continue;
      if (widest == fit.widths.size() || fit.widths[i] >= fit.widths[widest]) widest = i;
    }
    if (widest == fit.widths.size()) return;
    narrow(fit, widest, kReadableWidth, width);
  }
}

/// Makes the shown columns fit `width`. Returns false if that is not possible; `fit` is then as
/// narrow as it can be.
bool make_fit(ColumnFit& fit, const std::vector<ColumnRole>& roles, std::size_t width) {
  const ColumnFit whole = fit;
  const std::size_t last = last_shown(whole);
  const bool may_go_below = last > 0 && role_of(roles, last) == ColumnRole::wanted;
  for (const bool narrows_others : {false, true}) {
    for (const std::size_t least : {kTextWidth, kLeastWidth}) {
      // Below its row, a text needs fewer lines than beside cells that take a line each.
      if (may_go_below ? narrows_others && least == kTextWidth : least == kLeastWidth) continue;
      for (const std::size_t gap : {kSmallGap, kSmallestGap}) {
        fit = whole;
        fit.gap = gap;
        narrow(fit, last, least, width);
        if (narrows_others) narrow_widest(fit, roles, width);
        if (excess(fit, width) == 0) return true;
      }
    }
  }
  return false;
}

/// Returns the width of the widest part of a text that wrapped_at() does not break if it can.
std::size_t widest_word(std::string_view text) {
  std::size_t widest = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find_first_of(" ,"));
    widest = std::max(widest, display_width(word) + 1);
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return widest;
}

/// Writes the cells of one row.
class RowWriter {
 public:
  RowWriter(std::string& out, std::size_t width) : out_(out), width_(width) {}

  /// Writes a cell at the column `begin`. A cell that would go beyond the edge moves to the left.
  void write(std::string_view text, Colour colour, std::size_t begin) {
    if (text.empty()) return;
    const std::size_t size = display_width(text);
    if (width_ > 0 && begin + size > width_) begin = size < width_ ? width_ - size : 0;
    move_to(begin);
    append_coloured(out_, text, colour);
    at_ += size;
  }

  /// Writes the last cell, which may take several lines.
  void write_last(std::string_view text, Colour colour, std::size_t begin) {
    const std::size_t size = display_width(text);
    const bool can_wrap = text.find_first_of(" ,") != std::string_view::npos;
    if (width_ == 0 || begin + size <= width_ || !can_wrap) return write(text, colour, begin);
    const std::size_t room = width_ > begin ? width_ - begin : 0;
    const bool stays = (room >= kTextWidth || (room >= kReadableWidth && size <= 2 * room)) &&
                       widest_word(text) <= room;
    const std::size_t indent = stays ? begin : width_ > kTextWidth ? kTextIndent : 0;
    if (!stays) end_line();
    for (const std::string_view line : wrapped_at(text, width_ - indent)) {
      write(line, colour, indent);
    }
  }

 private:
  void move_to(std::size_t begin) {
    if (at_ > 0 && at_ >= begin) {
      if (width_ > 0) {
        end_line();
      } else {
        begin = at_ + kSmallGap + 1;
      }
    }
    out_.append(begin - at_, ' ');
    at_ = begin;
  }
  void end_line() {
    if (at_ == 0) return;
    out_ += '\n';
    at_ = 0;
  }

  std::string& out_;
  const std::size_t width_;
  std::size_t at_ = 0;  ///< the width of the current line so far
};

}  // namespace

std::size_t ColumnFit::total() const {
  const auto shown = std::ranges::count_if(widths, [](std::size_t one) { return one > 0; });
  return std::accumulate(widths.begin(), widths.end(), std::size_t{0}) +
         (shown == 0 ? 0 : gap * (static_cast<std::size_t>(shown) - 1));
}

ColumnFit fit_columns(const std::vector<std::size_t>& needed,
                      const std::vector<std::size_t>& reserved,
                      const std::vector<ColumnRole>& roles, std::size_t width) {
  ColumnFit fit;
  if (needed.empty()) return fit;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const std::size_t least = std::max(needed[i], kLeastWidth);
    fit.widths.push_back(i < reserved.size() ? std::max(least, reserved[i]) : least);
  }
  if (excess(fit, width) == 0) return fit;
  // If the last cells only need to wrap, the columns stay where they are.
  const std::size_t last = last_shown(fit);
  if (last > 0 && role_of(roles, last) == ColumnRole::wanted) {
    ColumnFit wrapped = fit;
    narrow(wrapped, last, kTextWidth, width);
    if (excess(wrapped, width) == 0) return wrapped;
  }
  fit.gap = kSmallGap;
  give_up_reservations(fit, needed, roles, width);
  ColumnFit narrowed = fit;
  bool fits = make_fit(narrowed, roles, width);
  for (std::size_t i = fit.widths.size(); i-- > 0 && !fits;) {
    if (role_of(roles, i) != ColumnRole::spare) continue;
    fit.widths[i] = 0;
    narrowed = fit;
    fits = make_fit(narrowed, roles, width);
  }
  return narrowed;
}

void append_fitted_row(std::string& out, const std::vector<TableCell>& cells, const ColumnFit& fit,
                       std::size_t width) {
  RowWriter row(out, width);
  std::size_t begin = 0;
  std::size_t last = std::min(cells.size(), fit.widths.size());
  while (last > 0 && fit.widths[last - 1] == 0) --last;
  for (std::size_t i = 0; i < last; ++i) {
    if (fit.widths[i] == 0) continue;
    if (i + 1 == last || (width > 0 && display_width(cells[i].text) > width)) {
      row.write_last(cells[i].text, cells[i].colour, begin);
    } else {
      row.write(cells[i].text, cells[i].colour, begin);
    }
    begin += fit.widths[i] + fit.gap;
  }
  out += '\n';
}

}  // namespace kinf
