// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "kinf/cli/command_lines.h"
#include "kinf/cli/flag_checks.h"
#include "kinf/cli/usage_error.h"

namespace kinf {
namespace {

/// Parses --sort-by of `kinf index`: `count` and `value` for groups, or JSONPaths for objects.
Result<void> take_index_output(IndexCommand& command, const OutputTexts& texts) {
  const bool is_word = texts.sort_by == "count" || texts.sort_by == "value";
  command.order = texts.sort_by == "value" ? GroupOrder::value : GroupOrder::count;
  return take_output(command.output, texts.output, is_word ? "" : texts.sort_by, "index");
}

}  // namespace

Result<CommandLine> index_line(ParsedFlags& parsed) {
  if (parsed.index.informer.types.size() > 1) return usage("index takes exactly one type", "index");
  for (const std::string& text : parsed.by) {
    Result<IndexSpec> spec = IndexSpec::parse(text);
    if (!spec) return std::unexpected(std::move(spec).error());
    parsed.index.by.push_back(*std::move(spec));
  }
  if (Result<void> taken = take_index_output(parsed.index, parsed.texts); !taken) {
    return std::unexpected(std::move(taken).error());
  }
  if (parsed.index.informer.resync.count() > 0 && !parsed.index.watch) {
    return usage("--resync needs --watch", "index");
  }
  const bool reads_more = std::ranges::any_of(parsed.index.by, &IndexSpec::needs_whole_object);
  Result<void> fine = check_parts(parsed.index.informer, parsed.index.output.show_managed_fields,
                                  reads_more, "index");
  if (fine) {
    fine = check_replay(parsed.index.global, parsed.index.informer, parsed.index.watch, "index");
  }
  parsed.index.informer.record.show_secrets = parsed.index.output.show_secrets;
  if (fine) {
    fine = check_recording(parsed.index.global, parsed.index.informer, parsed.index.watch, "index");
  }
  if (!fine) return std::unexpected(std::move(fine).error());
  return parsed.index;
}

}  // namespace kinf
