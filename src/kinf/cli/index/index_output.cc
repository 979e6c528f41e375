// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/index/index_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

#include <nlohmann/json.hpp>

#include "kinf/cli/index/index_query.h"
#include "kinf/print/objects_printer.h"

namespace kinf {
namespace {

/// Returns the objects of all clusters, sorted together. Sorts the objects of each answer in the
/// same order.
Result<std::vector<PrintedObjects>> sorted_objects(std::vector<IndexPart>& parts,
                                                   const SortOrder& order) {
  std::vector<PrintedObjects> objects;
  for (const auto& [answer, values_of] : parts) {
    objects.push_back({answer.resource, answer.objects, answer.cluster});
  }
  if (Result<void> sorted = sort_objects(objects, order, SortScope::all); !sorted) {
    return fail(sorted);
  }
  for (auto& [answer, values_of] : parts) {
    answer.objects.clear();
    for (const PrintedObjects& some : objects) {
      if (some.cluster != answer.cluster) continue;
      answer.objects.insert(answer.objects.end(), some.objects.begin(), some.objects.end());
    }
  }
  return objects;
}

std::string name_lines(const std::vector<PrintedObjects>& objects) {
  std::string text;
  for (const PrintedObjects& some : objects) {
    for (const ObjectPtr& object : some.objects) {
      text += typed_name(*some.resource, object->name()) + '\n';
    }
  }
  return text;
}

std::string key_lines(const std::vector<PrintedObjects>& objects, const KeyFormat& format) {
  std::string text;
  for (const PrintedObjects& some : objects) {
    for (const ObjectPtr& object : some.objects) text += format.key(*object) + '\n';
  }
  return text;
}

/// Returns one document per cluster in the output format of `command`. `write` converts an answer
/// to JSON.
Result<std::string> documents_text(const std::vector<IndexPart>& parts, const IndexCommand& command,
                                   const std::function<std::string(const IndexAnswer&)>& write) {
  std::string text;
  for (const auto& [answer, values_of] : parts) {
    const std::string json = write(answer);
    if (command.output.jsonpath) {
      const Result<std::string> found =
          jsonpath_text(command.output, command.output.allow_missing_keys, parse_document(json));
      if (!found) return fail(found);
      text += *found;
    } else if (command.output.format == OutputFormat::yaml) {
      if (!text.empty()) text += "---\n";
      text += json_as_yaml(json);
    } else {
      text += json;
    }
  }
  return text;
}

/// Returns the groups of all clusters, sorted together, without those that --top leaves out.
Result<std::vector<IndexGroup>> groups_of(const std::vector<IndexPart>& parts,
                                          const IndexCommand& command) {
  std::vector<IndexGroup> groups;
  for (const auto& [answer, values_of] : parts) {
    auto own = group_objects(answer.objects, answer.specs, values_of, command.order);
    if (!own) return fail(own);
    for (IndexGroup& group : *own) {
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
  const Result<std::vector<IndexGroup>> all = groups_of(parts, command);
  if (!all) return fail(all);
  const std::vector<IndexGroup>& groups = *all;
  const bool headers = !command.output.no_headers;
  const IndexAnswer& first = parts.front().answer;
  const auto document = [&](const IndexAnswer& answer) {
    std::vector<IndexGroup> own;
    std::ranges::copy_if(groups, std::back_inserter(own),
                         [&](const IndexGroup& group) { return group.cluster == answer.cluster; });
    return command.output.format == OutputFormat::json_lines ? groups_json_lines(answer, own)
                                                             : groups_json(answer, own);
  };
  switch (command.output.format) {
    case OutputFormat::json:
    case OutputFormat::json_lines:
    case OutputFormat::yaml:
    case OutputFormat::jsonpath:
    case OutputFormat::jsonpath_as_json: return documents_text(parts, command, document);
    case OutputFormat::csv: return groups_separated(first, groups, headers, Separator::comma);
    case OutputFormat::tsv: return groups_separated(first, groups, headers, Separator::tab);
    default: break;
  }
  if (groups.empty()) return std::string();
  return groups_table(first, groups, headers, command.output.format == OutputFormat::wide,
                      options.terminal_width);
}

/// Joins the first eight words with commas, and adds `…` if there are more.
std::string some_of(const std::set<std::string>& words) {
  constexpr std::size_t kShownWords = 8;
  std::vector<std::string> shown(words.begin(), words.end());
  if (shown.size() > kShownWords) {
    shown.resize(kShownWords);
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
    for_each_indexed(member, index,
                     [&](const std::string& value, const Object&) { values.insert(value); });
  }
  return values;
}

std::set<std::string> owners_of(const InformerSet& informers, const IndexSpec& spec,
                                const ValuesOf& values_of) {
  std::set<std::string> owners;
  for (const InformerSet::Member& member : informers.members()) {
    for (const ObjectPtr& object : member.objects()) {
      for (std::string& owner : values_of(spec, *object)) owners.insert(std::move(owner));
    }
  }
  return owners;
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

Result<IndexText> answer_text(std::vector<IndexPart> parts, const IndexCommand& command,
                              bool as_list, const PrintOptions& options, Clock::Wall now) {
  if (command.count) {
    std::size_t total = 0;
    for (const auto& [answer, values_of] : parts) total += answer.objects.size();
    return IndexText{fmt::format("{}\n", total)};
  }
  const Result<std::vector<PrintedObjects>> objects = sorted_objects(parts, command.output.sort);
  if (!objects) return fail(objects);
  const OutputFormat format = command.output.format;
  if (format == OutputFormat::name) return IndexText{name_lines(*objects)};
  if (format == OutputFormat::keys) return IndexText{key_lines(*objects, command.key_format)};
  const bool as_groups = !looks_up(command) && !command.output.columns;
  if (!as_groups && !command.output.is_document() && format != OutputFormat::json_lines) {
    return objects_text(*objects, options, as_list, now);
  }
  IndexText text;
  for (auto& [answer, values_of] : parts) {
    if (!answer.with_objects) continue;
    answer.damaged = damaged_objects(*answer.resource, answer.objects, answer.show_secrets);
    text.damaged += answer.damaged.size();
  }
  Result<std::string> written = as_groups ? groups_text(parts, command, options)
                                          : documents_text(parts, command, matches_json);
  if (!written) return fail(written);
  text.text = *std::move(written);
  return text;
}

std::string index_hints(const IndexPart& part, const InformerSet& informers) {
  const IndexAnswer& answer = part.answer;
  std::string hints;
  const bool is_empty = std::ranges::all_of(
      informers.members(), [](const auto& member) { return member.objects().empty(); });
  if (is_empty) return hints;
  for (const IndexSpec& spec : answer.specs) {
    const std::set<std::string> values = spec.follows_owners()
                                             ? owners_of(informers, spec, part.values_of)
                                             : indexed_values(informers, spec.name());
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
