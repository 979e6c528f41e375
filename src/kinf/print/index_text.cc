// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/index_text.h"

#include <fmt/format.h>

#include "kinf/columns/table_text.h"
#include "kinf/print/json_text.h"

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

void append_question(std::string& out, const IndexAnswer& answer) {
  out += "{\"resource\":";
  append_quoted(out, answer.resource->gvr.group_resource());
  out += ",\"namespace\":";
  append_optional(out, answer.ns);
  out += ",\"by\":";
  append_array(out, answer.specs, [&](const IndexSpec& spec) { append_quoted(out, spec.name()); });
}

void append_count_and_keys(std::string& out, const std::vector<ObjectPtr>& objects) {
  out += fmt::format(",\"count\":{},\"keys\":", objects.size());
  append_array(out, objects, [&](const ObjectPtr& object) { append_quoted(out, object->key()); });
}

/// `"values":[…],"count":N,"keys":[…]`
void append_group(std::string& out, const IndexGroup& group) {
  out += "\"values\":";
  append_array(out, group.values, [&](const auto& value) { append_optional(out, value); });
  append_count_and_keys(out, group.objects);
}

void append_version(std::string& out, const IndexAnswer& answer) {
  out += ",\"resourceVersion\":";
  append_quoted(out, answer.resource_version);
  out += "}\n";
}

}  // namespace

std::string groups_table(const IndexAnswer& answer, const std::vector<IndexGroup>& groups,
                         bool headers) {
  TableText table;
  if (headers) {
    for (const IndexSpec& spec : answer.specs) table.add_cell(spec.header());
    table.add_cell("COUNT");
    table.end_row();
  }
  for (const IndexGroup& group : groups) {
    for (const auto& value : group.values) table.add_cell(value.value_or("<none>"));
    table.add_cell(fmt::format("{}", group.objects.size()));
    table.end_row();
  }
  return table.flush();
}

std::string groups_json(const IndexAnswer& answer, const std::vector<IndexGroup>& groups) {
  std::string out;
  append_question(out, answer);
  out += ",\"groups\":";
  append_array(out, groups, [&](const IndexGroup& group) {
    out += '{';
    append_group(out, group);
    out += '}';
  });
  out += fmt::format(",\"total\":{}", answer.objects.size());
  append_version(out, answer);
  return out;
}

std::string groups_json_lines(const IndexAnswer& answer, const std::vector<IndexGroup>& groups) {
  std::string out;
  for (const IndexGroup& group : groups) {
    append_question(out, answer);
    out += ',';
    append_group(out, group);
    append_version(out, answer);
  }
  return out;
}

std::string matches_json(const IndexAnswer& answer) {
  std::string out;
  append_question(out, answer);
  out += ",\"values\":";
  append_array(out, answer.specs,
               [&](const IndexSpec& spec) { append_optional(out, spec.value()); });
  append_count_and_keys(out, answer.objects);
  append_version(out, answer);
  return out;
}

}  // namespace kinf
