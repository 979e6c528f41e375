// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/index_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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

std::string lines(const IndexAnswer& answer, bool keys) {
  std::string text;
  for (const ObjectPtr& object : answer.objects) {
    text += keys ? answer.key_format.key(*object) : typed_name(*answer.resource, object->name());
    text += '\n';
  }
  return text;
}

/// Formats the objects themselves: csv, custom-columns, jsonpath or a table.
Result<std::string> objects_text(const IndexAnswer& answer, const IndexCommand& command,
                                 const Session& session, PrintOptions options, Clock::Wall now) {
  const PrintedObjects objects{answer.resource, answer.objects};
  switch (command.output.form) {
    case Form::csv:
      return objects_csv(objects, options, now);
    case Form::custom_columns: {
      const Result<CustomColumns> columns = CustomColumns::parse(command.output.expression);
      if (!columns) return std::unexpected(columns.error());
      return columns->print(objects, options);
    }
    case Form::jsonpath: {
      const Result<JsonPath> expression = JsonPath::parse(command.output.expression);
      if (!expression) return std::unexpected(expression.error());
      return objects_jsonpath(*expression, objects, !session.plan.single_object, options);
    }
    default:
      break;
  }
  std::string text;
  options.format = command.output.form == Form::wide ? OutputFormat::wide : OutputFormat::table;
  print_objects({objects}, options, true, now, [&](std::string& piece) {
    text += piece;
    piece.clear();
  });
  return text;
}

Result<std::string> groups_text(const IndexAnswer& answer, const IndexCommand& command,
                                const ValuesOf& values_of) {
  std::vector<IndexGroup> groups =
      group_objects(answer.objects, command.by, values_of, command.order);
  if (command.top && groups.size() > *command.top) groups.resize(*command.top);
  const bool headers = !command.no_headers;
  switch (command.output.form) {
    case Form::json:
      return groups_json(answer, groups);
    case Form::json_lines:
      return groups_json_lines(answer, groups);
    case Form::yaml:
      return json_as_yaml(groups_json(answer, groups));
    case Form::csv:
      return groups_csv(answer, groups, headers);
    case Form::jsonpath: {
      const Result<JsonPath> expression = JsonPath::parse(command.output.expression);
      if (!expression) return std::unexpected(expression.error());
      return json_jsonpath(*expression, groups_json(answer, groups));
    }
    default:
      break;
  }
  if (groups.empty()) return std::string();
  return groups_table(answer, groups, headers, command.output.form == Form::wide);
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

Result<std::string> answer_text(const IndexAnswer& answer, const IndexCommand& command,
                                const Session& session, const ValuesOf& values_of,
                                const PrintOptions& options, Clock::Wall now) {
  if (command.count) return fmt::format("{}\n", answer.objects.size());
  const Form form = command.output.form;
  if (form == Form::name || form == Form::keys) return lines(answer, form == Form::keys);
  if (!looks_up(command) && form != Form::custom_columns) {
    return groups_text(answer, command, values_of);
  }
  if (form == Form::json || form == Form::json_lines) return matches_json(answer);
  if (form == Form::yaml) return json_as_yaml(matches_json(answer));
  return objects_text(answer, command, session, options, now);
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
