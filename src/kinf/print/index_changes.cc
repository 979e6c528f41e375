// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/index_changes.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinf/base/json_string.h"
#include "kinf/base/unicode.h"
#include "kinf/base/visible_text.h"

namespace kinf {
namespace {

constexpr std::size_t kGap = 3;

std::string text_of(const IndexTuple& values) {
  std::string text;
  for (const auto& value : values) {
    if (!text.empty()) text += ", ";
    text += visible_line(value.value_or("<none>"));
  }
  return text;
}

}  // namespace

void IndexChanges::reserve(const IndexTuple& values) {
  width_ = std::max(width_, code_points(text_of(values)));
}

std::string IndexChanges::line(const IndexMove& move, std::string_view key) {
  if (as_json_) return json_line(move, key);
  if (move.from) reserve(*move.from);
  if (move.to) reserve(*move.to);
  const bool moved = move.from && move.to;
  std::string text = text_of(move.from ? *move.from : *move.to);
  if (moved) text += " → " + text_of(*move.to);
  const std::size_t width = code_points(text);
  if (!text.empty()) text.append((width < width_ ? width_ - width : 0) + kGap, ' ');
  if (!moved) text += move.to ? "+ " : "- ";
  return text.append(visible_line(key)).append("\n");
}

std::string IndexChanges::json_line(const IndexMove& move, std::string_view key) const {
  std::string out = "{";
  append_index_question(out, answer_);
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

}  // namespace kinf
