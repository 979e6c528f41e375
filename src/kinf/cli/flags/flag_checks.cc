// SPDX-License-Identifier: Apache-2.0
// Rejects flags that do not fit each other. The rows of the flags list some conflicts; others
// depend on values.
#include <fmt/format.h>

#include "kinf/cli/flags/flag_table.h"
#include "kinf/cli/flags/parsed_flags.h"
#include "kinf/cli/flags/usage_error.h"
#include "kinf/query/jsonpath_scope.h"

namespace kinf {
namespace {

/// Returns the rows of the flags that are set (see TypedLine::is_set()), in the order of the table.
std::vector<const FlagRow*> set_rows(const TypedLine& line) {
  std::vector<const FlagRow*> set;
  for (const FlagRow* row : flag_rows()) {
    const TypedFlag* const flag = line.find(row->name);
    if (flag != nullptr && flag->row == row && line.is_set(row->name)) set.push_back(row);
  }
  return set;
}

}  // namespace

Result<void> check_rows(const TypedLine& line) {
  const std::vector<const FlagRow*> set = set_rows(line);
  for (const FlagRow* row : set) {
    if ((row->refused & line.command_id) != 0) {
      return usage(fmt::format("{} cannot be used with {}", row->name, line.command), line.command);
    }
    if (!row->needs.empty() && !line.is_set(row->needs)) {
      return usage(fmt::format("{} needs {}", row->name, row->needs), line.command);
    }
  }
  for (const FlagRow* row : set) {
    if (Result<void> fine = reject(line, row->refuses, row->name); !fine) return fine;
  }
  return {};
}

Result<void> check_needs_watch(const TypedLine& line) {
  for (const FlagRow* row : set_rows(line)) {
    // `watch --once` has the same rules as `get`.
    const CommandSet command = line.command_id == commands::watch ? commands::get : line.command_id;
    if ((row->needs_watch & command) != 0) {
      return usage(fmt::format("{} needs --watch", row->name), line.command);
    }
  }
  return {};
}

Result<void> reject(const TypedLine& line, std::string_view flags, std::string_view other) {
  for (const std::string_view flag : words_in(flags)) {
    if (line.is_set(flag)) {
      return usage(fmt::format("{} cannot be used with {}", flag, other), line.command);
    }
  }
  return {};
}

Result<void> check_metadata(const ParsedFlags& parsed, bool reads_more) {
  const InformerFlags& flags = parsed.informer;
  if (flags.metadata != MetadataMode::on) return {};
  if (reads_more || (flags.where && flags.where->reads_beyond_metadata())) {
    return usage("with --metadata, only paths in .metadata can be used", parsed.line.command);
  }
  return {};
}

bool reads_beyond_metadata(const OutputFlags& output, bool prints_events) {
  using jsonpath::Document;
  if (output.sort.reads_beyond_metadata()) return true;
  if (output.columns) return output.columns->reads_beyond_metadata();
  if (!output.jsonpath) return false;
  if (prints_events) return output.jsonpath->reads_beyond_metadata(Document::event);
  return output.jsonpath->reads_beyond_metadata(Document::object) ||
         output.jsonpath->reads_beyond_metadata(Document::list);
}

Result<void> check_recordings(const ParsedFlags& parsed, bool watches) {
  const std::string& command = parsed.line.command;
  const ReplayFlags& replay = parsed.global.replay;
  const bool records = !parsed.informer.record.file.empty();
  const bool is_record = command == "record";
  const bool has_several_contexts = parsed.global.config.overrides.context.contains(',');
  return first_conflict(
      command,
      {{!replay.at.empty() && watches, "--at shows one moment; use --since to watch from it on"},
       {!replay.since.empty() && !watches, "--since needs --watch; use --at to show one moment"},
       {!replay.until_time.empty() && !watches,
        "--until-time needs --watch; use --at to show one moment"},
       {records && has_several_contexts,
        fmt::format("{} cannot be used with several contexts", is_record ? "record" : "--record")},
       {records && parsed.informer.wait_for_type && !is_record,
        "--wait-for-type cannot be used with --record; use kinf record"},
       {!parsed.informer.state.file.empty() && has_several_contexts,
        "--state cannot be used with several contexts; run kinf once for each"}});
}

}  // namespace kinf
