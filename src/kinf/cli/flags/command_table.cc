// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/command_table.h"

#include <algorithm>

namespace kinf {
namespace {

using enum HelpPart;

constexpr std::string_view kWatchText =
    R"(Print the current objects, then every change, until interrupted.

Examples:
  kinf watch pods -At                  # in all namespaces, with the time
  kinf watch deploy,rs,po -l app=web   # several types, one stream
  kinf watch deploy/web -d             # what changed
  kinf watch pods -o json --show-old | jq -c '[.old.status, .object.status]'

Usage: kinf watch TYPE[,TYPE...] [NAME...] | TYPE/NAME ... [flags]
)";

constexpr std::string_view kGetText =
    R"(Print the current objects and exit.

Examples:
  kinf get pods -A -o wide
  kinf get deploy,svc -l app=web -o yaml
  kinf get pods --jq '.items[].status.podIP'

Usage: kinf get TYPE[,TYPE...] [NAME...] | TYPE/NAME ... [flags]
)";

constexpr std::string_view kIndexText =
    R"(Query the objects of one type through an index.

Examples:
  kinf index pods --by app                    # values of a label, with counts
  kinf index pods --by app=web --by @node=node-1 -o keys   # on one node
  kinf index pods --by @root=deploy/web -w    # follow the pods of a deployment

Usage: kinf index TYPE [NAME...] [--by KEY[=VALUE]]... [flags]
)";

constexpr std::string_view kWaitText =
    R"(Wait until objects satisfy conditions.

Examples:
  kinf wait pod/web-1 --for=condition=Ready
  kinf wait deploy/web --for='jq=.status.readyReplicas == .spec.replicas'
  kinf wait nodes --all --for=condition=Ready --context=prod,stage
  kinf wait pods -l app=old --for=delete --timeout=2m

Usage: kinf wait TYPE/NAME ... | TYPE[,TYPE...] NAME... | --all [flags]

Exits with 0 when all conditions hold for all objects at the same time, with 3
when a condition of --fail-on holds, and with 124 after --timeout. Waits for
objects that do not exist yet.
)";

constexpr std::string_view kRunText =
    R"(Run a command for every object that changes.

Examples:
  kinf run cm -- sh -c 'echo $KINF_TYPE $KINF_KEY'
  kinf run cm --changed .data -- ./reload.sh

Usage: kinf run TYPE[,TYPE...] [NAME...] [flags] -- COMMAND ARGUMENT...

The command reads the event as JSON from standard input, with the state of its
last success in "old", and finds KINF_TYPE, KINF_KEY, KINF_NAMESPACE, KINF_NAME
and more in its environment. It never runs twice at a time for one object:
changes during a run cause one more run. If it fails, kinf retries it.
)";

constexpr std::string_view kRecordText =
    R"(Write every version of the selected objects to a recording, until interrupted.

Examples:
  kinf record deploy,rs,po,events -n shop --to shop.kinf
  kinf record pods -A --to pods.kinf --keep 7d --max-size 2GiB

Usage: kinf record TYPE[,TYPE...] [NAME...] --to FILE [flags]

A recording is an SQLite file. kinf watch, get, index, wait and run read it.
Run kinf record again with the same file to go on: what changed meanwhile is
recorded too, and the gap is noted.
)";

constexpr std::string_view kHistoryText =
    R"(Print the versions of one object: when, by whom and what changed.

Examples:
  kinf history deploy/web --from incident.kinf -d
  kinf history pod/web-1                     # from now on

Usage: kinf history TYPE/NAME [--from FILE] [flags]

Reads a recording of kinf record. Without --from, prints the versions from now
on, until interrupted.
)";

constexpr std::string_view kDemoText =
    R"(Show how an informer works, one stage at a time.

Examples:
  kinf demo
  kinf demo --live
  kinf demo reflector-known --explain --speed 20

Usage: kinf demo [STAGE] [flags]

Without a stage: lists the stages; on a terminal also a tour through them, each
with a question and its answer in a diagram. With --live: the diagram alone.

Stages:
  deltafifo, dedup, synced    the queue: one entry per key, no duplicates, and
                              when it has synced
  listwatch                   a list, then a watch
  reflector, reflector-known  list and watch into a queue, without and with a
                              store: without it, deletions are lost
  informer                    list, watch, store and one handler
  shared, shared-listwatch    two handlers, on a scripted source and a server
  shared-vs-separate          what two informers cost, and one that is shared
  slow-handler                what waits where while a handler is slow
  index-map, http             an index, alone and behind a web server
  factory                     an informer factory, a lister and a resync
  resync                      two resync periods, a second chance after failures
  faults                      an expired page, a 410 and a very short watch
  workqueue, controller       a worker with retries; one that writes back
)";

constexpr std::string_view kSandboxText =
    R"(Run a small API server that answers like kube-apiserver, without a cluster.

Examples:
  kinf sandbox --scenario rollout
  kinf sandbox --load manifests/ -- kubectl get pods
  kinf sandbox --load manifests/ --fault gone -- ./my-test
  kinf sandbox --from incident.kinf --at 10:14 -- kinf get pods

Usage: kinf sandbox [flags] [-- COMMAND ARGUMENT...]

Prints the line "export KUBECONFIG=..." and serves until interrupted. With a
COMMAND, runs it with KUBECONFIG set and exits with its status.
)";

constexpr std::string_view kCheckText =
    R"(Print the context, server, user and namespace that kinf would use, and what the
user may do with types.

Examples:
  kinf check
  kinf check pods secrets -n shop
  kinf check deploy,rs,po -A --verify

Usage: kinf check [TYPE...] [flags]

TYPE may be a category (all). Several namespaces have a line each. Every line
says what is right, or what is wrong and what to do. Exits with 0 if all is
right, with 1 for a problem of the kubeconfig, 2 for an unknown type, 4 for a
namespace that does not exist, 5 if the user is not accepted or may not list and
watch a type, and 6 if the server does not answer.
)";

constexpr std::string_view kApiResourcesText =
    R"(Print the types of the server.

Examples:
  kinf api-resources
  kinf api-resources --verbs=list,watch -o name
  kinf api-resources --api-group=apps -o wide

Usage: kinf api-resources [flags]
)";

constexpr std::string_view kCompletionText =
    R"(Print a script that completes the words of kinf in a shell.

Examples:
  source <(kinf completion bash)        # in ~/.bashrc
  autoload -U compinit && compinit && source <(kinf completion zsh)
  kinf completion fish | source         # in ~/.config/fish/config.fish

Usage: kinf completion bash|zsh|fish

Completes commands, flags and their values; types, names, namespaces, labels and
fields come from the server. The script asks kinf for them, which waits for the
server for 300 ms at most (KINF_COMPLETION_TIMEOUT) and then offers nothing.
"kubectl kinf" is completed too, by kubectl's own script.
)";

// The flags of a command that describes them in words of its own. A test compares them with the
// table of flags.
constexpr std::string_view kHistoryFlags =
    R"(
Flags:
      --from FILE            the recording, or JSON of kinf watch -o json (-:
                             standard input)
      --since T              begin at T: 10:14, "yesterday 10:14:03", -15m or a
                             time in RFC 3339
      --until-time T         end at T; --speed X: print in the recorded pace, X
                             times as fast (default: at once)
  -d, --diff[=FORM]          all changes: lines (default), yaml or patch
  -o, --output FORMAT        table (default), wide, csv or tsv, which name all
                             changed paths, or a format of kinf watch
      --no-headers           omit the headers
      --show-secrets         print the values of Secrets instead of their sizes
  -t, --timestamps[=FORM]    form of the times: short, rfc3339, unix, relative
      --timezone NAME        of the times: Local (default), UTC, Asia/Tokyo
      --max-events N         exit with 0 after N versions
      --timeout D            exit with 124 after D

Selection: -n, --namespace NAME
)";

constexpr std::string_view kDemoEnd =
    R"(
Runs on a sandbox; with --kubeconfig, --context, --server or --in-cluster, on a
real cluster, except faults and controller. Some stages need no server.

Cluster and user: --kubeconfig FILE, --context NAME, -n, --namespace NAME,
  -A, --all-namespaces, --cluster NAME, --user NAME, -s, --server URL,
  --token TOKEN, --certificate-authority FILE, --client-certificate FILE,
  --client-key FILE, --tls-server-name NAME, --insecure-skip-tls-verify,
  --as USER, --as-group GROUP, --as-uid UID, --in-cluster, --cache-dir DIR,
  --config FILE, --sandbox[=SCENARIO]
Logging: -v, --v N, -q, --quiet, --log-format text|json,
  --color auto|always|never, -h, --help
)";

constexpr std::string_view kSandboxEnd =
    R"(
Faults of connections: cut, reset, stall, truncate. Each happens once, 1 s after
the first connection; :after=D changes the delay, :every=D repeats it.
slow:1KBps limits the speed; latency:50ms adds a round trip of 50 ms.
Faults of the protocol (not with --relay): gone, expire-continue and garbage
happen once, or N times with :N; error:500:3, too-many:429:retry-after=2,
no-bookmark-end, deny:secrets.
A random mix: random:seed=7:rate=0.2.
At run time: POST /sandbox/fault?spec=FAULT; "none" ends all faults.

T is 10:14, "yesterday 10:14", -15m or RFC 3339; for --at also rv=8812, the
state at this resourceVersion, or TIME,rv=8812 to set the clock too.

Logging: -v, --v N, -q, --quiet, --log-format text|json,
  --color auto|always|never, -h, --help; settings: --config FILE
)";

constexpr std::string_view kCheckEnd =
    R"(  -n, --namespace NAME[,NAME...] (also 'team-*' and '!kube-*'),
  -A, --all-namespaces: where types are checked
)";

constexpr HelpPart kOfPrinting[] = {selection,  connection, queue,  parts,
                                    recordings, cluster,    logging};
constexpr HelpPart kOfWait[] = {selection, connection, parts, recordings, cluster, logging};
constexpr HelpPart kOfRecord[] = {selection, parts, connection, cluster, logging};
constexpr HelpPart kOfHistory[] = {connection, cluster, logging};
constexpr HelpPart kOfServer[] = {cluster, logging};

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
     .summary = "Print the versions of one object: when, by whom, what changed",
     .arguments = Arguments::objects, .text = kHistoryText, .flags_title = "",
     .after_flags = kHistoryFlags, .paragraphs = kOfHistory},
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
