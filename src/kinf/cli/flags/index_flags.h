// SPDX-License-Identifier: Apache-2.0
// The command `kinf index` and its flags.
#pragma once

#include <optional>
#include <vector>

#include "kinf/cli/flags/output_flags.h"
#include "kinf/query/index_groups.h"
#include "kinf/query/index_spec.h"

namespace kinf {

/// `kinf index`: groups objects by their values, or looks up objects by value. The members of
/// LimitFlags have an effect only with `watch`.
struct IndexCommand : InformerCommand, LimitFlags {
  std::vector<IndexSpec> by;
  OutputFlags output;
  KeyFormat key_format;
  GroupOrder order = GroupOrder::count;
  std::optional<std::size_t> top;
  bool counts = false;  ///< a key is in --by with a value and without one
  bool count = false;
  bool objects = false;
  bool dump = false;
  bool watch = false;
  bool exit_status = false;
};

/// Returns true if every --by has a value. kinf then looks up objects instead of grouping them.
/// Returns false if the same key is also in a --by without a value.
bool looks_up(const IndexCommand& command);
/// Returns true if the output is a table of objects with cells from the server.
bool prints_cells(const IndexCommand& command);
/// Returns true if the output needs the documents of the objects.
bool prints_documents(const IndexCommand& command);
/// Makes one --by of those with the same key, except that different values of a key remain: an
/// object must have all of them.
void merge_keys(IndexCommand& command);
/// Rejects flags that do not fit the output format or each other. Errors: usage.
Result<void> check_output(const IndexCommand& command);

namespace rows {

// clang-format off
inline constexpr auto kIndex = rows_with({.commands = commands::index}, {
    {.name = "--by",
     .kind = ValueKind::index_key,
     .value = "KEY",
     .repeats = true,
     .help = R"(      --by KEY               list the values of KEY and count their objects
      --by KEY=VALUE         select the objects with this value
        KEY is a label (app, label:app), annotation:KEY, a JSONPath
        (.spec.nodeName), or one of @namespace @node @owner @root @image @phase
        @ip @sa @secret @configmap @pvc. VALUE is text, a glob or a list (a,b);
        for @owner and @root it is an object (deploy/web). All must match.
)",
     .note = "index key, or KEY=VALUE to select",
     .store = into<&FlagTexts::by>},
    {.name = "--watch", .letter = 'w',
     .help = "then print objects that gain (+), lose (-) or change a value; limits: --max-events, "
             "--timeout", .note = "print every change", .store = into<&IndexCommand::watch>},
    {.name = "--count", .help = "print only the number of objects", .refuses = "--dump --top",
     .store = into<&IndexCommand::count>},
    {.name = "--objects", .help = "add the objects to json, jsonl and yaml output",
     .note = "add the objects to the output", .store = into<&IndexCommand::objects>},
    {.name = "--top", .value = "N", .least = 1,
     .help = "print only the first N values; not with --count",
     .note = "print only the first values", .store = into<&IndexCommand::top>},
    {.name = "--key-format", .value = "FORMAT",
     .help = "format of keys, such as '{ns}---{name}' or {uid}", .note = "format of keys",
     .store = parsed_into<KeyFormat::parse, &IndexCommand::key_format>},
    {.name = "--dump", .help = "print the whole index as JSON: values and keys",
     .note = "print the whole index", .store = into<&IndexCommand::dump>},
    {.name = "--exit-status", .letter = 'e', .help = "exit with 4 if nothing matches",
     .store = into<&IndexCommand::exit_status>},
});
// clang-format on

}  // namespace rows
}  // namespace kinf
