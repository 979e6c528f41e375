// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/flag_texts.h"

#include <fmt/format.h>

#include "kinf/api/selectors.h"
#include "kinf/cli/flags/moment.h"
#include "kinf/cli/flags/namespace_filter.h"
#include "kinf/cli/flags/type_args.h"
#include "kinf/cli/flags/usage_error.h"
#include "kinf/cli/runtime/environment.h"
#include "kinf/query/trim_paths.h"
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
    return std::unexpected(
        std::move(labels).error().with_hint("for example: -l 'app=web,tier in (a,b),!old'"));
  }
  if (auto labels = LabelSelector::parse(flags.namespace_selector); !labels) {
    return std::unexpected(std::move(labels)
                               .error()
                               .within("--namespace-selector")
                               .with_hint("for example: --namespace-selector team=web"));
  }
  if (!flags.owner.empty() && !is_pair(flags.owner)) {
    return std::unexpected(
        Error(ErrorKind::usage, fmt::format("--owner {}: not TYPE/NAME", flags.owner))
            .with_hint("for example: --owner deploy/web"));
  }
  if (auto fields = FieldSelector::parse(flags.field_selector); !fields) {
    return std::unexpected(std::move(fields).error().with_hint(
        "for example: --field-selector status.phase!=Running,spec.nodeName=node-1"));
  }
  return {};
}

Result<void> check_namespaces(const GlobalFlags& global) {
  const std::string& names = global.config.overrides.name_space;
  if (global.all_namespaces || names.empty()) return {};
  Result<NamespaceFilter> filter = NamespaceFilter::parse(names);
  return filter ? Result<void>() : std::unexpected(std::move(filter).error());
}

/// Checks --at, --since and --until-time, which are read again when the recording is opened.
Result<void> check_times(const ReplayFlags& replay) {
  constexpr Clock::Wall kAnyTime{};
  const Result<RecordedMoment> start = recorded_moment(replay, kAnyTime);
  if (!start) return std::unexpected(start.error());
  if (replay.until_time.empty()) return {};
  const Result<Clock::Wall> end = parse_moment(replay.until_time, kAnyTime);
  return end ? Result<void>() : std::unexpected(end.error().within("--until-time"));
}

/// Parses the flags that all commands with informers have.
Result<void> parse_informer_texts(InformerFlags& flags, const std::vector<std::string>& where,
                                  bool show_managed_fields, std::string_view command) {
  if (Result<void> fine = check_selectors(flags); !fine) return fine;
  if (!where.empty()) {
    Result<std::shared_ptr<Where>> compiled = Where::parse(where);
    if (!compiled) return std::unexpected(std::move(compiled).error());
    flags.where = *std::move(compiled);
  }
  Result<std::shared_ptr<const ObjectTrim>> trim =
      parse_trim(flags.drop, flags.keep, show_managed_fields);
  if (!trim) return usage(trim.error().message, command);
  flags.trim = *std::move(trim);
  return {};
}

/// Parses -o, and the JSONPaths of --sort-by.
Result<void> parse_output_texts(OutputFlags& output, const std::string& format,
                                const std::string& sort_by, std::string_view command) {
  Result<OutputForm> form = parse_output(format, command == "index");
  if (!form) {
    return form.error().hint.empty() ? usage(form.error().message, command)
                                     : std::unexpected(std::move(form).error());
  }
  static_cast<OutputForm&>(output) = *std::move(form);
  if (sort_by.empty()) return {};
  Result<SortOrder> order = SortOrder::parse(sort_by);
  if (!order) return usage(fmt::format("--sort-by: {}", order.error().message), command);
  output.sort = *std::move(order);
  return {};
}

Result<void> parse_filter(UpdateFilter& filter, const std::vector<std::string>& changed,
                          const std::vector<std::string>& ignored, std::string_view command) {
  Result<UpdateFilter> parsed = UpdateFilter::parse(changed, ignored);
  if (!parsed) return usage(parsed.error().message, command);
  filter = *std::move(parsed);
  return {};
}

/// Parses the texts of watch, get and history.
Result<void> parse_watch_texts(ParsedFlags& parsed, std::string_view name) {
  WatchCommand& command = parsed.watch;
  const WatchExpressions& texts = parsed.expressions;
  Result<void> fine =
      parse_output_texts(command.output, parsed.texts.output, parsed.texts.sort_by, name);
  if (fine) fine = parse_filter(command.filter, texts.changed, texts.ignored, name);
  if (fine) fine = check_time_zone(command.output.time_zone);
  if (!fine) return fine;
  if (texts.jq) {
    Result<Jq> program = Jq::compile(*texts.jq);
    if (!program) return std::unexpected(std::move(program).error().within("--jq"));
    command.output.jq = std::make_shared<Jq>(*std::move(program));
  }
  if (texts.until) {
    Result<std::shared_ptr<Until>> until = Until::parse(*texts.until);
    if (!until) return std::unexpected(std::move(until).error());
    command.until = *std::move(until);
  }
  return {};
}

Result<void> parse_index_texts(ParsedFlags& parsed) {
  IndexCommand& command = parsed.index;
  for (const std::string& text : parsed.by) {
    Result<IndexSpec> spec = IndexSpec::parse(text);
    if (!spec) return std::unexpected(std::move(spec).error());
    command.by.push_back(*std::move(spec));
  }
  const std::string& order = parsed.texts.sort_by;  // of the values, or JSONPaths of objects
  const bool is_word = order == "count" || order == "value";
  command.order = order == "value" ? GroupOrder::value : GroupOrder::count;
  return parse_output_texts(command.output, parsed.texts.output, is_word ? "" : order, "index");
}

Result<void> parse_wait_texts(ParsedFlags& parsed) {
  WaitCommand& command = parsed.wait;
  WaitTexts& texts = parsed.waits;
  if (texts.conditions.empty() && command.goal.count) texts.conditions.emplace_back("create");
  Result<std::vector<Condition>> conditions = parse_conditions(texts.conditions, "--for");
  if (!conditions) return std::unexpected(std::move(conditions).error());
  command.goal.conditions = *std::move(conditions);
  Result<std::vector<Condition>> failures = parse_conditions(texts.failures, "--fail-on");
  if (!failures) return std::unexpected(std::move(failures).error());
  command.goal.failures = *std::move(failures);
  command.has_output = !texts.output.empty();
  if (!command.has_output) return {};
  return parse_output_texts(command.output, texts.output, "", "wait");
}

Result<void> check_faults(const std::vector<std::string>& faults) {
  Result<void> fine;
  for (const std::string& fault : faults) {
    if (fine) fine = Sandbox::check_fault(fault);
  }
  return fine;
}

/// Parses the texts of a command with informers.
Result<void> parse_object_texts(ParsedFlags& parsed, std::string_view command) {
  const auto informer_texts = [&](InformerFlags& flags, bool show_managed_fields) {
    return parse_informer_texts(flags, parsed.where, show_managed_fields, command);
  };
  Result<void> fine;
  if (command == "index") {
    fine = informer_texts(parsed.index.informer, parsed.index.output.show_managed_fields);
    return fine ? parse_index_texts(parsed) : fine;
  }
  if (command == "run") {
    fine = informer_texts(parsed.run.informer, parsed.run.show_managed_fields);
    return fine ? parse_filter(parsed.run.filter, parsed.changed, {}, command) : fine;
  }
  if (command == "wait") {
    fine = informer_texts(parsed.wait.informer, parsed.wait.output.show_managed_fields);
    return fine ? parse_wait_texts(parsed) : fine;
  }
  if (command == "record") return informer_texts(parsed.record.informer, false);
  fine = informer_texts(parsed.watch.informer, parsed.watch.output.show_managed_fields);
  return fine ? parse_watch_texts(parsed, command) : fine;
}

}  // namespace

Result<void> parse_texts(ParsedFlags& parsed, std::string_view command) {
  Result<void> fine = check_namespaces(parsed.global);
  if (fine) fine = check_times(parsed.global.replay);
  if (!fine) return fine;
  if (command == "sandbox") return check_faults(parsed.sandbox.faults);
  const bool has_informers = command == "watch" || command == "get" || command == "history" ||
                             command == "index" || command == "run" || command == "wait" ||
                             command == "record";
  return has_informers ? parse_object_texts(parsed, command) : Result<void>();
}

}  // namespace kinf
