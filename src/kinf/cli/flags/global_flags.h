// SPDX-License-Identifier: Apache-2.0
// The flags of every command: server, credentials and logging.
#pragma once

#include <optional>
#include <string>

#include "kinf/cli/flags/flag_row.h"
#include "kinf/client/config_choice.h"

namespace kinf {

struct Environment;

enum class ColourChoice { automatic, always, never };

/// The recording that a command reads instead of a server.
struct ReplayFlags {
  std::string from;             ///< a path, or `-` for standard input; empty without --from
  std::string at;               ///< the time of the state to show
  std::string since;            ///< the time to begin at
  std::string until_time;       ///< the time to end at
  std::optional<double> speed;  ///< a factor; nullopt means without waiting
};

struct GlobalFlags {
  ConfigFlags config;
  bool all_namespaces = false;
  /// The folder of the discovery cache. Empty means kinf in $XDG_CACHE_HOME or ~/.cache.
  std::string cache_dir;
  std::string config_file;             ///< the settings file; read before the other flags
  std::optional<std::string> sandbox;  ///< scenario name or file; nullopt means no sandbox
  int verbosity = 0;
  bool quiet = false;
  bool log_json = false;
  ColourChoice colour = ColourChoice::automatic;
  ReplayFlags replay;
};

/// Returns whether output on stdout may have colours, according to --color, $NO_COLOR and the
/// terminal.
bool wants_colour(const GlobalFlags& global, const Environment& environment);

/// The flags that print help or the version instead of running the command.
struct HelpFlags {
  bool help = false;
  bool version = false;
};

namespace rows {

/// The commands that use an API server. `sandbox` is not among them, because it is a server itself.
inline constexpr CommandSet kClients =
    commands::informers | commands::check | commands::api_resources | commands::demo;

/// Parses a value and stores it in a member of ConfigOverrides.
template <auto member>
inline constexpr StoreValue kOverride = into<&GlobalFlags::config, &ConfigFlags::overrides, member>;

// clang-format off
inline constexpr auto kGlobal = rows_with(
    {.is_global = true, .commands = kClients, .part = HelpPart::cluster}, {
    {.name = "--kubeconfig", .kind = ValueKind::file, .value = "FILE", .note = "kubeconfig file",
     .store = into<&GlobalFlags::config, &ConfigFlags::kubeconfig>},
    {.name = "--context", .kind = ValueKind::contexts, .value = "NAME[,NAME...]",
     .commands = (kClients & ~(commands::api_resources | commands::demo | commands::record)),
     .note = "context of the kubeconfig, or several with commas",
     .store = kOverride<&ConfigOverrides::context>},
    {.name = "--context", .kind = ValueKind::context, .value = "NAME",
     .commands = commands::api_resources | commands::demo | commands::record,
     .note = "context of the kubeconfig", .store = kOverride<&ConfigOverrides::context>},
    {.name = "--cluster", .kind = ValueKind::cluster, .value = "NAME",
     .note = "cluster of the kubeconfig", .store = kOverride<&ConfigOverrides::cluster>},
    {.name = "--user", .kind = ValueKind::user, .value = "NAME", .note = "user of the kubeconfig",
     .store = kOverride<&ConfigOverrides::user>},
    {.name = "--namespace", .letter = 'n', .kind = ValueKind::name_space, .value = "NAME[,NAME...]",
     .commands = (kClients & ~commands::api_resources) | commands::copy,
     .part = HelpPart::selection, .help = "(also 'team-*' and '!kube-*')",
     .note = "namespace, or several, globs and !exclusions with commas",
     .store = kOverride<&ConfigOverrides::name_space>},
    {.name = "--all-namespaces", .letter = 'A',
     .commands = (kClients & ~commands::api_resources), .part = HelpPart::selection, .note = "all namespaces", .instead = "--namespace",
     .store = into<&GlobalFlags::all_namespaces>},
    {.name = "--server", .letter = 's', .value = "URL", .note = "address of the API server",
     .store = kOverride<&ConfigOverrides::server>},
    {.name = "--token", .value = "TOKEN", .note = "bearer token",
     .store = kOverride<&ConfigOverrides::token>},
    {.name = "--certificate-authority", .kind = ValueKind::file, .value = "FILE",
     .note = "CA certificates", .store = kOverride<&ConfigOverrides::ca_file>},
    {.name = "--client-certificate", .kind = ValueKind::file, .value = "FILE",
     .note = "client certificate", .store = kOverride<&ConfigOverrides::client_cert>},
    {.name = "--client-key", .kind = ValueKind::file, .value = "FILE",
     .note = "key of the client certificate", .store = kOverride<&ConfigOverrides::client_key>},
    {.name = "--tls-server-name", .value = "NAME", .note = "name in the server's certificate",
     .store = kOverride<&ConfigOverrides::tls_server_name>},
    {.name = "--insecure-skip-tls-verify", .note = "do not verify the server's certificate",
     .store = kOverride<&ConfigOverrides::insecure>},
    {.name = "--as", .value = "USER", .note = "user to impersonate",
     .store = kOverride<&ConfigOverrides::as>},
    {.name = "--as-group", .value = "GROUP", .repeats = true, .note = "group to impersonate",
     .store = list_into<&GlobalFlags::config, &ConfigFlags::overrides,
                        &ConfigOverrides::as_groups>},
    {.name = "--as-uid", .value = "UID", .note = "UID to impersonate",
     .store = kOverride<&ConfigOverrides::as_uid>},
    {.name = "--in-cluster", .note = "use the pod's service account",
     .instead = "--kubeconfig --context --cluster --user",
     .store = into<&GlobalFlags::config, &ConfigFlags::in_cluster>},
    {.name = "--cache-dir", .kind = ValueKind::folder, .value = "DIR",
     .note = "folder of the discovery cache", .store = into<&GlobalFlags::cache_dir>},
    {.name = "--config", .kind = ValueKind::file, .value = "FILE",
     .commands = kClients | commands::sandbox, .note = "configuration file",
     .store = into<&GlobalFlags::config_file>},
    {.name = "--sandbox", .kind = ValueKind::scenario, .value = "SCENARIO", .bare = "nettool",
     .takes_empty = true, .help = "(needs no cluster)", .note = "start an embedded API server",
     .instead = "--kubeconfig --context --cluster --user --server --token --in-cluster",
     .store = into<&GlobalFlags::sandbox>},
    {.name = "--v", .letter = 'v', .kind = ValueKind::level, .value = "N", .words = "0 2 4 6 8",
     .bare = "2", .commands = kClients | commands::serverless, .part = HelpPart::logging,
     .help = "(2 syncs, 4 reconnects, 6 requests, 8 bodies)",
     .note = "log level: 2 syncs, 4 reconnects, 6 requests, 8 bodies",
     .store = into<&GlobalFlags::verbosity>},
    {.name = "--quiet", .letter = 'q', .commands = kClients | commands::serverless,
     .part = HelpPart::logging, .note = "print no notices", .store = into<&GlobalFlags::quiet>},
    {.name = "--log-format", .kind = ValueKind::choice, .value = "text|json", .words = "text json",
     .commands = kClients | commands::serverless, .part = HelpPart::logging,
     .note = "format of log lines", .store = word_into<&GlobalFlags::log_json, false, true>},
    {.name = "--color", .kind = ValueKind::choice, .value = "auto|always|never",
     .words = "auto always never", .commands = kClients | commands::serverless,
     .part = HelpPart::logging, .note = "when to colour the output",
     .store = word_into<&GlobalFlags::colour, ColourChoice::automatic, ColourChoice::always,
                        ColourChoice::never>},
    {.name = "--help", .letter = 'h', .commands = commands::all & ~commands::completion,
     .part = HelpPart::logging, .note = "print help", .store = into<&HelpFlags::help>},
    {.name = "--version", .hidden = commands::all, .part = HelpPart::logging,
     .note = "print the version", .store = into<&HelpFlags::version>},
});
// clang-format on

}  // namespace rows
}  // namespace kinf
