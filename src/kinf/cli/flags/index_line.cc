// SPDX-License-Identifier: Apache-2.0
// What the flags of `kinf index` ask for, and whether they fit each other.
#include <algorithm>

#include "kinf/cli/flags/parsed_flags.h"
#include "kinf/cli/flags/usage_error.h"

namespace kinf {

bool looks_up(const IndexCommand& command) {
  return std::ranges::all_of(command.by,
                             [](const IndexSpec& spec) { return spec.value().has_value(); });
}

bool prints_cells(const IndexCommand& command) {
  if (command.count || command.dump || command.watch || !looks_up(command)) return false;
  return command.output.has_cells() && command.output.server_print;
}

bool prints_documents(const IndexCommand& command) {
  if (command.count || command.dump || command.watch) return false;
  const OutputFlags& output = command.output;
  return command.objects || output.columns || !output.sort.empty() ||
         (output.jsonpath && looks_up(command));
}

Result<void> check_output(const IndexCommand& command) {
  const OutputFlags& output = command.output;
  const OutputFormat format = output.format;
  if (output.columns && output.columns->shows_events()) {
    return usage("the custom columns EVENT, TIME and OLD need kinf watch", "index");
  }
  const bool is_json = output.is_document() || format == OutputFormat::json_lines;
  if (command.objects && !is_json) return usage("--objects needs -o json, jsonl or yaml", "index");
  if (command.top && looks_up(command)) return usage("--top needs a --by without a value", "index");
  if (command.dump && format != OutputFormat::table && !output.is_document()) {
    return usage("--dump supports only -o json and yaml", "index");
  }
  if (!output.sort.empty() && (!looks_up(command) || command.dump || command.watch)) {
    return usage("values are sorted by count or value; a path in --sort-by sorts objects", "index");
  }
  if (!command.watch) {
    if (command.timeout) return usage("--timeout needs --watch; see --sync-timeout", "index");
    return {};
  }
  if (format != OutputFormat::table && format != OutputFormat::json &&
      format != OutputFormat::json_lines) {
    return usage("--watch supports only -o table, json and jsonl", "index");
  }
  if (command.count || command.dump || command.objects || command.top || command.exit_status) {
    return usage("--count, --dump, --objects, --top and --exit-status cannot be used with --watch",
                 "index");
  }
  return {};
}

Result<CommandLine> index_line(ParsedFlags& parsed) {
  IndexCommand& command = parsed.index;
  command.global = parsed.global;
  command.informer = parsed.informer;
  command.output = parsed.output;
  command.max_events = parsed.limits.max_events;
  command.timeout = parsed.limits.timeout;
  if (command.informer.types.size() > 1) return usage("index takes exactly one type", "index");
  const bool reads_more = std::ranges::any_of(command.by, &IndexSpec::needs_whole_object) ||
                          reads_beyond_metadata(command.output);
  Result<void> fine = command.watch ? Result<void>() : check_needs_watch(parsed.line);
  if (fine) fine = check_metadata(parsed, reads_more);
  if (fine) fine = check_recordings(parsed, command.watch);
  if (fine) fine = check_output(command);
  if (!fine) return std::unexpected(std::move(fine).error());
  return command;
}

}  // namespace kinf
