// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/index_form.h"

#include <algorithm>

namespace kinf {
namespace {

std::unexpected<Error> misfit(std::string message) {
  Error error(ErrorKind::usage, std::move(message));
  error.hint = "kinf index --help lists the flags";
  return std::unexpected(std::move(error));
}

}  // namespace

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
    return misfit("the custom columns EVENT, TIME and OLD need kinf watch");
  }
  const bool is_json = output.is_document() || format == OutputFormat::json_lines;
  if (command.objects && !is_json) return misfit("--objects needs -o json, jsonl or yaml");
  if (command.top && looks_up(command)) return misfit("--top needs a --by without a value");
  if (command.count && command.dump) return misfit("--dump cannot be used with --count");
  if (command.dump && format != OutputFormat::table && !output.is_document()) {
    return misfit("--dump supports only -o json and yaml");
  }
  if (command.count && command.top) return misfit("--top cannot be used with --count");
  if (!output.sort.empty() && (!looks_up(command) || command.dump || command.watch)) {
    return misfit("values are sorted by count or value; a path in --sort-by sorts objects");
  }
  if (!command.watch) {
    if (command.max_events) return misfit("--max-events needs --watch");
    if (command.timeout) return misfit("--timeout needs --watch; see --sync-timeout");
    return {};
  }
  if (format != OutputFormat::table && format != OutputFormat::json &&
      format != OutputFormat::json_lines) {
    return misfit("--watch supports only -o table, json and jsonl");
  }
  if (command.count || command.dump || command.objects || command.top || command.exit_status) {
    return misfit(
        "--count, --dump, --objects, --top and --exit-status cannot be used with --watch");
  }
  return {};
}

}  // namespace kinf
