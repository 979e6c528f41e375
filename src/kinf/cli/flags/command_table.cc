// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/command_table.h"

#include <algorithm>

namespace kinf {
namespace {

using enum HelpPart;

#include "kinf/cli/flags/command_texts.inc"

constexpr HelpPart kOfPrinting[] = {selection,  connection, queue,  parts,
                                    recordings, cluster,    logging};
constexpr HelpPart kOfWait[] = {selection, connection, parts, recordings, cluster, logging};
constexpr HelpPart kOfRecord[] = {selection, parts, connection, cluster, logging};
constexpr HelpPart kOfHistory[] = {connection, cluster, logging};
constexpr HelpPart kOfServer[] = {cluster, logging};
constexpr HelpPart kOfFiles[] = {selection, logging};

// clang-format off
constexpr CommandRow kRows[] = {
    {.name = "watch", .id = commands::watch,
     .summary = "Print the current objects, then every change", .arguments = Arguments::objects,
     .text = kWatchText, .output_title = "Output:", .paragraphs = kOfPrinting},
    {.name = "get", .id = commands::get, .summary = "Print the current objects and exit",
     .arguments = Arguments::objects, .text = kGetText, .output_title = "Output:",
     .paragraphs = kOfPrinting},
    {.name = "index", .id = commands::index,
     .summary = "Query objects by label, field or owner; count values",
     .arguments = Arguments::objects, .text = kIndexText, .output_title = "Output:",
     .paragraphs = kOfPrinting},
    {.name = "wait", .id = commands::wait, .summary = "Wait until objects satisfy conditions",
     .arguments = Arguments::objects, .text = kWaitText, .output_title = "Output:",
     .paragraphs = kOfWait},
    {.name = "run", .id = commands::run, .summary = "Run a command for every object that changes",
     .arguments = Arguments::objects, .text = kRunText, .paragraphs = kOfPrinting},
    {.name = "record", .id = commands::record,
     .summary = "Record every version of objects, to look at the past later",
     .arguments = Arguments::objects, .text = kRecordText, .paragraphs = kOfRecord},
    {.name = "history", .id = commands::history,
     .summary = "Print the versions of objects: when, by whom, what changed",
     .arguments = Arguments::objects, .text = kHistoryText, .flags_title = "",
     .after_flags = kHistoryFlags, .paragraphs = kOfHistory},
    {.name = "info", .id = commands::info,
     .summary = "Print what a recording holds, and check that it is intact",
     .arguments = Arguments::files, .text = kInfoText, .paragraphs = kOfFiles},
    {.name = "copy", .id = commands::copy,
     .summary = "Copy a part of a recording, or what is intact of a damaged one",
     .arguments = Arguments::files, .text = kCopyText, .after_flags = kCopyEnd,
     .paragraphs = kOfFiles},
    {.name = "demo", .id = commands::demo,
     .summary = "Show how an informer works, one stage at a time", .arguments = Arguments::stage,
     .text = kDemoText, .column = 26, .after_flags = kDemoEnd},
    {.name = "sandbox", .id = commands::sandbox,
     .summary = "Run a small API server to experiment with and to test against",
     .text = kSandboxText, .after_flags = kSandboxEnd},
    {.name = "check", .id = commands::check,
     .summary = "Print the context, server, user and rights that kinf would use",
     .arguments = Arguments::types, .text = kCheckText, .after_flags = kCheckEnd,
     .paragraphs = kOfServer},
    {.name = "api-resources", .id = commands::api_resources,
     .summary = "Print the types of the server, and which can be watched",
     .text = kApiResourcesText, .flags_title = "Flags, as in kubectl api-resources:",
     .paragraphs = kOfServer},
    {.name = "completion", .id = commands::completion,
     .summary = "Print a script that completes words in bash, zsh or fish",
     .arguments = Arguments::shell, .text = kCompletionText, .flags_title = ""},
    {.name = "version", .id = commands::version, .summary = "Print the version"},
    {.name = "help", .id = commands::help, .summary = "Print this help, or the help of a command",
     .arguments = Arguments::topic},
};
// clang-format on

}  // namespace

std::span<const CommandRow> command_rows() { return kRows; }

const CommandRow* find_command(std::string_view name) {
  const auto* const found = std::ranges::find(kRows, name, &CommandRow::name);
  return found == std::end(kRows) ? nullptr : found;
}

bool is_command(std::string_view name) { return find_command(name) != nullptr; }

CommandSet command_id(std::string_view name) {
  const CommandRow* const row = find_command(name);
  return row == nullptr ? 0 : row->id;
}

}  // namespace kinf
