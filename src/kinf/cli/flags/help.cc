// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/help.h"

#include <fmt/format.h>

#include "kinf/cli/flags/command_help.h"
#include "kinf/version.h"

namespace kinf {
namespace {

constexpr std::string_view kProgram =
    R"(kinf watches Kubernetes objects. It is kubectl get -w that reconnects and
resumes, watches several types in one stream, and keeps an index to query.

Examples:
  kinf watch pods -n default --sandbox=nettool       # needs no cluster
  kinf watch deploy,rs,po -l app=web                 # several types, one stream
  kinf watch pods -o json | jq .object.metadata.name
  kinf index pods --by app                           # count pods per app
  kinf run cm -- sh -c 'echo $KINF_TYPE $KINF_KEY'   # act on every change

Usage: kinf COMMAND [TYPE[,TYPE...] [NAME...] | TYPE/NAME ...] [flags]

Commands:
  watch          Print the current objects, then every change
  get            Print the current objects and exit
  index          Query objects by label, field or owner; count values
  wait           Wait until objects satisfy conditions
  run            Run a command for every object that changes
  record         Record every version of objects, to look at the past later
  history        Print the versions of one object: when, by whom, what changed
  demo           Show how an informer works, one stage at a time
  sandbox        Run a small API server to experiment with and to test against
  check          Print the context, server, user and rights that kinf would use
  api-resources  Print the types of the server, and which can be watched
  completion     Print a script that completes words in bash, zsh or fish
  version        Print the version
  help           Print this help, or the help of a command

Run "kinf COMMAND --help" to list the flags of a command, or read its page:
"man kinf-COMMAND". KINF_<FLAG> and ~/.config/kinf/config.toml set their
defaults, and aliases: see "man kinf".
)";

constexpr std::string_view kObjectFormats = R"(
Output:
  -o, --output FORMAT        table (default), wide, json, yaml, name, csv, tsv,
                             jsonpath=, jsonpath-as-json=, jsonpath-file=,
                             custom-columns=, custom-columns-file=
      --sort-by PATH,...     sort the current objects by these JSONPaths
)";

constexpr std::string_view kColumns =
    R"(  -L, --label-columns KEYS   add a column for each of these labels
      --show-labels, --show-kind, --no-headers, --server-print (true),
      --allow-missing-template-keys (true): as in kubectl get
)";

constexpr std::string_view kObjectsToPrint =
    R"(      --show-secrets         print the values of Secrets instead of their sizes
      --show-managed-fields  keep metadata.managedFields
)";

constexpr std::string_view kHistorySelection = R"(
Selection: -n, --namespace NAME
)";

/// The flags of the commands that can write or read a recording.
constexpr std::string_view kRecordings =
    R"(Recordings: --record FILE (write one), --from FILE (read one, no server; also
  JSON of kinf or kubectl with -o json, and - for standard input),
  --at T, --since T, --until-time T (10:14, 10:14:03, "yesterday 10:14", -15m,
  RFC 3339; --at also rv=8812, the state at a resourceVersion, or TIME,rv=8812),
  --speed X (in recorded pace, X times as fast; default: at once)
)";

constexpr std::string_view kPlayedRecordings =
    R"(Recordings: --record FILE (write one), --from FILE (read one or JSON, no server;
  -: standard input), --since T, --until-time T, --speed X: as in kinf watch
)";

constexpr std::string_view kSelection = R"(
Selection: -n, --namespace NAME[,NAME...] (also 'team-*' and '!kube-*'),
  -A, --all-namespaces, --namespace-selector LABELS, --accessible (with -A: only
  namespaces you may read), -l, --selector LABELS, --field-selector FIELDS,
  --where EXPR (objects for which this jq expression is true:
  '.status.phase == "Failed"'; repeatable), --owner TYPE/NAME.
  TYPE may be a category (all), NAME a glob ('web-*').
)";

constexpr std::string_view kConnection =
    R"(Connection: --chunk-size N (500), --pages-in-flight N (4),
  --watch-list auto|on|off (auto), --stall-timeout D (90s),
  --max-retry-interval D (30s), --sync-timeout D, --request-timeout D (60s),
  --must-exist, --wait-for-type, --retry-forbidden, --stats
)";

constexpr std::string_view kQueue =
    R"(Queue and resync: --queue in-order|delta (in-order), --resync D (0: never)
)";

constexpr std::string_view kParts =
    R"(Parts of objects: --metadata[=auto|true|false] (auto), --drop PATH, --keep PATH
)";
constexpr std::string_view kRecordedObjects = R"(
Selection: -n, --namespace NAME[,NAME...] (also 'team-*' and '!kube-*'),
  -A, --all-namespaces, --accessible (with -A: only namespaces you may read),
  -l, --selector LABELS, --field-selector FIELDS
Parts of objects: --metadata[=auto|true|false] (auto)
Connection: --chunk-size N (500), --pages-in-flight N (4),
  --watch-list auto|on|off (auto), --stall-timeout D (90s),
  --max-retry-interval D (30s), --sync-timeout D, --request-timeout D (60s),
  --wait-for-type, --retry-forbidden, --stats
)";

constexpr std::string_view kClusters =
    R"(Cluster and user: --kubeconfig FILE, --context NAME[,NAME...], --cluster NAME,
)";

/// Of the commands that use one cluster only.
constexpr std::string_view kOneCluster =
    R"(Cluster and user: --kubeconfig FILE, --context NAME, --cluster NAME,
)";

constexpr std::string_view kGlobal =
    R"(  --user NAME, -s, --server URL, --token TOKEN, --certificate-authority FILE,
  --client-certificate FILE, --client-key FILE, --tls-server-name NAME,
  --insecure-skip-tls-verify, --as USER, --as-group GROUP, --as-uid UID,
  --in-cluster, --cache-dir DIR, --config FILE, --sandbox[=SCENARIO] (needs no
  cluster)
Logging: -v, --v N (2 syncs, 4 reconnects, 6 requests, 8 bodies), -q, --quiet,
  --log-format text|json, --color auto|always|never, -h, --help
D is a duration such as 500ms or 5m. "man kinf-options" describes these flags.
)";

constexpr std::string_view kDemoGlobal = R"(
Cluster and user: --kubeconfig FILE, --context NAME, -n, --namespace NAME,
  -A, --all-namespaces, --cluster NAME, --user NAME, -s, --server URL,
  --token TOKEN, --certificate-authority FILE, --client-certificate FILE,
  --client-key FILE, --tls-server-name NAME, --insecure-skip-tls-verify,
  --as USER, --as-group GROUP, --as-uid UID, --in-cluster, --cache-dir DIR,
  --config FILE, --sandbox[=SCENARIO]
Logging: -v, --v N, -q, --quiet, --log-format text|json,
  --color auto|always|never, -h, --help
D is a duration such as 500ms or 5m. "man kinf-options" describes these flags.
)";

constexpr std::string_view kSandboxGlobal = R"(
Logging: -v, --v N, -q, --quiet, --log-format text|json,
  --color auto|always|never, -h, --help; settings: --config FILE
D is a duration such as 500ms or 5m. "man kinf-options" describes these flags.
)";

}  // namespace

std::string help_text(std::string_view topic) {
  const std::string own(command_help(topic));
  const auto with = [&own](auto... parts) { return (own + ... + std::string(parts)); };
  if (own.empty()) return std::string(kProgram);
  if (topic == "watch" || topic == "get") {
    return with(kObjectFormats, kColumns, kObjectsToPrint, kSelection, kConnection, kQueue, kParts,
                kRecordings, kClusters, kGlobal);
  }
  if (topic == "index") {
    return with(kColumns, kObjectsToPrint, kSelection, kConnection, kQueue, kParts, kRecordings,
                kClusters, kGlobal);
  }
  if (topic == "run") {
    return with(kObjectsToPrint, kSelection, kConnection, kQueue, kParts, kPlayedRecordings,
                kClusters, kGlobal);
  }
  if (topic == "wait") {
    return with(kObjectsToPrint, kSelection, kConnection, kParts, kPlayedRecordings, kClusters,
                kGlobal);
  }
  if (topic == "history") return with(kHistorySelection, kConnection, kClusters, kGlobal);
  if (topic == "record") return with(kRecordedObjects, kOneCluster, kGlobal);
  if (topic == "demo") return with(kDemoGlobal);
  if (topic == "check") return with(kClusters, kGlobal);
  if (topic == "api-resources") return with(kOneCluster, kGlobal);
  if (topic == "sandbox") return with(kSandboxGlobal);
  return own;
}

std::vector<CommandSummary> command_summaries() {
  constexpr std::string_view kTitle = "Commands:\n";
  std::vector<CommandSummary> commands;
  std::string_view rest = kProgram.substr(kProgram.find(kTitle) + kTitle.size());
  while (rest.starts_with("  ")) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    const std::string_view name = line.substr(2, line.find(' ', 2) - 2);
    commands.push_back({name, line.substr(line.find_first_not_of(' ', 2 + name.size()))});
    rest.remove_prefix(line.size() + 1);
  }
  return commands;
}

std::string version_text() {
#if defined(__clang__)
  // clang also defines __GNUC__, as version 4.2.1.
  const std::string compiler =
      fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  const std::string compiler =
      fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
  return fmt::format("kinf {} ({})\n", KINF_VERSION_STRING, compiler);
}

}  // namespace kinf
