// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/index_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <unordered_set>

#include "kinf/cache/index_table.h"
#include "kinf/print/csv_text.h"
#include "kinf/print/custom_columns.h"

namespace kinf {
namespace {

using Form = IndexCommand::Form;

std::unexpected<Error> misfit(std::string message) {
  Error error(ErrorKind::usage, std::move(message));
  error.hint = "kinf index --help lists the flags";
  return std::unexpected(std::move(error));
}

std::string lines(const std::vector<IndexPart>& parts, bool keys) {
  std::string text;
  for (const auto& [answer, values_of] : parts) {
    for (const ObjectPtr& object : answer.objects) {
      text += keys ? answer.key_format.key(*object) : typed_name(*answer.resource, object->name());
      text += '\n';
    }
  }
  return text;
}

/// Returns the objects of all clusters.
PrintedObjects all_objects(const std::vector<IndexPart>& parts) {
  PrintedObjects all{parts.front().answer.resource, {}};
  for (const auto& [answer, values_of] : parts) {
    all.objects.insert(all.objects.end(), answer.objects.begin(), answer.objects.end());
  }
  return all;
}

/// Formats the objects as CSV, or as a table.
std::string rows_text(const std::vector<IndexPart>& parts, Form form, PrintOptions options,
                      Clock::Wall now) {
  std::vector<PrintedObjects> objects;
  for (const auto& [answer, values_of] : parts) {
    objects.push_back({answer.resource, answer.objects, answer.cluster});
  }
  if (form == Form::csv) return objects_csv(objects, options, now);
  options.format = form == Form::wide ? OutputFormat::wide : OutputFormat::table;
  std::string text;
  print_objects(objects, options, true, now, [&](std::string& piece) {
    text += piece;
    piece.clear();
  });
  return text;
}

/// Formats the objects themselves: csv, custom-columns, jsonpath or a table.
Result<std::string> objects_text(const std::vector<IndexPart>& parts, const IndexCommand& command,
                                 bool as_list, const PrintOptions& options, Clock::Wall now) {
  switch (command.output.form) {
    case Form::custom_columns: {
      const Result<CustomColumns> columns = CustomColumns::parse(command.output.expression);
      if (!columns) return std::unexpected(columns.error());
      return columns->print(all_objects(parts), options);
    }
    case Form::jsonpath: {
      const Result<JsonPath> expression = JsonPath::parse(command.output.expression);
      if (!expression) return std::unexpected(expression.error());
      return objects_jsonpath(*expression, all_objects(parts), as_list, options);
    }
    default:
      return rows_text(parts, command.output.form, options, now);
  }
}

/// Returns one JSON document per cluster, each of which `write` returns, in the form of `command`.
Result<std::string> documents_text(const std::vector<IndexPart>& parts, const IndexCommand& command,
                                   const std::function<std::string(const IndexAnswer&)>& write) {
  std::string text;
  for (const auto& [answer, values_of] : parts) {
    const std::string json = write(answer);
    if (command.output.form == Form::jsonpath) {
      const Result<JsonPath> expression = JsonPath::parse(command.output.expression);
      if (!expression) return std::unexpected(expression.error());
      const Result<std::string> found = json_jsonpath(*expression, json);
      if (!found) return std::unexpected(found.error());
      text += *found;
    } else if (command.output.form == Form::yaml) {
      if (!text.empty()) text += "---\n";
      text += json_as_yaml(json);
    } else {
      text += json;
    }
  }
  return text;
}

/// Returns the groups of all clusters, in their order, without those that --top leaves out.
std::vector<IndexGroup> groups_of(const std::vector<IndexPart>& parts,
                                  const IndexCommand& command) {
  std::vector<IndexGroup> groups;
  for (const auto& [answer, values_of] : parts) {
    for (IndexGroup& group : group_objects(answer.objects, command.by, values_of, command.order)) {
      group.cluster = answer.cluster;
      groups.push_back(std::move(group));
    }
  }
  sort_groups(groups, command.order);
  if (command.top && groups.size() > *command.top) groups.resize(*command.top);
  return groups;
}

Result<std::string> groups_text(const std::vector<IndexPart>& parts, const IndexCommand& command,
                                const PrintOptions& options) {
  const std::vector<IndexGroup> groups = groups_of(parts, command);
  const bool headers = !command.no_headers;
  const IndexAnswer& first = parts.front().answer;
  const auto document = [&](const IndexAnswer& answer) {
    std::vector<IndexGroup> own;
    std::ranges::copy_if(groups, std::back_inserter(own),
                         [&](const IndexGroup& group) { return group.cluster == answer.cluster; });
    return command.output.form == Form::json_lines ? groups_json_lines(answer, own)
                                                   : groups_json(answer, own);
  };
  switch (command.output.form) {
    case Form::json:
    case Form::json_lines:
    case Form::yaml:
    case Form::jsonpath:
      return documents_text(parts, command, document);
    case Form::csv:
      return groups_csv(first, groups, headers);
    default:
      break;
  }
  if (groups.empty()) return std::string();
  return groups_table(first, groups, headers, command.output.form == Form::wide,
                      options.terminal_width);
}

/// Joins the first eight words with commas, and adds `…` if there are more.
std::string some_of(const std::set<std::string>& words) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> shown(words.begin(), words.end());
  if (shown.size() > kMost) {
    shown.resize(kMost);
    shown.emplace_back("…");
  }
  return fmt::format("{}", fmt::join(shown, ", "));
}

std::set<std::string> label_keys(const InformerSet& informers) {
  std::set<std::string> keys;
  for (const InformerSet::Member& member : informers.members()) {
    for (const ObjectPtr& object : member.objects()) {
      for (std::size_t i = 0; i < object->label_count(); ++i) {
        keys.emplace(object->label_at(i).first);
      }
    }
  }
  return keys;
}

std::set<std::string> indexed_values(const InformerSet& informers, const std::string& index) {
  std::set<std::string> values;
  for (const InformerSet::Member& member : informers.members()) {
    std::unordered_set<const Object*> selected;
    for (const ObjectPtr& object : member.objects()) selected.insert(object.get());
    member.informer->indexer().with_read_lock([&](const IndexTable& table) {
      table.for_each_value(index, [&](const std::string& value, std::size_t) {
        table.for_each_in_index(index, value, [&](const std::string&, const ObjectPtr& object) {
          if (selected.contains(object.get())) values.insert(value);
        });
      });
    });
  }
  return values;
}

std::string hint_about_label(const IndexAnswer& answer, const IndexSpec& spec,
                             const InformerSet& informers) {
  const std::string kind = typed_name(*answer.resource, "");
  std::string hint =
      fmt::format("no {} has the label \"{}\"", kind.substr(0, kind.size() - 1), spec.key());
  const Result<IndexSpec> other =
      IndexSpec::parse("@" + (spec.key() == "ns" ? "namespace" : spec.key()));
  if (other) {
    return hint + fmt::format("; the {} index is --by {}{}", other->name().substr(1), other->name(),
                              spec.value() ? "=" + spec.value()->text() : "");
  }
  const std::set<std::string> keys = label_keys(informers);
  return keys.empty() ? hint : hint + "; labels in use: " + some_of(keys);
}

}  // namespace

bool looks_up(const IndexCommand& command) {
  return std::ranges::all_of(command.by,
                             [](const IndexSpec& spec) { return spec.value().has_value(); });
}

bool prints_cells(const IndexCommand& command) {
  if (command.count || command.dump || command.watch || !looks_up(command)) return false;
  const Form form = command.output.form;
  return form == Form::table || form == Form::wide || form == Form::csv;
}

bool prints_documents(const IndexCommand& command) {
  if (command.count || command.dump || command.watch) return false;
  const Form form = command.output.form;
  return command.objects || form == Form::custom_columns ||
         (form == Form::jsonpath && looks_up(command));
}

Result<void> check_output(const IndexCommand& command) {
  const Form form = command.output.form;
  if (form == Form::custom_columns) {
    const Result<CustomColumns> columns = CustomColumns::parse(command.output.expression);
    if (!columns) return std::unexpected(columns.error());
  }
  if (form == Form::jsonpath) {
    const Result<JsonPath> expression = JsonPath::parse(command.output.expression);
    if (!expression) {
      return fail(ErrorKind::usage,
                  fmt::format("error parsing jsonpath {}, {}", command.output.expression,
                              expression.error().message));
    }
  }
  const bool is_json = form == Form::json || form == Form::json_lines || form == Form::yaml;
  if (command.objects && !is_json) return misfit("--objects needs -o json, jsonl or yaml");
  if (command.top && looks_up(command)) return misfit("--top needs a --by without a value");
  if (command.count && command.dump) return misfit("--dump cannot be used with --count");
  if (command.dump && form != Form::table && form != Form::json && form != Form::yaml) {
    return misfit("--dump supports only -o json and yaml");
  }
  if (command.count && command.top) return misfit("--top cannot be used with --count");
  if (!command.watch) {
    if (command.max_events) return misfit("--max-events needs --watch");
    if (command.timeout) return misfit("--timeout needs --watch; see --sync-timeout");
    return {};
  }
  if (form != Form::table && form != Form::json && form != Form::json_lines) {
    return misfit("--watch supports only -o table, json and jsonl");
  }
  if (command.count || command.dump || command.objects || command.top || command.exit_status) {
    return misfit(
        "--count, --dump, --objects, --top and --exit-status cannot be used with --watch");
  }
  return {};
}

Result<std::string> answer_text(const std::vector<IndexPart>& parts, const IndexCommand& command,
                                bool as_list, const PrintOptions& options, Clock::Wall now) {
  if (command.count) return fmt::format("{}\n", all_objects(parts).objects.size());
  const Form form = command.output.form;
  if (form == Form::name || form == Form::keys) return lines(parts, form == Form::keys);
  if (!looks_up(command) && form != Form::custom_columns) {
    return groups_text(parts, command, options);
  }
  if (form == Form::json || form == Form::json_lines || form == Form::yaml) {
    return documents_text(parts, command, matches_json);
  }
  return objects_text(parts, command, as_list, options, now);
}

std::string index_hints(const IndexAnswer& answer, const InformerSet& informers) {
  std::string hints;
  const bool is_empty = std::ranges::all_of(
      informers.members(), [](const auto& member) { return member.objects().empty(); });
  if (is_empty) return hints;
  for (const IndexSpec& spec : answer.specs) {
    if (spec.follows_owners()) continue;
    const std::set<std::string> values = indexed_values(informers, spec.name());
    const bool is_there =
        std::ranges::any_of(values, [&](const std::string& value) { return spec.wants(value); });
    if (is_there) continue;
    if (!values.empty()) {
      hints += fmt::format("hint: values of {}: {}\n", spec.name(), some_of(values));
    } else if (spec.source() == IndexSpec::Source::label) {
      hints += fmt::format("hint: {}\n", hint_about_label(answer, spec, informers));
    } else if (spec.value()) {
      hints += fmt::format("hint: no object has a value for {}\n", spec.name());
    }
  }
  return hints;
}

}  // namespace kinf
