// SPDX-License-Identifier: Apache-2.0
// Parses the command line. Checks everything that can be checked without a server.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/cli/flags/event_types.h"
#include "kinf/cli/flags/type_args.h"
#include "kinf/cli/flags/until.h"
#include "kinf/cli/flags/wait_goal.h"
#include "kinf/client/config_choice.h"
#include "kinf/informer/informer_options.h"
#include "kinf/print/event_printer.h"
#include "kinf/query/condition.h"
#include "kinf/query/index_groups.h"
#include "kinf/query/index_spec.h"
#include "kinf/query/sort_order.h"
#include "kinf/query/update_filter.h"

namespace kinf {

class ObjectTrim;
struct Environment;

enum class ColourChoice { automatic, always, never };

/// The recording that a command reads instead of a server.
struct ReplayFlags {
  std::string from;             ///< a file; empty: none
  std::string at;               ///< the moment to show
  std::string since;            ///< the moment to begin with
  std::string until_time;       ///< the moment to end with
  std::optional<double> speed;  ///< nullopt: without waiting
};

/// The recording that a command writes.
struct RecordFlags {
  std::string file;  ///< empty: none
  std::optional<Clock::Duration> keep{};
  std::optional<std::int64_t> max_bytes{};
  bool show_secrets = false;
  bool is_purpose = false;  ///< if it fails, the command ends
};

/// The state that a command remembers until its next start.
struct StateFlags {
  std::string file;  ///< empty: none
  bool show_secrets = false;
  bool after_run = false;  ///< saves what the program of `kinf run` has handled
};

/// The flags of every command: server, credentials and logging.
struct GlobalFlags {
  ConfigFlags config;
  bool all_namespaces = false;
  std::string cache_dir;               ///< empty: kinf in $XDG_CACHE_HOME or ~/.cache
  std::string config_file;             ///< read before the other flags, see cli/settings
  std::optional<std::string> sandbox;  ///< scenario name or file; nullopt: no sandbox
  int verbosity = 0;
  bool quiet = false;
  bool log_json = false;
  ColourChoice colour = ColourChoice::automatic;
  ReplayFlags replay;
};

/// Returns whether output on stdout may have colours, by --color, $NO_COLOR and the terminal.
bool wants_colour(const GlobalFlags& global, const Environment& environment);

/// Whether to request PartialObjectMetadata: if nothing more is needed, always, or never.
enum class MetadataMode { automatic, on, off };

/// The flags of every command that starts informers.
struct InformerFlags {
  std::vector<RequestedType> types;
  std::string selector;
  std::string field_selector;
  std::shared_ptr<Where> where;  ///< null: no --where
  std::string namespace_selector;
  bool accessible = false;
  std::string owner;  ///< TYPE/NAME
  std::int64_t chunk_size = 500;
  int pages_in_flight = 4;
  WatchListMode watch_list = WatchListMode::automatic;
  Clock::Duration stall_timeout = std::chrono::seconds(90);
  Clock::Duration max_retry_interval = std::chrono::seconds(30);
  bool retry_forbidden = false;
  QueueKind queue = QueueKind::in_order_atomic;
  Clock::Duration resync{};  ///< 0: never
  std::optional<Clock::Duration> sync_timeout;
  std::optional<Clock::Duration> request_timeout;
  bool must_exist = false;
  bool wait_for_type = false;
  bool stats = false;
  MetadataMode metadata = MetadataMode::automatic;
  std::vector<std::string> drop;
  std::vector<std::string> keep;
  std::shared_ptr<const ObjectTrim> trim{};  ///< what `drop` and `keep` leave out; may be null
  RecordFlags record{};
  StateFlags state{};
};

/// How objects are printed.
struct OutputFlags : OutputForm {
  bool no_headers = false;
  bool show_kind = false;
  bool group = false;
  bool server_print = true;
  bool allow_missing_keys = true;
  SortOrder sort;
  bool show_labels = false;
  std::vector<std::string> label_columns;
  bool show_secrets = false;
  bool show_managed_fields = false;
  std::optional<DiffForm> diff;
  bool show_old = false;
  std::optional<TimeForm> time_form;
  std::string time_zone;   ///< empty: that of the process
  std::shared_ptr<Jq> jq;  ///< null: no --jq
};

enum class Bookmarks { none, end, all };

/// The flags that get, watch and history share.
struct ShowFlags {
  GlobalFlags global;
  InformerFlags informer;
  OutputFlags output;
  std::optional<Clock::Duration> timeout;
};

/// `kinf get`, and `kinf watch --once`: prints the objects once.
struct GetCommand : ShowFlags {
  bool ignore_not_found = false;  ///< a named object may be absent
};

/// `kinf watch`, and `kinf get --watch`: prints each change.
struct WatchCommand : ShowFlags {
  bool watch_only = false;
  Bookmarks bookmarks = Bookmarks::none;
  UpdateFilter filter;
  std::optional<bool> output_watch_events;  ///< nullopt: the default of the format
  bool latest = false;
  std::optional<EventTypes> events;  ///< nullopt: the default, see EventOutputOptions
  std::shared_ptr<Until> until;      ///< null: no --until
  bool with_events = false;          ///< also print the Events about the objects
  std::optional<std::uint64_t> max_events;
};

/// `kinf history`: prints the versions of one object.
struct HistoryCommand : ShowFlags {
  std::optional<std::uint64_t> max_events;
};

struct IndexCommand {
  GlobalFlags global;
  InformerFlags informer;
  std::vector<IndexSpec> by;
  OutputFlags output;
  KeyFormat key_format;
  GroupOrder order = GroupOrder::count;
  std::optional<std::size_t> top;
  bool count = false;
  bool objects = false;
  bool dump = false;
  bool watch = false;
  std::optional<std::uint64_t> max_events;  ///< needs `watch`
  std::optional<Clock::Duration> timeout;   ///< needs `watch`
  bool exit_status = false;
};

/// When `kinf run` runs a command, and how often.
struct RunLimits {
  int max_retries = 15;  ///< -1: no limit
  Clock::Duration first_backoff = std::chrono::milliseconds(5);
  Clock::Duration longest_backoff = std::chrono::seconds(1000);
  /// Waits until an object has not changed for this long before running its command.
  Clock::Duration debounce{};
  /// The minimum time between two starts of the command for one object.
  Clock::Duration min_interval{};
  std::size_t batch = 1;  ///< maximum number of objects in one run
};

struct RunCommand {
  GlobalFlags global;
  InformerFlags informer;
  RunLimits limits;
  bool as_batch = false;  ///< true if --batch is given, even with 1
  int concurrency = 1;
  std::optional<Clock::Duration> command_timeout;
  bool no_initial = false;
  bool fail_fast = false;
  /// How long running commands may take to finish at shutdown.
  Clock::Duration drain = std::chrono::seconds(10);
  UpdateFilter filter;
  bool show_secrets = false;
  bool show_managed_fields = false;
  std::vector<std::string> command;  ///< the arguments after `--`
};

struct WaitCommand {
  GlobalFlags global;
  InformerFlags informer;
  WaitGoal goal;
  bool has_output = false;  ///< -o is given
  OutputFlags output;       ///< its format, and what the flags of `kinf wait` set
  bool all = false;
  /// 0: check once, when the initial lists are complete.
  Clock::Duration timeout = std::chrono::seconds(30);
};

/// `kinf record`. The file is in `informer`.
struct RecordCommand {
  GlobalFlags global;
  InformerFlags informer;
};

struct DemoCommand {
  GlobalFlags global;
  std::string stage;  ///< empty: all
  bool explain = false;
  bool live = false;
  std::optional<std::string> keys;  ///< pressed in the diagram without a terminal
  std::optional<std::string> listen;
  std::optional<Clock::Duration> resync;
  std::optional<double> speed;
};

struct SandboxCommand {
  GlobalFlags global;
  std::string listen = "127.0.0.1:0";
  bool listen_any = false;
  bool tls = false;
  std::string kubeconfig_out;
  std::string name;      ///< of the context in the kubeconfig; empty: sandbox
  std::string scenario;  ///< a name or a file
  std::vector<std::string> load;
  std::string data;
  double speed = 1;
  std::optional<int> nodes;
  bool no_controllers = false;
  std::vector<std::string> faults;
  std::string relay;                 ///< HOST:PORT to relay to; empty: no relay
  std::vector<std::string> command;  ///< the arguments after `--`
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
  std::optional<std::string> api_group;  ///< nullopt: all; empty: the core group
  std::vector<std::string> categories;
  std::vector<std::string> verbs;
  std::optional<bool> namespaced;
  ResourceOutput output = ResourceOutput::table;
  ResourceOrder order = ResourceOrder::group;
  bool no_headers = false;
  bool cached = false;  ///< may read the discovery cache
};

/// The shells that have a completion script.
inline constexpr std::array<std::string_view, 3> kCompletionShells = {"bash", "zsh", "fish"};
/// `kinf completion`
struct CompletionCommand {
  std::string shell;
};
/// `kinf __complete`
struct CompleteCommand {
  std::vector<std::string> words;  ///< those after `kinf`; the last one is to be completed
};

struct VersionCommand {};
struct HelpCommand {
  std::string topic;  ///< a command; empty: the program
};

using CommandLine =
    std::variant<HelpCommand, VersionCommand, GetCommand, WatchCommand, HistoryCommand,
                 IndexCommand, RunCommand, WaitCommand, RecordCommand, DemoCommand, SandboxCommand,
                 CheckCommand, ApiResourcesCommand, CompletionCommand, CompleteCommand>;

/// Parses `arguments`, which exclude the program name. Fails with a usage error.
Result<CommandLine> parse_command_line(const std::vector<std::string>& arguments);

/// Checks the value of each flag in `arguments` by itself, not whether the flags fit each other or
/// something is missing. Errors: usage.
Result<void> check_values(const std::vector<std::string>& arguments);

}  // namespace kinf
