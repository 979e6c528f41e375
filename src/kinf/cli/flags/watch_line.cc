// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <utility>

#include "kinf/cli/flags/command_lines.h"
#include "kinf/cli/flags/flag_checks.h"
#include "kinf/cli/flags/namespace_filter.h"
#include "kinf/cli/flags/usage_error.h"

namespace kinf {
namespace {

/// Rejects flags that the output format does not support.
Result<void> check_output(const WatchCommand& command, std::string_view name) {
  const OutputFlags& output = command.output;
  const bool is_document = output.is_document();
  const bool prints_event =
      (is_document || output.jsonpath) && command.output_watch_events.value_or(is_document);
  const bool in_event = output.diff || output.show_old;
  if (output.format == OutputFormat::name && command.with_events) {
    return usage("--with-events cannot be shown with -o name", name);
  }
  const std::string_view flag = output.diff ? "--diff" : "--show-old";
  if (in_event && is_document && !prints_event) {
    return usage(fmt::format("{} cannot be shown with --output-watch-events=false", flag), name);
  }
  if (in_event && output.jsonpath && !prints_event) {
    return usage(fmt::format("{} needs --output-watch-events with -o jsonpath", flag), name);
  }
  if (in_event && !prints_event && !output.is_table()) {
    return usage(fmt::format("{} cannot be shown with -o {}", flag, format_word(output.format)),
                 name);
  }
  if (command.bookmarks != Bookmarks::none && !(is_document && prints_event)) {
    return usage("--bookmarks needs the events of -o json or -o yaml", name);
  }
  if (command.bookmarks == Bookmarks::all && command.latest) {
    return usage("--bookmarks=all cannot be used with --latest", name);
  }
  if (output.show_old && !prints_event) return usage("--show-old needs -o json or -o yaml", name);
  if (output.time_form && !is_document && !output.has_cells() && !output.columns) {
    return usage(fmt::format("--timestamps cannot be shown with -o {}", format_word(output.format)),
                 name);
  }
  return {};
}

/// Rejects flags that change nothing in the output format.
Result<void> check_table_flags(const OutputFlags& output, std::string_view name) {
  if (output.group && !output.is_table()) return usage("--group needs -o table or wide", name);
  return {};
}

/// Makes json the default of --jq. Rejects the other formats.
Result<void> take_jq(OutputFlags& output, std::string_view name) {
  if (!output.jq) return {};
  if (output.format == OutputFormat::table) output.format = OutputFormat::json;
  if (output.format != OutputFormat::json) return usage("--jq can only be used with -o json", name);
  return {};
}

/// Checks the flags that do not depend on whether the command follows changes.
Result<void> check_common(ParsedFlags& parsed, bool follows, std::string_view name) {
  WatchCommand& command = parsed.watch;
  const OutputFlags& output = command.output;
  const bool has_status = command.informer.metadata != MetadataMode::on;
  if (!has_status && command.until && command.until->needs_status()) {
    return usage("--metadata requests no status, which --until condition= needs", name);
  }
  // --ignore also works on metadata alone, although it reads all there is.
  const bool prints_events = command.output_watch_events == true;
  const bool reads_more = command.filter.changed_needs_whole_object() ||
                          reads_beyond_metadata(output, prints_events) ||
                          (command.until && command.until->reads_beyond_metadata());
  Result<void> fits = check_metadata(command.informer, reads_more, name);
  if (fits) fits = check_replay(command.global, command.informer, follows, name);
  command.informer.record.show_secrets = output.show_secrets;
  if (fits) fits = check_recording(command.global, command.informer, follows, name);
  command.informer.state.show_secrets = output.show_secrets;
  if (fits) fits = check_state(command.global, command.informer, follows, name);
  return fits;
}

/// Rejects flags that need changes, for a command that only prints once.
Result<void> check_once(const WatchCommand& command, const WatchExpressions& expressions,
                        std::string_view name) {
  const OutputFlags& output = command.output;
  const std::array<std::pair<const char*, bool>, 16> pointless = {
      {{"--resync", command.informer.resync.count() > 0},
       {"--watch-only", command.watch_only},
       {"--bookmarks", command.bookmarks != Bookmarks::none},
       {"--group", output.group},
       {"--diff", output.diff.has_value()},
       {"--show-old", output.show_old},
       {"--changed", !expressions.changed.empty()},
       {"--ignore", !expressions.ignored.empty()},
       {"--events", command.events.has_value()},
       {"--until", command.until != nullptr},
       {"--timestamps", output.time_form.has_value()},
       {"--timezone", !output.time_zone.empty()},
       {"--latest", command.latest},
       {"--with-events", command.with_events},
       {"--max-events", command.max_events.has_value()},
       {"--output-watch-events", command.output_watch_events == true}}};
  for (const auto& [flag, given] : pointless) {
    if (given) return usage(fmt::format("{} needs --watch", flag), name);
  }
  if (output.columns && output.columns->shows_events()) {
    return usage("the custom columns EVENT, TIME and OLD need --watch", name);
  }
  return {};
}

/// Checks the flags that get, watch and history share.
Result<void> check_show(ParsedFlags& parsed, bool follows, std::string_view name) {
  WatchCommand& command = parsed.watch;
  Result<void> fits = check_table_flags(command.output, name);
  if (fits) fits = take_jq(command.output, name);
  if (fits) fits = check_common(parsed, follows, name);
  if (!fits) return fits;
  const bool resyncs = command.events && command.events->resync;
  if (follows && resyncs && command.informer.resync.count() == 0) {
    return usage("--events resync needs --resync", name);
  }
  return follows ? check_output(command, name) : check_once(command, parsed.expressions, name);
}

}  // namespace

Result<CommandLine> watch_line(ParsedFlags& parsed, std::string_view name) {
  const WatchCommand& command = parsed.watch;
  const bool is_get = name == "get";
  if (!is_get && parsed.watch_flag == false) {
    return usage("--watch=false cannot be used with watch; use kinf get", name);
  }
  if (is_get && parsed.once && parsed.watch_flag == true) {
    return usage("--once cannot be used with --watch", name);
  }
  const bool follows = !parsed.once && (!is_get || parsed.watch_flag.value_or(command.watch_only));
  if (Result<void> fits = check_show(parsed, follows, name); !fits) {
    return std::unexpected(std::move(fits).error());
  }
  if (follows) return command;
  return GetCommand{command, parsed.ignore_not_found};
}

Result<CommandLine> history_line(ParsedFlags& parsed) {
  const WatchCommand& command = parsed.watch;
  const std::vector<RequestedType>& types = command.informer.types;
  const bool is_one =
      types.size() == 1 && types.front().names.size() == 1 && !is_glob(types.front().names.front());
  if (!is_one) {
    Error error(ErrorKind::usage, "history takes exactly one object");
    error.hint = "for example: kinf history pod/web-1 --from incident.kinf";
    return std::unexpected(std::move(error));
  }
  Result<void> fits =
      reject({{"--selector", !command.informer.selector.empty()},
              {"--field-selector", !command.informer.field_selector.empty()},
              {"--where", command.informer.where != nullptr},
              {"--owner", !command.informer.owner.empty()},
              {"--namespace-selector", !command.informer.namespace_selector.empty()},
              {"--accessible", command.informer.accessible},
              {"--metadata", command.informer.metadata == MetadataMode::on}},
             "history", "history");
  if (fits) fits = check_show(parsed, true, "history");
  if (!fits) return std::unexpected(std::move(fits).error());
  return HistoryCommand{command, command.max_events};
}

}  // namespace kinf
