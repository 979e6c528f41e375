// SPDX-License-Identifier: Apache-2.0
// Compiles the flag values that are expressions, after the command is known.
#include <fmt/format.h>

#include <algorithm>

#include "kinf/api/selectors.h"
#include "kinf/base/assign.h"
#include "kinf/cli/flags/moment.h"
#include "kinf/cli/flags/namespace_filter.h"
#include "kinf/cli/flags/parsed_flags.h"
#include "kinf/cli/flags/until.h"
#include "kinf/cli/flags/usage_error.h"
#include "kinf/cli/runtime/environment.h"
#include "kinf/query/built_in_paths.h"
#include "kinf/sandbox/sandbox.h"

namespace kinf {
namespace {

/// Returns whether a text is TYPE/NAME.
bool is_pair(const std::string& text) {
  const Result<std::vector<RequestedType>> types = parse_type_args({text});
  return types && !types->front().names.empty();
}

Result<void> check_selectors(const InformerFlags& flags) {
  if (auto labels = LabelSelector::parse(flags.selector); !labels) {
    return fail(labels).with_hint("for example: -l 'app=web,tier in (a,b),!old'");
  }
  if (auto labels = LabelSelector::parse(flags.namespace_selector); !labels) {
    return fail(std::move(labels).error().within("--namespace-selector"))
        .with_hint("for example: --namespace-selector team=web");
  }
  if (!flags.owner.empty() && !is_pair(flags.owner)) {
    return fail(ErrorKind::usage, "--owner {}: not TYPE/NAME", flags.owner)
        .with_hint("for example: --owner deploy/web");
  }
  if (auto fields = FieldSelector::parse(flags.field_selector); !fields) {
    return fail(fields).with_hint(
        "for example: --field-selector status.phase!=Running,spec.nodeName=node-1");
  }
  return {};
}

Result<void> check_namespaces(const GlobalFlags& global) {
  const std::string& names = global.config.overrides.name_space;
  NamespaceFilter unused;
  if (global.all_namespaces || names.empty()) return {};
  return assign(unused, NamespaceFilter::parse(names));
}

/// Checks --at, --since and --until-time, which are read again when the recording is opened.
Result<void> check_times(const ReplayFlags& replay) {
  constexpr Clock::Wall kAnyTime{};
  const Result<RecordedMoment> start = recorded_moment(replay, kAnyTime);
  if (!start) return fail(start);
  const Result<RecordedMoment> end = end_moment(replay, kAnyTime);
  return end ? Result<void>() : Result<void>(fail(end));
}

/// Compiles the flags that all commands with informers have.
Result<void> compile_informer_texts(ParsedFlags& parsed) {
  InformerFlags& flags = parsed.informer;
  Result<void> done = check_selectors(flags);
  if (done && !parsed.texts.where.empty()) {
    done = assign(flags.where, Where::parse(parsed.texts.where));
  }
  if (!done) return done;
  return assign(flags.trim,
                as_usage(parse_trim(flags.drop, flags.keep, parsed.output.show_managed_fields),
                         parsed.line.command));
}

/// Returns the format that `text` most likely means. Empty if it is a format, or like none.
std::string similar_format(std::string_view text, const TypedLine& line) {
  std::vector<std::string> known = output_words(line.command_id == commands::index);
  if (line.command_id == commands::wait) {
    std::erase_if(known, [](const std::string& word) {
      return word != "json" && word != "yaml" && word != "name" && !word.starts_with("jsonpath");
    });
  }
  const std::size_t equals = text.find('=');
  const std::string_view word = text.substr(0, equals == text.npos ? equals : equals + 1);
  if (std::ranges::find(known, word) != known.end()) return {};
  return did_you_mean(word, known);
}

/// Compiles -o.
Result<void> compile_output(ParsedFlags& parsed) {
  const bool of_index = parsed.line.command_id == commands::index;
  const std::string text = parsed.texts.output.value_or("table");
  Result<OutputForm> form = parse_output(text, of_index);
  if (!form && form.error().hint.empty()) {
    form = as_usage(std::move(form), parsed.line.command);
    if (const std::string near = similar_format(text, parsed.line); !near.empty()) {
      form.error().hint.insert(0, fmt::format("did you mean -o {}?  ", near));
    }
  }
  return assign(static_cast<OutputForm&>(parsed.output), std::move(form));
}

/// Returns the order of index values that a word of --sort-by names; nullopt for JSONPaths.
std::optional<GroupOrder> group_order(std::string_view text) {
  if (text == "count") return GroupOrder::count;
  if (text == "value") return GroupOrder::value;
  if (text == "-count") return GroupOrder::count_up;
  if (text == "-value") return GroupOrder::value_down;
  return std::nullopt;
}

/// Compiles the JSONPaths of --sort-by.
Result<void> compile_order(ParsedFlags& parsed) {
  const std::string& text = parsed.texts.sort_by;
  const auto word = parsed.line.command_id == commands::index ? group_order(text) : std::nullopt;
  if (word) parsed.index.order = *word;
  if (text.empty() || word) return {};
  Result<SortOrder> order = SortOrder::parse(text);
  if (!order) order = fail(std::move(order).error().within("--sort-by"));
  return assign(parsed.output.sort, as_usage(std::move(order), parsed.line.command));
}

Result<void> compile_filter(ParsedFlags& parsed) {
  return assign(parsed.filter,
                as_usage(UpdateFilter::parse(parsed.texts.changed, parsed.texts.ignored),
                         parsed.line.command));
}

/// Compiles --jq and --until.
Result<void> compile_events(ParsedFlags& parsed) {
  if (parsed.texts.jq) {
    Result<Jq> program = Jq::compile(*parsed.texts.jq);
    if (!program) return fail(std::move(program).error().within("--jq"));
    parsed.output.jq = std::make_shared<Jq>(*std::move(program));
  }
  if (!parsed.texts.until) return {};
  return assign(parsed.watch.until, Until::parse(*parsed.texts.until));
}

Result<void> compile_index_keys(ParsedFlags& parsed) {
  Result<void> done;
  for (const std::string& text : parsed.texts.by) {
    if (done) done = assign(parsed.index.by.emplace_back(), IndexSpec::parse(text));
  }
  return done;
}

Result<void> compile_goal(ParsedFlags& parsed) {
  WaitGoal& goal = parsed.wait.goal;
  std::vector<std::string> texts = parsed.texts.conditions;
  if (texts.empty() && goal.count) texts.emplace_back("create");
  Result<void> done = assign(goal.conditions, parse_conditions(texts, "--for"));
  if (!done) return done;
  return assign(goal.failures, parse_conditions(parsed.texts.failures, "--fail-on"));
}

Result<void> check_faults(const std::vector<std::string>& faults) {
  Result<void> fine;
  for (const std::string& fault : faults) {
    if (fine) fine = Sandbox::check_fault(fault);
  }
  return fine;
}

}  // namespace

Result<void> compile_texts(ParsedFlags& parsed) {
  Result<void> fine = check_namespaces(parsed.global);
  if (fine) fine = check_times(parsed.global.replay);
  if (fine) fine = check_faults(parsed.sandbox.options.faults);
  const bool has_informers = (parsed.line.command_id & commands::informers) != 0;
  if (!has_informers) return fine;
  if (fine) fine = compile_informer_texts(parsed);
  if (fine) fine = compile_index_keys(parsed);
  if (fine) fine = compile_goal(parsed);
  const bool has_format =
      parsed.line.command_id != commands::wait || !parsed.texts.output.value_or("").empty();
  if (fine && has_format) fine = compile_output(parsed);
  if (fine) fine = compile_order(parsed);
  if (fine) fine = compile_filter(parsed);
  if (fine) fine = check_time_zone(parsed.output.time_zone);
  return fine ? compile_events(parsed) : fine;
}

}  // namespace kinf
