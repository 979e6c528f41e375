// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/index_changes.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinf/print/json_text.h"

namespace kinf {
namespace {

constexpr std::size_t kGap = 3;

std::string text_of(const IndexTuple& values) {
  std::string text;
  for (const auto& value : values) {
    if (!text.empty()) text += ", ";
    for (const char c : value.value_or("<none>")) {
      text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    }
  }
  return text;
}

/// Counts code points, as the tables do.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](unsigned char c) { return (c & 0xc0U) != 0x80U; }));
}

}  // namespace

void IndexChanges::reserve(const IndexTuple& values) {
  width_ = std::max(width_, width_of(text_of(values)));
}

std::string IndexChanges::line(const IndexMove& move, std::string_view key) {
  if (as_json_) return json_line(move, key);
  if (move.from) reserve(*move.from);
  if (move.to) reserve(*move.to);
  const bool moved = move.from && move.to;
  std::string text = text_of(move.from ? *move.from : *move.to);
  if (moved) text += " → " + text_of(*move.to);
  const std::size_t width = width_of(text);
  if (!text.empty()) text.append((width < width_ ? width_ - width : 0) + kGap, ' ');
  if (!moved) text += move.to ? "+ " : "- ";
  return text.append(key).append("\n");
}

std::string IndexChanges::json_line(const IndexMove& move, std::string_view key) const {
  const auto append_values = [](std::string& out, const IndexTuple& values) {
    out += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) out += ',';
      if (values[i]) {
        append_quoted(out, *values[i]);
      } else {
        out += "null";
      }
    }
    out += ']';
  };
  std::string out = "{";
  append_index_question(out, answer_);
  out += fmt::format(",\"change\":\"{}\"", !move.from ? "added" : !move.to ? "removed" : "moved");
  if (move.from && move.to) {
    out += ",\"old\":";
    append_values(out, *move.from);
  }
  out += ",\"values\":";
  append_values(out, move.to ? *move.to : *move.from);
  out += ",\"key\":";
  append_quoted(out, key);
  return out + "}\n";
}

}  // namespace kinf
