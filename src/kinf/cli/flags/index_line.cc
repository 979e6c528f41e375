// SPDX-License-Identifier: Apache-2.0
// Checks the flags of `kinf index`, and makes the command.
#include <algorithm>

#include "kinf/cli/flags/parsed_flags.h"
#include "kinf/cli/flags/usage_error.h"

namespace kinf {

bool looks_up(const IndexCommand& command) {
  return !command.counts && std::ranges::all_of(command.by, [](const IndexSpec& spec) {
    return spec.value().has_value();
  });
}

void merge_keys(IndexCommand& command) {
  std::vector<IndexSpec> kept;
  for (IndexSpec& spec : command.by) {
    const auto same = std::ranges::find_if(kept, [&](const IndexSpec& other) {
      const bool may_merge = !spec.value() || !other.value() || spec.value() == other.value();
      return may_merge && spec.has_key_of(other);
    });
    if (same == kept.end()) {
      kept.push_back(std::move(spec));
      continue;
    }
    if (spec.value() != same->value()) command.counts = true;
    if (!same->value() && spec.value()) same->set_value(*spec.value());
  }
  command.by = std::move(kept);
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
  const bool is_json = output.is_document() || output.format == OutputFormat::json_lines;
  const bool is_plain = output.format == OutputFormat::table;
  return first_conflict(
      "index",
      {{output.columns && output.columns->shows_events(),
        "the custom columns EVENT, TIME and OLD need kinf watch"},
       {command.objects && !is_json, "--objects needs -o json, jsonl or yaml"},
       {command.top && looks_up(command), "--top needs a --by without a value"},
       {command.dump && !is_plain && !output.is_document(),
        "--dump supports only -o json and yaml"},
       {!output.sort.empty() && (!looks_up(command) || command.dump || command.watch),
        "values are sorted by count or value; a path in --sort-by sorts objects"},
       {!command.watch && command.timeout, "--timeout needs --watch; see --sync-timeout"},
       {command.watch && !is_plain && (!is_json || output.format == OutputFormat::yaml),
        "--watch supports only -o table, json and jsonl"},
       {command.watch && (command.count || command.dump || command.objects || command.top ||
                          command.exit_status),
        "--count, --dump, --objects, --top and --exit-status cannot be used with --watch"}});
}

Result<CommandLine> index_line(ParsedFlags& parsed) {
  IndexCommand& command = parsed.index;
  static_cast<InformerCommand&>(command) = {parsed.global, parsed.informer};
  command.output = parsed.output;
  static_cast<LimitFlags&>(command) = parsed.limits;
  if (command.informer.types.size() > 1) return usage("index takes exactly one type", "index");
  merge_keys(command);
  const bool reads_more = std::ranges::any_of(command.by, &IndexSpec::needs_whole_object) ||
                          reads_beyond_metadata(command.output);
  Result<void> fine = command.watch ? Result<void>() : check_needs_watch(parsed.line);
  if (fine) fine = check_metadata(parsed, reads_more);
  if (fine) fine = check_recordings(parsed, command.watch);
  if (fine) fine = check_output(command);
  if (!fine) return fail(fine);
  return command;
}

}  // namespace kinf
