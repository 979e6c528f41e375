// SPDX-License-Identifier: Apache-2.0
// The commands record, info, copy, check and api-resources, and their flags.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "kinf/base/number_text.h"
#include "kinf/cli/flags/informer_flags.h"

namespace kinf {

/// `kinf record`. The file to write is `informer.record.file`.
struct RecordCommand : InformerCommand {
  std::optional<Clock::Duration> duration;  ///< nullopt records until interrupted
};

/// `kinf check`
struct CheckCommand {
  GlobalFlags global;
  std::vector<std::string> types;
  bool verify = false;  ///< compare the cache with the server
  Clock::Duration request_timeout = std::chrono::seconds(10);
};

enum class ResourceOutput { table, wide, name };
enum class ResourceOrder { group, name, kind };
/// `kinf api-resources`
struct ApiResourcesCommand {
  GlobalFlags global;
  std::optional<std::string> api_group;  ///< nullopt means all groups, empty the core group
  std::vector<std::string> categories;
  std::vector<std::string> verbs;
  std::optional<bool> namespaced;
  ResourceOutput output = ResourceOutput::table;
  ResourceOrder order = ResourceOrder::group;
  bool no_headers = false;
  bool cached = false;  ///< may read the discovery cache
};

/// `kinf info`
struct InfoCommand {
  GlobalFlags global;
  std::string file;
  bool check = false;  ///< read all versions
};

/// `kinf copy`. The times are those of `global.replay`.
struct CopyCommand {
  GlobalFlags global;
  std::string from;
  std::string to;
  std::vector<std::string> namespaces;  ///< empty means all
};

namespace rows {

// clang-format off
inline constexpr auto kInspect = rows_with({.commands = commands::api_resources}, {
    {.name = "--to", .kind = ValueKind::file, .value = "FILE", .commands = commands::record,
     .help = "the recording",
     .store = parsed_into<parse_file_name, &InformerFlags::record, &RecordFlags::file>},
    {.name = "--all-types", .commands = commands::record,
     .help = "record every type of the cluster, in all namespaces without -n; types that are "
             "created later, too",
     .note = "record every type of the cluster",
     .store = into<&InformerFlags::all_types>},
    {.name = "--for", .value = "D", .commands = commands::record,
     .help = "end after D, with exit code 0", .note = "end after this time",
     .store = into<&RecordCommand::duration>},
    {.name = "--keep", .value = "D", .commands = commands::record,
     .help = "drop history that is older than D (7d)", .note = "drop older history",
     .store = into<&InformerFlags::record, &RecordFlags::keep>},
    {.name = "--max-size", .value = "SIZE", .commands = commands::record,
     .help = "drop the oldest history of a larger file (2GiB)",
     .note = "drop the oldest history of a larger file",
     .store = parsed_into<parse_size, &InformerFlags::record, &RecordFlags::max_bytes>},
    {.name = "--verify", .commands = commands::check,
     .help = "fill a cache of each type through an informer, and compare it with the server; exits "
             "with 1 if an object still differs after three seconds",
     .note = "compare the cache of each type with the server",
     .store = into<&CheckCommand::verify>},
    {.name = "--check", .commands = commands::info,
     .help = "read all versions: exits with 1 and names what is damaged",
     .note = "check that the recording is intact", .store = into<&InfoCommand::check>},
    {.name = "--since", .value = "T", .commands = commands::copy,
     .help = "begin with the state at T", .note = "begin with the state at this time",
     .store = into<&GlobalFlags::replay, &ReplayFlags::since>},
    {.name = "--until-time", .value = "T", .commands = commands::copy, .help = "end at T",
     .note = "end at this time", .store = into<&GlobalFlags::replay, &ReplayFlags::until_time>},
    {.name = "--request-timeout", .value = "D", .commands = commands::check,
     .help = "fail a request after this long without data (10s)",
     .note = "fail a list after this long without data",
     .store = into<&CheckCommand::request_timeout>},
    {.name = "--api-group", .kind = ValueKind::api_group, .value = "GROUP",
     .help = "only types of this group; empty: the core group", .note = "only types of this group",
     .store = into<&ApiResourcesCommand::api_group>},
    {.name = "--categories", .kind = ValueKind::word_list, .value = "NAMES", .words = "all",
     .repeats = true, .help = "only types of all these categories, such as all",
     .note = "only types of these categories",
     .store = list_into<&ApiResourcesCommand::categories>},
    {.name = "--verbs", .kind = ValueKind::word_list, .value = "VERBS",
     .words = "get list watch create update patch delete deletecollection", .repeats = true,
     .help = "only types with all these verbs, such as list,watch",
     .note = "only types with these verbs", .store = list_into<&ApiResourcesCommand::verbs>},
    {.name = "--namespaced", .kind = ValueKind::choice, .value = "BOOL", .words = "true false",
     .bare = "true", .help = "only types with a namespace (true), or without",
     .note = "only types with, or without, a namespace",
     .store = word_into<&ApiResourcesCommand::namespaced, true, false>},
    {.name = "--output", .letter = 'o', .kind = ValueKind::choice, .value = "FORMAT",
     .words = "wide name", .help = "wide (with verbs and categories) or name",
     .note = "output format",
     .store = word_into<&ApiResourcesCommand::output, ResourceOutput::wide, ResourceOutput::name>},
    {.name = "--sort-by", .kind = ValueKind::choice, .value = "ORDER", .words = "name kind",
     .help = "name or kind (default: group, then name)", .note = "order of the types",
     .store = word_into<&ApiResourcesCommand::order, ResourceOrder::name, ResourceOrder::kind>},
    {.name = "--no-headers", .help = "omit the headers",
     .store = into<&ApiResourcesCommand::no_headers>},
    {.name = "--cached",
     .help = "use the discovery cache, which is 10 minutes old at most, instead of asking the "
             "server", .note = "use the discovery cache",
     .store = into<&ApiResourcesCommand::cached>},
});
// clang-format on

}  // namespace rows
}  // namespace kinf
