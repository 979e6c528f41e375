// SPDX-License-Identifier: Apache-2.0
// The commands get, watch and history, and their flags.
#pragma once

#include <memory>
#include <optional>

#include "kinf/cli/flags/event_types.h"
#include "kinf/cli/flags/output_flags.h"
#include "kinf/print/diff_text.h"
#include "kinf/print/time_text.h"
#include "kinf/query/update_filter.h"

namespace kinf {

class Until;

enum class Bookmarks { none, end, all };

/// The flags that get and watch --once share with watch and history.
struct ShowFlags : InformerCommand, LimitFlags {
  OutputFlags output;
};

/// `kinf get`, and `kinf watch --once`: prints the objects once.
struct GetCommand : ShowFlags {
  bool ignore_not_found = false;  ///< a named object may be absent
  bool tree = false;              ///< also prints the objects that they own
};

/// `kinf get --subresource`: prints a subresource of each named object.
struct SubresourceCommand : GetCommand {
  std::string subresource;
};

/// `kinf get --raw`: prints what the server answers.
struct RawCommand {
  GlobalFlags global;
  std::string uri;  ///< a path and a query
  std::optional<Clock::Duration> request_timeout;
};

/// `kinf watch`, and `kinf get --watch`: prints each change.
struct WatchCommand : ShowFlags {
  bool watch_only = false;
  Bookmarks bookmarks = Bookmarks::none;
  UpdateFilter filter;
  std::optional<bool> output_watch_events;  ///< nullopt means the default of the format
  bool latest = false;
  std::optional<EventTypes> events;  ///< nullopt means the default; see EventOutputOptions::events
  std::shared_ptr<Until> until;      ///< null without --until
  bool with_events = false;          ///< also print the Events about the objects
};

/// `kinf history`: prints the versions of objects.
struct HistoryCommand : WatchCommand {};

/// The flags that decide whether the command prints once or follows changes.
struct WatchChoice {
  std::optional<bool> watch;
  bool once = false;
  bool ignore_not_found = false;  ///< --ignore-not-found of get
  std::string subresource;        ///< --subresource of get
  std::string raw;                ///< --raw of get
  bool tree = false;              ///< --tree of get
};

/// Parses the value of --raw. Errors: usage.
Result<std::string> parse_uri(const std::string& text);

namespace rows {

inline constexpr CommandSet kWatches = commands::watch | commands::get;

// clang-format off
inline constexpr auto kWatch = rows_with({.commands = kWatches, .needs_watch = commands::get}, {
    {.name = "--ignore-not-found", .commands = commands::get,
     .help = "exit with 0 if a named object does not exist", .note = "a named object may be absent",
     .store = into<&WatchChoice::ignore_not_found>},
    {.name = "--subresource", .kind = ValueKind::choice, .value = "NAME",
     .words = "status scale resize", .commands = commands::get,
     .help = "print a part of named objects: status, scale, resize", .note = "print a subresource",
     .refuses = "--watch --watch-only --jq --from --selector --field-selector --where --owner "
                "--namespace-selector --accessible --metadata --failing --must-exist --stats",
     .store = word_of_row_into<&WatchChoice::subresource>},
    {.name = "--raw", .value = "URI", .commands = commands::get,
     .help = "print what the server answers, as it is",
     .note = "print what the server answers",
     .store = parsed_into<parse_uri, &WatchChoice::raw>},
    {.name = "--tree", .commands = commands::get,
     .help = "also print what the objects own, as a tree", .note = "print what the objects own",
     .refuses = "--watch --once --sort-by --jq --group --from --show-labels --label-columns "
                "--server-print --subresource --filename",
     .store = into<&WatchChoice::tree>},
    {.name = "--watch", .letter = 'w', .commands = commands::get,
     .help = "keep printing changes, like kinf watch. These flags\nof kinf watch work with it: "
             "--output-watch-events,\n--watch-only, --latest, --with-events,\n--max-events, "
             "--timeout, --changed, --ignore,\n-d, --diff, --show-old, -t, "
             "--timestamps,\n--timezone, --events, --until, --group,\n--bookmarks, --state, "
             "--resync", .note = "print every change", .store = into<&WatchChoice::watch>},
    {.name = "--output-watch-events", .kind = ValueKind::choice, .words = "true false",
     .bare = "true",
     .help = "print the type of each event (default with most -o)",
     .note = "print the type of each event", .neutral = "false",
     .store = word_into<&WatchCommand::output_watch_events, true, false>},
    {.name = "--group", .help = "several types: a table of its own for each type",
     .note = "a table of its own for each type", .store = into<&OutputFlags::group>},
    {.name = "--watch-only", .help = "skip the current objects",
     .store = into<&WatchCommand::watch_only>},
    {.name = "--bookmarks", .kind = ValueKind::choice, .value = "WHEN", .words = "none end all",
     .help = "print BOOKMARK events: none (default), end or all",
     .note = "print BOOKMARK events in json and yaml", .neutral = "none",
     .store = word_into<&WatchCommand::bookmarks, Bookmarks::none, Bookmarks::end, Bookmarks::all>},
    {.name = "--diff", .letter = 'd', .kind = ValueKind::choice, .value = "FORM",
     .words = "lines yaml patch", .bare = "lines", .commands = kWatches | commands::history,
     .help = "show what changed: lines (default), yaml or patch", .note = "show what changed",
     .needs_watch = commands::get,
     .store = word_into<&OutputFlags::diff, DiffForm::lines, DiffForm::yaml, DiffForm::patch>},
    {.name = "--show-old", .help = "add the old object to json and yaml",
     .store = into<&OutputFlags::show_old>},
    {.name = "--changed", .kind = ValueKind::path, .value = "PATH", .repeats = true,
     .commands = kWatches | commands::history,
     .help = "skip updates that change nothing at this JSONPath",
     .note = "skip updates that change nothing at this path", .needs_watch = commands::get,
     .store = into<&FlagTexts::changed>},
    {.name = "--ignore", .kind = ValueKind::path, .value = "PATH|noise", .words = "noise",
     .repeats = true, .commands = kWatches | commands::history,
     .help = "skip updates that change only this (repeatable)",
     .note = "skip updates that change only this", .needs_watch = commands::get,
     .store = into<&FlagTexts::ignored>},
    {.name = "--timestamps", .letter = 't', .kind = ValueKind::choice, .value = "FORM",
     .words = "short rfc3339 unix relative", .bare = "short",
     .commands = kWatches | commands::history,
     .help = "show when: short (default), rfc3339, unix, relative",
     .note = "show when events arrived", .needs_watch = commands::get,
     .store = word_into<&OutputFlags::time_form, TimeForm::short_form, TimeForm::rfc3339,
                        TimeForm::unix_time, TimeForm::relative>},
    {.name = "--timezone", .kind = ValueKind::words, .value = "NAME", .words = "Local UTC",
     .commands = kWatches | commands::history,
     .help = "of the timestamps: Local (default), UTC, Asia/Tokyo",
     .note = "time zone of the timestamps", .needs_watch = commands::get,
     .store = into<&OutputFlags::time_zone>},
    {.name = "--with-events", .commands = kWatches | commands::history,
     .help = "add the events about the objects, as rows or JSON",
     .note = "add the events about the objects", .needs_watch = commands::get,
     .store = into<&WatchCommand::with_events>},
    {.name = "--latest", .help = "merge pending changes if the reader is slow",
     .note = "merge pending changes for a slow reader", .store = into<&WatchCommand::latest>},
    {.name = "--state", .kind = ValueKind::file, .value = "FILE",
     .help = "remember what was printed; the next start prints what has changed since, deletions "
             "included", .note = "remember what was handled for the next start",
     .refuses = kNotWithState,
     .store = parsed_into<parse_file_name, &InformerFlags::state, &StateFlags::file>},
    {.name = "--once", .commands = commands::watch,
     .help = "print once, like kinf get; -w, --watch: no effect",
     .note = "print the current objects and exit", .store = into<&WatchChoice::once>},
    {.name = "--events", .kind = ValueKind::word_list, .value = "LIST",
     .words = "added updated deleted resync",
     .help = "print only these: added, updated, deleted, and resync, which needs --resync",
     .note = "print only these", .store = parsed_into<EventTypes::parse, &WatchCommand::events>},
    {.name = "--jq", .value = "EXPR", .commands = kWatches,
     .help = "print the results of jq for each JSON event",
     .help_in = {commands::get, "print the results of jq for the JSON output"},
     .note = "print the results of a jq program", .store = into<&FlagTexts::jq>},
    {.name = "--until", .kind = ValueKind::condition, .value = "EXPR",
     .words = "create delete condition= rollout jsonpath= jq=",
     .help = "exit with 0 when an event satisfies create, delete, condition=TYPE[=VALUE], "
             "jsonpath=PATH[=VALUE], rollout, jq=EXPR (object) or EXPR (event)",
     .note = "exit at the first event that satisfies it", .store = into<&FlagTexts::until>},
    {.name = "--max-events", .value = "N", .least = 1,
     .commands = kWatches | commands::index | commands::history,
     .help = "exit with 0 after N events; --timeout D: 124", .help_in = {commands::index, ""},
     .note = "exit after this many events", .needs_watch = commands::get | commands::index,
     .store = into<&LimitFlags::max_events>},
    {.name = "--timeout", .value = "D", .commands = kWatches | commands::index | commands::history,
     .note = "exit after this time", .store = into<&LimitFlags::timeout>},
    {.name = "--watch", .letter = 'w', .commands = commands::watch,
     .note = "print every change", .store = into<&WatchChoice::watch>},
    {.name = "--once", .commands = commands::get,
     .help = "no effect; accepted because kinf watch has it",
     .note = "print the current objects and exit", .store = into<&WatchChoice::once>},
});
// clang-format on

}  // namespace rows
}  // namespace kinf
