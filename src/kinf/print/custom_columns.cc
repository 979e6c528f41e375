// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/custom_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kinf/base/ascii.h"
#include "kinf/query/jsonpath_scope.h"
#include "kinf/query/sort_order.h"

namespace kinf {
namespace {

constexpr std::string_view kNone = "<none>";

std::unexpected<Error> usage(std::string message) {
  return fail(ErrorKind::usage, std::move(message));
}

/// Returns the words of the next line and removes the line from `text`.
std::vector<std::string_view> take_words(std::string_view& text) {
  const std::size_t size = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, size);
  text.remove_prefix(std::min(size + 1, text.size()));
  std::vector<std::string_view> words;
  for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
    words.push_back(line.substr(0, line.find_first_of(" \t\r\v\f")));
    line.remove_prefix(words.back().size());
  }
  return words;
}

}  // namespace

Result<CustomColumns> CustomColumns::parse(std::string_view text) {
  if (text.empty()) return usage("custom-columns format specified but no custom columns given");
  CustomColumns columns;
  for (const std::string_view one : split_paths(text)) {
    const std::size_t colon = one.find(':');
    if (colon == std::string_view::npos) {
      return usage(
          fmt::format("unexpected custom-columns spec: {}, expected "
                      "<header>:<json-path-expr>",
                      one));
    }
    Result<void> added = columns.add(one.substr(0, colon), one.substr(colon + 1));
    if (!added) return fail(added);
  }
  return columns;
}

Result<CustomColumns> CustomColumns::parse_lines(std::string_view text) {
  constexpr std::string_view kFormat =
      "Expected format is one line of space separated headers, one line of space separated column "
      "specs.";
  if (text.empty()) return usage(fmt::format("invalid template, missing header line. {}", kFormat));
  const std::vector<std::string_view> headers = take_words(text);
  if (text.empty()) return usage(fmt::format("invalid template, missing spec line. {}", kFormat));
  const std::vector<std::string_view> specs = take_words(text);
  if (headers.size() != specs.size()) {
    return usage(fmt::format("number of headers ({}) and field specifications ({}) don't match",
                             headers.size(), specs.size()));
  }
  CustomColumns columns;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    Result<void> added = columns.add(headers[i], specs[i]);
    if (!added) return fail(added);
  }
  return columns;
}

Result<void> CustomColumns::add(std::string_view header, std::string_view spec) {
  Column column{std::string(header), Source::object, std::nullopt};
  if (spec == "EVENT") column.source = Source::event;
  if (spec == "TIME") column.source = Source::time;
  if (spec == "OLD" || spec.starts_with("OLD.") || spec.starts_with("OLD[")) {
    column.source = Source::old;
    spec.remove_prefix(std::string_view("OLD").size());
  }
  if (column.source == Source::object || column.source == Source::old) {
    const bool is_whole = spec.empty() && column.source == Source::old;
    Result<JsonPath> path = is_whole ? JsonPath::parse("{@}") : JsonPath::parse_path(spec);
    if (!path) return fail(path);
    column.path = *std::move(path);
  }
  columns_.push_back(std::move(column));
  return {};
}

bool CustomColumns::shows_events() const {
  return std::ranges::any_of(columns_,
                             [](const Column& column) { return column.source != Source::object; });
}

bool CustomColumns::shows_time() const {
  return std::ranges::find(columns_, Source::time, &Column::source) != columns_.end();
}

bool CustomColumns::reads_only_metadata() const {
  return std::ranges::all_of(columns_, [](const Column& column) {
    return !column.path || column.path->reads_only_metadata(jsonpath::Document::object);
  });
}

bool CustomColumns::reads_beyond_metadata() const {
  return std::ranges::any_of(columns_, [](const Column& column) {
    return column.path && column.path->reads_beyond_metadata(jsonpath::Document::object);
  });
}

std::vector<std::string> CustomColumns::headers() const {
  std::vector<std::string> headers;
  for (const Column& column : columns_) headers.push_back(column.header);
  return headers;
}

std::vector<std::size_t> CustomColumns::kept_widths(std::size_t event, std::size_t time) const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) {
    const bool is_event = column.source == Source::event;
    widths.push_back(is_event ? event : column.source == Source::time ? time : 0);
  }
  return widths;
}

std::vector<std::string> CustomColumns::cells(const CustomRow& row) const {
  std::vector<std::string> cells;
  for (const Column& column : columns_) {
    if (column.source == Source::event || column.source == Source::time) {
      cells.emplace_back(column.source == Source::event ? row.event : row.time);
      continue;
    }
    const nlohmann::json* const document = column.source == Source::old ? row.old : row.object;
    Result<std::vector<std::string>> values;
    if (document != nullptr) values = column.path->values(*document, JsonPath::Structured::as_go);
    cells.push_back(!values || values->empty() ? std::string(kNone)
                                               : fmt::format("{}", fmt::join(*values, ",")));
  }
  return cells;
}

}  // namespace kinf
