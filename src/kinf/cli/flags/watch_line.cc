// SPDX-License-Identifier: Apache-2.0
// Checks the flags of watch, get and history, and makes these commands.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kinf/cli/flags/namespace_filter.h"
#include "kinf/cli/flags/parsed_flags.h"
#include "kinf/cli/flags/until.h"
#include "kinf/cli/flags/usage_error.h"

namespace kinf {
namespace {

/// Rejects flags that the output format does not support.
Result<void> check_output(const WatchCommand& command, std::string_view name) {
  const bool is_history = name == "history";  // prints Events as rows with the same columns
  const OutputFlags& output = command.output;
  const bool is_document = output.is_document();
  const bool prints_event =
      (is_document || output.jsonpath) && command.output_watch_events.value_or(is_document);
  const bool in_event = output.diff || output.show_old;
  const std::string_view flag = output.diff ? "--diff" : "--show-old";
  const std::string_view format = format_word(output.format);
  return first_conflict(
      name, {{output.format == OutputFormat::name && command.with_events,
              "--with-events cannot be shown with -o name"},
             {(output.format == OutputFormat::csv || output.format == OutputFormat::tsv) &&
                  command.with_events && !is_history,
              fmt::format("--with-events cannot be shown with -o {}", format)},
             {in_event && is_document && !prints_event,
              fmt::format("{} cannot be shown with --output-watch-events=false", flag)},
             {in_event && output.jsonpath && !prints_event,
              fmt::format("{} needs --output-watch-events with -o jsonpath", flag)},
             {in_event && !prints_event && !output.is_table(),
              fmt::format("{} cannot be shown with -o {}", flag, format)},
             {command.bookmarks != Bookmarks::none && !(is_document && prints_event),
              "--bookmarks needs the events of -o json or -o yaml"},
             {command.bookmarks == Bookmarks::all && command.latest,
              "--bookmarks=all cannot be used with --latest"},
             {output.show_old && !prints_event, "--show-old needs -o json or -o yaml"},
             {output.time_form && !is_document && !output.has_cells() && !output.columns,
              fmt::format("--timestamps cannot be shown with -o {}", format)}});
}

/// With --jq, makes json the default format and rejects all other formats.
Result<void> take_jq(OutputFlags& output, std::string_view name) {
  if (!output.jq) return {};
  if (output.format == OutputFormat::table) output.format = OutputFormat::json;
  if (output.format != OutputFormat::json) return usage("--jq can only be used with -o json", name);
  return {};
}

/// Rejects flags that do not fit --metadata, a recording or a state. `follows`: the command follows
/// changes.
Result<void> check_common(const ParsedFlags& parsed, bool follows) {
  const WatchCommand& command = parsed.watch;
  const std::string& name = parsed.line.command;
  const bool has_status = parsed.informer.metadata != MetadataMode::on;
  if (!has_status && command.until && command.until->needs_status()) {
    return usage("--metadata requests no status, which --until condition= and rollout need", name);
  }
  // --ignore is not checked here, because it also works if only metadata is requested.
  const bool prints_events = command.output_watch_events == true;
  const bool reads_more = parsed.filter.changed_needs_whole_object() ||
                          reads_beyond_metadata(parsed.output, prints_events) ||
                          (command.until && command.until->reads_beyond_metadata());
  Result<void> fits = check_metadata(parsed, reads_more);
  return fits ? check_recordings(parsed, follows) : fits;
}

/// Checks the flags that get, watch and history share. Returns them as a WatchCommand.
Result<WatchCommand> checked_watch(ParsedFlags& parsed, bool follows) {
  WatchCommand& command = parsed.watch;
  const std::string& name = parsed.line.command;
  if (parsed.output.group && !parsed.output.is_table()) {
    return usage("--group needs -o table or wide", name);
  }
  Result<void> fits = take_jq(parsed.output, name);
  if (fits && parsed.output.neat && !parsed.output.is_document()) {
    return usage("--neat needs -o json or yaml", name);
  }
  if (fits) fits = check_common(parsed, follows);
  if (!fits) return fail(fits);
  static_cast<InformerCommand&>(command) = {parsed.global, parsed.informer};
  command.output = parsed.output;
  command.filter = parsed.filter;
  static_cast<LimitFlags&>(command) = parsed.limits;
  const bool resyncs = command.events && command.events->contains(ChangeType::resync);
  if (follows && resyncs && command.informer.resync.count() == 0) {
    return usage("--events resync needs --resync", name);
  }
  fits = follows ? check_output(command, name) : check_needs_watch(parsed.line);
  if (!fits) return fail(fits);
  if (!follows && command.output.columns && command.output.columns->shows_events()) {
    return usage("the custom columns EVENT, TIME and OLD need --watch", name);
  }
  return command;
}

}  // namespace

Result<std::string> parse_uri(const std::string& text) {
  const bool is_path = text.starts_with('/') && std::ranges::all_of(text, [](char c) {
                         return c > ' ' && c < '\x7F' && c != '#';
                       });
  if (is_path) return text;
  return fail(ErrorKind::usage, "it must be a path such as /api/v1/nodes?limit=1, escaped with %");
}

Result<CommandLine> raw_line(ParsedFlags& parsed) {
  const TypedLine& line = parsed.line;
  if (!line.args.empty() || !line.trailing.empty()) {
    return usage("arguments may not be passed when --raw is specified", line.command);
  }
  for (const TypedFlag& flag : line.flags) {
    const bool connects = flag.row->is_global && flag.row->part != HelpPart::selection;
    if (connects || flag.name == "--raw" || flag.name == "--request-timeout") continue;
    if (line.is_set(flag.name)) {
      return usage(fmt::format("{} cannot be used with --raw", flag.name), line.command);
    }
  }
  return RawCommand{parsed.global, parsed.choice.raw, parsed.informer.request_timeout};
}

Result<CommandLine> watch_line(ParsedFlags& parsed) {
  const std::string& name = parsed.line.command;
  const WatchChoice& choice = parsed.choice;
  const bool is_get = parsed.line.command_id == commands::get;
  if (!is_get && choice.watch == false) {
    return usage("--watch=false cannot be used with watch; use kinf get", name);
  }
  if (is_get && choice.once && choice.watch == true) {
    return usage("--once cannot be used with --watch", name);
  }
  const bool follows = !choice.once && (!is_get || choice.watch.value_or(parsed.watch.watch_only));
  Result<WatchCommand> command = checked_watch(parsed, follows);
  if (!command) return fail(command);
  if (follows) return *std::move(command);
  if (choice.tree && command->output.format != OutputFormat::table) {
    return usage(
        fmt::format("-o {} cannot be used with --tree", format_word(command->output.format)), name);
  }
  GetCommand get{*command, choice.ignore_not_found, choice.tree};
  if (choice.subresource.empty()) return get;
  return SubresourceCommand{std::move(get), choice.subresource};
}

Result<CommandLine> history_line(ParsedFlags& parsed) {
  Result<WatchCommand> command = checked_watch(parsed, true);
  if (!command) return fail(command);
  return HistoryCommand{*command};
}

}  // namespace kinf
