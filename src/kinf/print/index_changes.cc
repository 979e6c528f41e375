// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/index_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kinf/base/display_width.h"
#include "kinf/base/json_string.h"
#include "kinf/base/visible_text.h"
#include "kinf/print/column_fit.h"

namespace kinf {
namespace {

std::string text_of(const IndexTuple& values) {
  std::string text;
  for (const auto& value : values) {
    if (!text.empty()) text += ", ";
    text += visible_line(value.value_or("<none>"));
  }
  return text;
}

std::string json_line(const IndexAnswer& question, const IndexMove& move, std::string_view key) {
  std::string out = "{";
  append_index_question(out, question);
  out += fmt::format(",\"change\":\"{}\"", !move.from ? "added" : !move.to ? "removed" : "moved");
  if (move.from && move.to) {
    out += ",\"old\":";
    append_index_values(out, *move.from);
  }
  out += ",\"values\":";
  append_index_values(out, move.to ? *move.to : *move.from);
  out += ",\"key\":";
  append_json_string(out, key);
  return out + "}\n";
}

}  // namespace

IndexChanges::IndexChanges(bool as_json, const std::vector<std::string>& clusters,
                           TerminalWidth terminal_width)
    : as_json_(as_json), terminal_width_(std::move(terminal_width)) {
  for (const std::string& cluster : clusters) {
    cluster_width_ = std::max(cluster_width_, display_width(visible_line(cluster)));
  }
}

void IndexChanges::reserve(const IndexTuple& values) {
  width_ = std::max(width_, display_width(text_of(values)));
}

std::string IndexChanges::line(const IndexAnswer& question, const IndexMove& move,
                               std::string_view key) {
  if (as_json_) return json_line(question, move, key);
  if (move.from) reserve(*move.from);
  if (move.to) reserve(*move.to);
  const bool moved = move.from && move.to;
  std::vector<std::string> cells;
  if (cluster_width_ > 0) cells.push_back(visible_line(question.cluster));
  cells.push_back(text_of(move.from ? *move.from : *move.to));
  if (moved) cells.back() += " → " + text_of(*move.to);
  if (cells.back().empty()) cells.pop_back();  // without --by
  const char* mark = moved ? "" : move.to ? "+ " : "- ";
  cells.push_back(mark + visible_line(key));
  return text_line(cells);
}

/// Neither the key nor a move makes its column wider for the other lines.
std::string IndexChanges::text_line(const std::vector<std::string>& cells) const {
  std::vector<std::size_t> needed;
  for (const std::string& cell : cells) needed.push_back(display_width(cell));
  ColumnFit fit{needed, 3};
  const std::size_t values = cluster_width_ > 0 ? 1 : 0;
  if (cluster_width_ > 0) fit.widths.front() = cluster_width_;
  if (cells.size() == values + 2) fit.widths[values] = std::max(needed[values], width_);
  const std::size_t screen = terminal_width_ ? terminal_width_() : 0;
  if (screen > 0 && fit.total() > screen) fit = fit_columns(needed, fit.widths, screen);
  std::string line;
  for (std::size_t i = 0; i < fit.widths.size(); ++i) {
    const std::string text = shortened_in_the_middle(cells[i], fit.widths[i]);
    line += text;
    if (i + 1 == fit.widths.size()) break;
    line.append(fit.widths[i] - display_width(text) + fit.gap, ' ');
  }
  return line + "\n";
}

}  // namespace kinf
