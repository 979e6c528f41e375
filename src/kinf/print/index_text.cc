// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/index_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinf/columns/table_text.h"
#include "kinf/print/csv_text.h"
#include "kinf/print/json_text.h"
#include "kinf/print/object_document.h"
#include "kinf/print/yaml_text.h"

namespace kinf {
namespace {

/// Appends `write(element)` for each, in brackets.
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

void append_optional(std::string& out, const std::optional<std::string>& text) {
  if (text) {
    append_quoted(out, *text);
  } else {
    out += "null";
  }
}

/// `,"count":N,"keys":[…]`, and the objects if they are wanted.
void append_objects(std::string& out, const IndexAnswer& answer,
                    const std::vector<ObjectPtr>& objects) {
  out += fmt::format(",\"count\":{},\"keys\":", objects.size());
  append_array(out, objects, [&](const ObjectPtr& object) {
    append_quoted(out, answer.key_format.key(*object));
  });
  if (!answer.with_objects) return;
  out += ",\"objects\":";
  Scratch scratch;
  append_array(out, objects, [&](const ObjectPtr& object) {
    append_one_line(out,
                    object_document(*answer.resource, *object, answer.show_secrets, scratch).text);
  });
}

/// `"values":[…],"count":N,"keys":[…]`
void append_group(std::string& out, const IndexAnswer& answer, const IndexGroup& group) {
  out += "\"values\":";
  append_array(out, group.values, [&](const auto& value) { append_optional(out, value); });
  append_objects(out, answer, group.objects);
}

/// The first keys of a group, and how many more there are.
std::string some_keys(const IndexAnswer& answer, const IndexGroup& group) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, group.objects.size()); ++i) {
    if (i > 0) text += ',';
    text += answer.key_format.key(*group.objects[i]);
  }
  if (group.objects.size() > kMost) {
    text += fmt::format(" + {} more...", group.objects.size() - kMost);
  }
  return text;
}

void append_version(std::string& out, const IndexAnswer& answer) {
  out += ",\"resourceVersion\":";
  append_quoted(out, answer.resource_version);
  out += "}\n";
}

}  // namespace

void append_index_question(std::string& out, const IndexAnswer& answer) {
  out += "\"resource\":";
  append_quoted(out, answer.resource->gvr.group_resource());
  out += ",\"namespace\":";
  append_optional(out, answer.ns);
  out += ",\"by\":";
  append_array(out, answer.specs, [&](const IndexSpec& spec) { append_quoted(out, spec.name()); });
}

std::string groups_table(const IndexAnswer& answer, const std::vector<IndexGroup>& groups,
                         bool headers, bool wide) {
  TableText table;
  if (headers) {
    for (const IndexSpec& spec : answer.specs) table.add_cell(spec.header());
    table.add_cell("COUNT");
    if (wide) table.add_cell("KEYS");
    table.end_row();
  }
  for (const IndexGroup& group : groups) {
    for (const auto& value : group.values) table.add_cell(value.value_or("<none>"));
    table.add_cell(fmt::format("{}", group.objects.size()));
    if (wide) table.add_cell(some_keys(answer, group));
    table.end_row();
  }
  return table.flush();
}

std::string groups_csv(const IndexAnswer& answer, const std::vector<IndexGroup>& groups,
                       bool headers) {
  std::string out;
  std::vector<std::string> cells;
  for (const IndexSpec& spec : answer.specs) cells.push_back(spec.header());
  cells.emplace_back("COUNT");
  if (headers) append_csv_row(out, cells);
  for (const IndexGroup& group : groups) {
    cells.clear();
    for (const auto& value : group.values) cells.push_back(value.value_or(""));
    cells.push_back(fmt::format("{}", group.objects.size()));
    append_csv_row(out, cells);
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
    out += ',';
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
               [&](const IndexSpec& spec) { append_quoted(out, spec.value()->text()); });
  append_objects(out, answer, answer.objects);
  append_version(out, answer);
  return out;
}

std::string dump_json(const IndexDump& dump) {
  const auto append_map = [](std::string& out, const auto& map, auto append) {
    out += '{';
    bool first = true;
    for (const auto& [name, value] : map) {
      if (!first) out += ',';
      first = false;
      append_quoted(out, name);
      out += ':';
      append(value);
    }
    out += '}';
  };
  std::string out;
  append_map(out, dump, [&](const auto& values) {
    append_map(out, values, [&](const std::vector<std::string>& keys) {
      append_array(out, keys, [&](const std::string& key) { append_quoted(out, key); });
    });
  });
  return out + "\n";
}

std::string json_as_yaml(std::string_view json) {
  std::string out;
  if (const Result<JsonTree> tree = JsonTree::parse(json)) {
    append_yaml(out, *tree, tree->root(), 0, YamlPlace::document);
  }
  return out;
}

}  // namespace kinf
