// SPDX-License-Identifier: Apache-2.0
// The flags of every command that prints objects.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "kinf/cli/flags/informer_flags.h"
#include "kinf/print/output_form.h"
#include "kinf/query/sort_order.h"

namespace kinf {

class Jq;

struct OutputFlags : ShowOptions {
  bool no_headers = false;
  bool server_print = true;
  SortOrder sort;
  bool show_managed_fields = false;
  std::string time_zone;   ///< empty means the time zone of the process
  std::shared_ptr<Jq> jq;  ///< null without --jq
};

/// The limits that end a command before the user interrupts it.
struct LimitFlags {
  std::optional<std::uint64_t> max_events;
  std::optional<Clock::Duration> timeout;
};

namespace rows {

/// The commands that print tables of objects.
inline constexpr CommandSet kTables = commands::watch | commands::get | commands::index;

// clang-format off
inline constexpr auto kOutput = rows_with({.commands = kTables, .part = HelpPart::output}, {
    {.name = "--output", .letter = 'o', .kind = ValueKind::output, .value = "FORMAT",
     .commands = commands::watch | commands::get | commands::history,
     .help = "table (default), wide, json, yaml, name, csv, tsv, jsonpath=, jsonpath-as-json=, "
             "jsonpath-file=, custom-columns=, custom-columns-file=", .note = "output format",
     .store = into<&FlagTexts::output>},
    {.name = "--output", .letter = 'o', .kind = ValueKind::output, .value = "FORMAT",
     .commands = commands::index,
     .help = "table (default), wide, json, jsonl, yaml, name, keys, csv, tsv, jsonpath=, "
             "jsonpath-as-json=, jsonpath-file=, custom-columns=, custom-columns-file=",
     .note = "output format", .store = into<&FlagTexts::output>},
    {.name = "--output", .letter = 'o', .kind = ValueKind::words, .value = "FORMAT",
     .words = "json yaml name jsonpath= jsonpath-as-json= jsonpath-file=",
     .commands = commands::wait,
     .help = "instead of \"TYPE/NAME condition met\", print the objects: json, yaml, name, "
             "jsonpath=, jsonpath-as-json=, jsonpath-file=", .note = "print the objects",
     .store = into<&FlagTexts::output>},
    {.name = "--sort-by", .kind = ValueKind::sort_paths, .value = "PATH,...",
     .commands = commands::watch | commands::get,
     .help = "sort the objects by JSONPaths; -PATH: in reverse",
     .note = "paths to sort the current objects by", .store = into<&FlagTexts::sort_by>},
    {.name = "--sort-by", .kind = ValueKind::index_order, .value = "ORDER", .words = "count value -count -value",
     .commands = commands::index,
     .help = "sort values by count (default) or value, selected objects by JSONPaths; with - before "
             "it in reverse",
     .note = "order of the values, or paths of objects", .store = into<&FlagTexts::sort_by>},
    {.name = "--label-columns", .letter = 'L', .kind = ValueKind::label_keys, .value = "KEYS",
     .repeats = true, .help = "add a column for each of these labels",
     .note = "add columns for labels", .store = list_into<&OutputFlags::label_columns>},
    {.name = "--show-labels",
     .help = "      --show-labels, --show-kind, --no-headers, --server-print (true),\n",
     .note = "add a column with all labels", .store = into<&OutputFlags::show_labels>},
    {.name = "--show-kind", .note = "print names as TYPE/NAME",
     .store = into<&OutputFlags::show_kind>},
    {.name = "--no-headers", .commands = kTables | commands::history, .note = "omit the headers",
     .store = into<&OutputFlags::no_headers>},
    {.name = "--server-print", .kind = ValueKind::choice, .words = "true false", .bare = "true",
     .note = "print the columns of the server", .neutral = "true",
     .store = word_into<&OutputFlags::server_print, true, false>},
    {.name = "--allow-missing-template-keys", .kind = ValueKind::choice, .words = "true false",
     .bare = "true", .commands = kTables | commands::wait,
     .help = "      --allow-missing-template-keys (true): as in kubectl get\n",
     .help_in = {commands::wait,
                 "      --allow-missing-template-keys (true): as in kubectl wait\n"},
     .note = "a missing field in jsonpath is no error",
     .store = word_into<&OutputFlags::allow_missing_keys, true, false>},
    {.name = "--no-truncate", .commands = kTables | commands::history,
     .help = "shorten nothing to fit the terminal",
     .store = into<&OutputFlags::no_truncate>},
    {.name = "--show-secrets", .commands = commands::informers,
     .help = "print the values of Secrets instead of their sizes",
     .help_in = {commands::record, "record the values of Secrets instead of their sizes"},
     .note = "print the values of Secrets", .store = into<&OutputFlags::show_secrets>},
    {.name = "--show-managed-fields", .commands = kTables | commands::run | commands::wait,
     .help = "keep metadata.managedFields", .store = into<&OutputFlags::show_managed_fields>},
    {.name = "--neat", .commands = commands::watch | commands::get,
     .help = "json, yaml: omit what the server adds",
     .note = "omit status, uid, defaults and more", .refuses = "--show-managed-fields",
     .store = into<&OutputFlags::neat>},
});
// clang-format on

}  // namespace rows
}  // namespace kinf
