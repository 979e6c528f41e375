// SPDX-License-Identifier: Apache-2.0
// The flags of every command that starts informers: what to read and how, and which recordings and
// states to read or write.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinf/cli/flags/global_flags.h"
#include "kinf/cli/flags/type_args.h"
#include "kinf/informer/informer_options.h"

namespace kinf {

class ObjectTrim;
class Where;

/// The recording that a command writes (--record).
struct RecordFlags {
  std::string file;  ///< empty means no recording
  std::optional<Clock::Duration> keep{};
  std::optional<std::int64_t> max_bytes{};
  bool show_secrets = false;
  bool is_purpose = false;  ///< true for `kinf record`, whose purpose is the recording
};

/// The state that a command saves for its next start (--state).
struct StateFlags {
  std::string file;  ///< empty means no state
  bool show_secrets = false;
  bool after_run = false;  ///< `kinf run`: saves a change after its program has succeeded
};

/// When to request PartialObjectMetadata instead of whole objects: `automatic` (if nothing more is
/// needed), `on` (always) or `off` (never).
enum class MetadataMode { automatic, on, off };

struct InformerFlags {
  std::vector<RequestedType> types;
  bool all_types = false;  ///< `*` in `types` also stands for cluster-scoped types and later ones
  std::vector<std::string> except;  ///< the types to leave out, as the user names them
  ManifestFlags manifests{};
  std::string selector;
  std::string field_selector;
  std::shared_ptr<Where> where;  ///< null without --where
  std::string namespace_selector;
  bool accessible = false;
  std::string owner;     ///< TYPE/NAME
  bool failing = false;  ///< selects the objects whose state needs attention
  std::int64_t chunk_size = 500;
  int pages_in_flight = 4;
  WatchListMode watch_list = WatchListMode::automatic;
  Clock::Duration stall_timeout = std::chrono::seconds(90);
  Clock::Duration max_retry_interval = std::chrono::seconds(30);
  bool retry_forbidden = false;
  QueueKind queue = QueueKind::in_order_atomic;
  Clock::Duration resync{};  ///< 0 means never
  std::optional<Clock::Duration> sync_timeout;
  std::optional<Clock::Duration> request_timeout;
  bool must_exist = false;
  bool wait_for_type = false;
  bool stats = false;
  MetadataMode metadata = MetadataMode::automatic;
  std::vector<std::string> drop;
  std::vector<std::string> keep;
  std::shared_ptr<const ObjectTrim> trim{};  ///< compiled from `drop` and `keep`; may be null
  RecordFlags record{};
  StateFlags state{};
};

/// The flags that every command with informers has.
struct InformerCommand {
  GlobalFlags global;
  InformerFlags informer;
};

/// Flag values that are kept as text and compiled once the whole command line is known.
struct FlagTexts {
  std::optional<std::string> output;
  std::string sort_by;
  std::vector<std::string> where;
  std::vector<std::string> changed;
  std::vector<std::string> ignored;
  std::optional<std::string> jq;
  std::optional<std::string> until;
  std::vector<std::string> by;
  std::vector<std::string> conditions;
  std::vector<std::string> failures;
};

namespace rows {

/// The commands, besides `history`, that can read a recording.
inline constexpr CommandSet kReplaying =
    commands::watch | commands::get | commands::index | commands::wait | commands::run;
/// The commands that can read names from manifests.
inline constexpr CommandSet kNaming = commands::watch | commands::get | commands::wait;
inline constexpr CommandSet kQueued =
    commands::watch | commands::get | commands::index | commands::run;

/// The flags that cannot be used with --state. For example, each --sandbox is a new server, for
/// which no state was saved.
inline constexpr std::string_view kNotWithState =
    "--sandbox --from --wait-for-type --accessible --owner --namespace-selector";

// clang-format off
inline constexpr auto kSelection = rows_with(
    {.commands = kReplaying, .part = HelpPart::selection}, {
    {.name = "--namespace-selector", .kind = ValueKind::namespace_labels, .value = "LABELS",
     .refused = commands::record | commands::history, .note = "labels of namespaces",
     .store = into<&InformerFlags::namespace_selector>},
    {.name = "--accessible", .commands = kReplaying | commands::record,
     .refused = commands::history, .help = "(with -A: only namespaces you may read)",
     .note = "only namespaces you may read", .store = into<&InformerFlags::accessible>},
    {.name = "--except", .kind = ValueKind::types, .value = "TYPES", .repeats = true,
     .commands = commands::watch | commands::get | commands::record, .help_in = {commands::record, "(types to leave out)"},
     .note = "types to leave out", .store = list_into<&InformerFlags::except>},
    {.name = "--selector", .letter = 'l', .kind = ValueKind::label_selector, .value = "LABELS",
     .commands = kReplaying | commands::record | commands::history, .note = "label selector", .store = into<&InformerFlags::selector>},
    {.name = "--field-selector", .kind = ValueKind::field_selector, .value = "FIELDS",
     .commands = kReplaying | commands::record, .refused = commands::history,
     .note = "field selector", .store = into<&InformerFlags::field_selector>},
    {.name = "--where", .value = "EXPR", .repeats = true,
     .refused = commands::record | commands::history,
     .help = "(if this jq expression is true:\n'.status.phase == \"Failed\"'; "
             "repeatable)", .note = "jq expression that objects must satisfy",
     .store = into<&FlagTexts::where>},
    {.name = "--failing",
     .commands = commands::watch | commands::get | commands::index | commands::wait,
     .refused = commands::run | commands::record | commands::history,
     .note = "only objects that need attention", .refuses = "--metadata --server-print",
     .store = into<&InformerFlags::failing>},
    {.name = "--owner", .kind = ValueKind::object, .value = "TYPE/NAME",
     .refused = commands::record | commands::history, .note = "only objects of this owner",
     .store = into<&InformerFlags::owner>},
    {.name = "--filename", .letter = 'f', .kind = ValueKind::file, .value = "FILE",
     .repeats = true, .commands = kNaming,
     .help = "(what manifests name; -: standard input)",
     .note = "select the objects in manifests",
     .store = list_into<&InformerFlags::manifests, &ManifestFlags::files>},
    {.name = "--recursive", .letter = 'R', .commands = kNaming,
     .note = "also read manifests in the folders of a folder", .needs = "--filename",
     .store = into<&InformerFlags::manifests, &ManifestFlags::recursive>},
});
inline constexpr auto kConnection = rows_with(
    {.commands = commands::informers, .part = HelpPart::connection}, {
    {.name = "--chunk-size", .value = "N", .help = "(500)", .note = "objects per page of a list",
     .store = into<&InformerFlags::chunk_size>},
    {.name = "--pages-in-flight", .value = "N", .least = 1, .most = 64, .help = "(4)",
     .note = "pages of a list to request at a time",
     .store = into<&InformerFlags::pages_in_flight>},
    {.name = "--watch-list", .kind = ValueKind::choice, .value = "auto|on|off",
     .words = "auto on off", .help = "(auto)", .note = "get lists as a stream",
     .store = word_into<&InformerFlags::watch_list, WatchListMode::automatic, WatchListMode::on,
                        WatchListMode::off>},
    {.name = "--stall-timeout", .value = "D", .help = "(90s)",
     .note = "reconnect after this long without data",
     .store = into<&InformerFlags::stall_timeout>},
    {.name = "--max-retry-interval", .value = "D", .help = "(30s)",
     .note = "longest delay between retries", .store = into<&InformerFlags::max_retry_interval>},
    {.name = "--sync-timeout", .value = "D", .note = "time limit for the first list",
     .store = into<&InformerFlags::sync_timeout>},
    {.name = "--request-timeout", .value = "D", .help = "(60s)",
     .note = "fail a list after this long without data",
     .store = into<&InformerFlags::request_timeout>},
    {.name = "--must-exist", .commands = kReplaying | commands::history,
     .refused = commands::record, .note = "fail if a named object does not exist",
     .store = into<&InformerFlags::must_exist>},
    {.name = "--wait-for-type", .note = "wait for a type that is not served yet",
     .store = into<&InformerFlags::wait_for_type>},
    {.name = "--retry-forbidden", .note = "keep retrying on 401 and 403",
     .store = into<&InformerFlags::retry_forbidden>},
    {.name = "--stats", .note = "print statistics at the end",
     .store = into<&InformerFlags::stats>},
});
inline constexpr auto kQueue = rows_with({.commands = kQueued, .part = HelpPart::queue}, {
    {.name = "--queue", .kind = ValueKind::choice, .value = "in-order|delta",
     .words = "in-order delta", .help = "(in-order)",
     .note = "queue between the connection and the cache",
     .store = word_into<&InformerFlags::queue, QueueKind::in_order_atomic, QueueKind::delta>},
    {.name = "--resync", .value = "D", .help = "(0: never)",
     .note = "go through all objects again after this time",
     .needs_watch = commands::get | commands::index, .neutral = "0",
     .store = parsed_into<parse_resync, &InformerFlags::resync>},
});
inline constexpr auto kParts = rows_with({.commands = kReplaying, .part = HelpPart::parts}, {
    {.name = "--metadata", .kind = ValueKind::choice, .value = "auto|true|false",
     .words = "auto true false", .bare = "true", .commands = kReplaying | commands::record,
     .refused = commands::history, .help = "(auto)", .note = "request only metadata",
     .neutral = "auto false",
     .store = word_into<&InformerFlags::metadata, MetadataMode::automatic, MetadataMode::on,
                        MetadataMode::off>},
    {.name = "--drop", .kind = ValueKind::path, .value = "PATH", .repeats = true,
     .note = "leave out this field of each object", .store = into<&InformerFlags::drop>},
    {.name = "--keep", .kind = ValueKind::path, .value = "PATH", .repeats = true,
     .note = "leave out all other fields of each object", .store = into<&InformerFlags::keep>},
});
// clang-format on

/// The flags that read or write a recording. Those of `kinf record` are in inspect_flags.h.
// clang-format off
inline constexpr auto kRecordings = rows_with({.part = HelpPart::recordings}, {
    {.name = "--record", .kind = ValueKind::file, .value = "FILE", .commands = kReplaying,
     .help = "(write one)", .note = "also write a recording",
     .needs_watch = commands::get | commands::index,
     .store = parsed_into<parse_file_name, &InformerFlags::record, &RecordFlags::file>},
    {.name = "--from", .kind = ValueKind::file, .value = "FILE",
     .commands = kReplaying | commands::history,
     .help = "(read one, no server; also\nJSON of kinf or kubectl with -o json, and - for standard "
             "input)\n",
     .help_in = {commands::run | commands::wait,
                 "(read one or JSON, no server;\n-: standard input)"},
     .note = "read a recording or JSON",
     .refuses = "--sandbox --kubeconfig --context --cluster --user --server --token --in-cluster "
                "--record --resync --wait-for-type --owner --namespace-selector",
     .instead = "--kubeconfig --context --cluster --user --server --token --in-cluster --sandbox",
     .store = parsed_into<parse_file_name, &GlobalFlags::replay, &ReplayFlags::from>},
    {.name = "--at", .value = "T", .commands = commands::watch | commands::get | commands::index,
     .hidden = commands::run | commands::wait | commands::history,
     .note = "show the recorded state at this time", .needs = "--from",
     .store = into<&GlobalFlags::replay, &ReplayFlags::at>},
    {.name = "--since", .value = "T", .commands = kReplaying | commands::history,
     .note = "begin with the recorded state at this time", .needs = "--from",
     .store = into<&GlobalFlags::replay, &ReplayFlags::since>},
    {.name = "--until-time", .value = "T", .commands = kReplaying | commands::history,
     .help = "(10:14:03, \"yesterday 10:14\", now, -15m,\nend-15m of the file, RFC 3339, or rv=8812, a "
             "resourceVersion)",
     .help_in = {commands::run | commands::wait, ""}, .note = "end at this time", .needs = "--from",
     .store = into<&GlobalFlags::replay, &ReplayFlags::until_time>},
    {.name = "--speed", .value = "X", .commands = kReplaying | commands::history,
     .help = "(in recorded pace, X times as fast; default: at once)",
     .help_in = {commands::run | commands::wait, ": as in kinf watch"},
     .note = "play this many times as fast", .needs_watch = commands::get | commands::index,
     .needs = "--from",
     .store = parsed_into<parse_speed, &GlobalFlags::replay, &ReplayFlags::speed>},
});
// clang-format on

}  // namespace rows
}  // namespace kinf
