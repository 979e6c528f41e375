// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/index_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

#include "kinf/base/display_width.h"
#include "kinf/base/json_string.h"
#include "kinf/base/visible_text.h"
#include "kinf/print/json_tree.h"
#include "kinf/print/object_document.h"
#include "kinf/print/yaml_text.h"

namespace kinf {
namespace {

/// Appends a JSON array. `write` appends the text of one element.
template <class Range, class Write>
void append_array(std::string& out, const Range& range, Write write) {
  out += '[';
  bool first = true;
  for (const auto& element : range) {
    if (!first) out += ',';
    first = false;
    write(element);
  }
  out += ']';
}

/// Appends the values as a JSON array, with null for missing values.
void append_index_values(std::string& out, const IndexTuple& values) {
  append_array(out, values, [&](const std::optional<std::string>& value) {
    if (value) {
      append_json_string(out, *value);
    } else {
      out += "null";
    }
  });
}

/// Appends `"resource":…,"namespace":…,"by":[…]`, after `"cluster":…` if the command uses several
/// clusters.
void append_index_question(std::string& out, const IndexAnswer& answer) {
  if (!answer.cluster.empty()) append_json_member(out, "cluster", answer.cluster);
  append_json_member(out, "resource", answer.resource->gvr.group_resource());
  if (answer.ns) {
    append_json_member(out, "namespace", *answer.ns);
  } else {
    out += ",\"namespace\":null";
  }
  out += ",\"by\":";
  append_array(out, answer.specs,
               [&](const IndexSpec& spec) { append_json_string(out, spec.name()); });
}

/// Appends `,"count":N,"keys":[…]`, and `,"objects":[…]` if answer.with_objects.
void append_objects(std::string& out, const IndexAnswer& answer,
                    const std::vector<ObjectPtr>& objects) {
  out += fmt::format(",\"count\":{},\"keys\":", objects.size());
  append_array(out, objects, [&](const ObjectPtr& object) {
    append_json_string(out, answer.key_format.key(*object));
  });
  if (!answer.with_objects) return;
  out += ",\"objects\":";
  std::vector<ObjectPtr> intact;
  std::ranges::copy_if(objects, std::back_inserter(intact), [&](const ObjectPtr& object) {
    return !answer.damaged.contains(object.get());
  });
  Scratch scratch;
  append_array(out, intact, [&](const ObjectPtr& object) {
    append_one_line(out,
                    object_document(*answer.resource, *object, answer.show_secrets, scratch).text);
  });
}

/// Appends `"values":[…],"count":N,"keys":[…]`.
void append_group(std::string& out, const IndexAnswer& answer, const IndexGroup& group) {
  append_json_name(out, "values");
  append_index_values(out, group.values);
  append_objects(out, answer, group.objects);
}

/// Returns the first keys of a group and the number of further keys.
std::string some_keys(const IndexAnswer& answer, const IndexGroup& group) {
  constexpr std::size_t kShownKeys = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShownKeys, group.objects.size()); ++i) {
    if (i > 0) text += ',';
    text += answer.key_format.key(*group.objects[i]);
  }
  if (group.objects.size() > kShownKeys) {
    text += fmt::format(" + {} more...", group.objects.size() - kShownKeys);
  }
  return text;
}

/// Returns the cells of a header (if `headers`) and of one row per group. `none` is the cell of a
/// missing value.
std::vector<std::vector<std::string>> group_rows(const IndexAnswer& answer,
                                                 const std::vector<IndexGroup>& groups,
                                                 bool headers, bool wide, const char* none) {
  std::vector<std::vector<std::string>> rows;
  if (headers) {
    auto& header = rows.emplace_back();
    if (!answer.cluster.empty()) header.emplace_back("CLUSTER");
    for (const IndexSpec& spec : answer.specs) header.push_back(spec.header());
    header.emplace_back("COUNT");
    if (wide) header.emplace_back("KEYS");
  }
  for (const IndexGroup& group : groups) {
    auto& row = rows.emplace_back();
    if (!group.cluster.empty()) row.push_back(group.cluster);
    for (const auto& value : group.values) row.push_back(value.value_or(none));
    row.push_back(fmt::format("{}", group.objects.size()));
    if (wide) row.push_back(some_keys(answer, group));
  }
  return rows;
}

void append_version(std::string& out, const IndexAnswer& answer) {
  append_json_member(out, "resourceVersion", answer.resource_version);
  out += "}\n";
}

/// Returns the document on one line, with a line end.
std::string json_line(const nlohmann::json& document) {
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

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
    append_json_name(out, "old");
    append_index_values(out, *move.from);
  }
  out += ",\"values\":";
  append_index_values(out, move.to ? *move.to : *move.from);
  append_json_member(out, "key", key);
  return out + "}\n";
}

}  // namespace

std::string groups_table(const IndexAnswer& answer, const std::vector<IndexGroup>& groups,
                         bool headers, bool wide, TerminalWidth terminal_width) {
  TableText table(std::move(terminal_width));
  for (const auto& row : group_rows(answer, groups, headers, wide, "<none>")) table.add_row(row);
  return table.flush();
}

std::string groups_separated(const IndexAnswer& answer, const std::vector<IndexGroup>& groups,
                             bool headers, Separator separator) {
  std::string out;
  for (const auto& row : group_rows(answer, groups, headers, false, "")) {
    append_separated_row(out, row, separator);
  }
  return out;
}

std::string groups_json(const IndexAnswer& answer, const std::vector<IndexGroup>& groups) {
  std::string out = "{";
  append_index_question(out, answer);
  out += ",\"groups\":";
  append_array(out, groups, [&](const IndexGroup& group) {
    out += '{';
    append_group(out, answer, group);
    out += '}';
  });
  out += fmt::format(",\"total\":{}", answer.objects.size());
  append_version(out, answer);
  return out;
}

std::string groups_json_lines(const IndexAnswer& answer, const std::vector<IndexGroup>& groups) {
  std::string out;
  for (const IndexGroup& group : groups) {
    out += '{';
    append_index_question(out, answer);
    append_group(out, answer, group);
    append_version(out, answer);
  }
  return out;
}

std::string matches_json(const IndexAnswer& answer) {
  std::string out = "{";
  append_index_question(out, answer);
  out += ",\"values\":";
  append_array(out, answer.specs,
               [&](const IndexSpec& spec) { append_json_string(out, spec.value()->text()); });
  append_objects(out, answer, answer.objects);
  append_version(out, answer);
  return out;
}

std::string dump_json(const IndexDump& dump) { return json_line(dump); }

std::string dump_json(const std::map<std::string, IndexDump>& dumps) { return json_line(dumps); }

std::string json_as_yaml(std::string_view json) {
  std::string out;
  if (const Result<JsonTree> tree = JsonTree::parse(json)) {
    append_yaml(out, *tree, tree->root(), 0, YamlPlace::document);
  }
  return out;
}

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
  if (cells.back().empty()) cells.pop_back();  // without --by, there are no values
  const char* mark = moved ? "" : move.to ? "+ " : "- ";
  cells.push_back(mark + visible_line(key));
  return text_line(cells);
}

/// Formats `cells` as one line. Neither a long key nor the two values of a move make the columns of
/// later lines wider.
std::string IndexChanges::text_line(const std::vector<std::string>& cells) const {
  std::vector<std::size_t> needed;
  for (const std::string& cell : cells) needed.push_back(display_width(cell));
  ColumnFit fit{needed, 3};
  const std::size_t values = cluster_width_ > 0 ? 1 : 0;
  if (cluster_width_ > 0) fit.widths.front() = cluster_width_;
  if (cells.size() == values + 2) fit.widths[values] = std::max(needed[values], width_);
  const std::size_t screen = terminal_width_ ? terminal_width_() : 0;
  if (screen > 0) fit = fit_columns(needed, fit.widths, {}, screen);
  std::vector<TableCell> row;
  for (const std::string& cell : cells) row.push_back({cell});
  std::string line;
  append_fitted_row(line, row, fit, screen);
  return line;
}

}  // namespace kinf
