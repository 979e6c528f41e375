// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/command_help.h"

#include <algorithm>
#include <array>
#include <utility>

namespace kinf {
namespace {

constexpr std::string_view kWatch =
    R"(Print the current objects, then every change, until interrupted.

Examples:
  kinf watch pods -At                  # in all namespaces, with the time
  kinf watch deploy,rs,po -l app=web   # several types, one stream
  kinf watch deploy/web -d             # what changed
  kinf watch pods -o json --show-old | jq -c '[.old.status, .object.status]'

Usage: kinf watch TYPE[,TYPE...] [NAME...] | TYPE/NAME ... [flags]

Flags:
      --output-watch-events  print the type of each event (true; with -o name,
                             jsonpath and custom-columns: false)
      --group                several types: a table of its own for each type
      --watch-only           skip the current objects
      --bookmarks WHEN       print BOOKMARK events in json and yaml: none
                             (default), after the current objects (end), or all
  -d, --diff[=FORM]          show what changed: lines (default), yaml or patch
      --show-old             add the old object to json and yaml
      --changed PATH         skip updates that change nothing at this JSONPath
      --ignore PATH|noise    skip updates that change only this (repeatable)
  -t, --timestamps[=FORM]    show when: short (default), rfc3339, unix, relative
      --timezone NAME        of the timestamps: Local (default), UTC, Asia/Tokyo
      --with-events          add the events about the objects, as rows or JSON
      --latest               merge pending changes if the reader is slow
      --state FILE           remember what was printed; the next start prints
                             what has changed since, deletions included
      --once                 print the current objects and exit, like kinf get
      --events LIST          print only these: added, updated, deleted, and
                             resync, which needs --resync
      --jq EXPR              print the results of jq for each JSON event
      --until EXPR           exit with 0 when an event satisfies create, delete,
                             condition=TYPE[=VALUE], jsonpath=PATH[=VALUE],
                             jq=EXPR (on the object) or EXPR (on the event)
      --max-events N         exit with 0 after N events; --timeout D: 124
  -w, --watch                no effect; accepted because kubectl has it
)";

constexpr std::string_view kGet = R"(Print the current objects and exit.

Examples:
  kinf get pods -A -o wide
  kinf get deploy,svc -l app=web -o yaml
  kinf get pods --jq '.items[].status.podIP'

Usage: kinf get TYPE[,TYPE...] [NAME...] | TYPE/NAME ... [flags]

Flags:
      --ignore-not-found     exit with 0 if a named object does not exist
  -w, --watch                keep printing changes, like kinf watch. These flags
                             of kinf watch work with it: --output-watch-events,
                             --watch-only, --latest, --with-events,
                             --max-events, --timeout, --changed, --ignore,
                             -d, --diff, --show-old, -t, --timestamps,
                             --timezone, --events, --until, --group,
                             --bookmarks, --state, --resync
      --jq EXPR              print the results of jq for the JSON output
      --once                 no effect; accepted because kinf watch has it
)";

constexpr std::string_view kIndex = R"(Query the objects of one type through an index.

Examples:
  kinf index pods --by app                    # values of a label, with counts
  kinf index pods --by app=web --by @node=node-1 -o keys   # on one node
  kinf index pods --by @root=deploy/web -w    # follow the pods of a deployment

Usage: kinf index TYPE [NAME...] [--by KEY[=VALUE]]... [flags]

Flags:
      --by KEY               list the values of KEY and count their objects
      --by KEY=VALUE         select the objects with this value
        KEY is a label (app, label:app), annotation:KEY, a JSONPath
        (.spec.nodeName), or one of @namespace @node @owner @root @image @phase
        @ip @sa @secret @configmap @pvc. VALUE is text, a glob or a list (a,b);
        for @owner and @root it is an object (deploy/web). All must match.
  -w, --watch                then print objects that gain (+), lose (-) or
                             change a value; limits: --max-events, --timeout
      --count                print only the number of objects
      --objects              add the objects to json, jsonl and yaml output
      --top N                print only the first N values; not with --count
      --key-format FORMAT    format of keys, such as '{ns}---{name}' or {uid}
      --dump                 print the whole index as JSON: values and keys
  -e, --exit-status          exit with 4 if nothing matches

Output:
  -o, --output FORMAT        table (default), wide, json, jsonl, yaml, name,
                             keys, csv, tsv, jsonpath=, jsonpath-as-json=,
                             jsonpath-file=, custom-columns=,
                             custom-columns-file=
      --sort-by ORDER        sort values by count (default) or value, selected
                             objects by JSONPaths
)";

constexpr std::string_view kRun = R"(Run a command for every object that changes.

Examples:
  kinf run cm -- sh -c 'echo $KINF_TYPE $KINF_KEY'
  kinf run cm --changed .data -- ./reload.sh

Usage: kinf run TYPE[,TYPE...] [NAME...] [flags] -- COMMAND ARGUMENT...

The command reads the event as JSON from standard input, with the state of its
last success in "old", and finds KINF_TYPE, KINF_KEY, KINF_NAMESPACE, KINF_NAME
and more in its environment. It never runs twice at a time for one object:
changes during a run cause one more run. If it fails, kinf retries it.

Flags:
      --changed PATH         ignore updates that change nothing at this path
                             (.data); repeat the flag for several paths
      --no-initial           skip the current objects
      --state FILE           remember what succeeded; the next start runs the
                             command only for what has changed since
      --concurrency N        run up to N at a time, for different objects (1)
      --batch N              pass up to N objects to one run, as a JSON array
      --debounce D           wait until an object has not changed for D
      --min-interval D       minimum time between two runs for an object
      --max-retries N        give up after N retries (15); -1: never
      --backoff MIN..MAX     delay before a retry, doubled each time
                             (5ms..1000s)
      --cmd-timeout D        after D send TERM, 5 s later KILL; counts as failed
      --fail-fast            exit with 3 when kinf gives up on an object
      --drain D              at the end, wait up to D for running commands (10s)
)";

constexpr std::string_view kWait = R"(Wait until objects satisfy conditions.

Examples:
  kinf wait pod/web-1 --for=condition=Ready
  kinf wait deploy/web --for='jq=.status.readyReplicas == .spec.replicas'
  kinf wait nodes --all --for=condition=Ready --context=prod,stage
  kinf wait pods -l app=old --for=delete --timeout=2m

Usage: kinf wait TYPE/NAME ... | TYPE[,TYPE...] NAME... | --all [flags]

Exits with 0 when all conditions hold for all objects at the same time, with 3
when a condition of --fail-on holds, and with 124 after --timeout. Waits for
objects that do not exist yet.

Flags:
      --for CONDITION        create, delete, condition=TYPE[=VALUE] (true),
                             jsonpath=PATH[=VALUE] or jq=EXPR; repeat the flag
                             for several conditions
      --any                  one condition is enough
      --fail-on CONDITION    exit with 3 when this holds (repeatable)
      --all                  wait for all objects of the type, and at least one
      --count RULE           the number of objects that satisfy the conditions,
                             instead of all: '>=3', '<2' or 0; without --for,
                             the number of objects
      --ever                 a condition counts once it has held
      --for-duration D       everything must hold for D without a break
      --timeout D            give up after D (30s); 0 checks once, less than 0
                             waits for a week

Output:
  -o, --output FORMAT        instead of "TYPE/NAME condition met", print the
                             objects: json, yaml, name, jsonpath=,
                             jsonpath-as-json=, jsonpath-file=
      --allow-missing-template-keys (true): as in kubectl wait
)";

constexpr std::string_view kRecord =
    R"(Write every version of the selected objects to a recording, until interrupted.

Examples:
  kinf record deploy,rs,po,events -n shop --to shop.kinf
  kinf record pods -A --to pods.kinf --keep 7d --max-size 2GiB

Usage: kinf record TYPE[,TYPE...] [NAME...] --to FILE [flags]

A recording is an SQLite file. kinf watch, get, index, wait and run read it.
Run kinf record again with the same file to go on: what changed meanwhile is
recorded too, and the gap is noted.

Flags:
      --to FILE              the recording
      --keep D               drop history that is older than D (7d)
      --max-size SIZE        drop the oldest history of a larger file (2GiB)
      --show-secrets         record the values of Secrets instead of their sizes
)";

constexpr std::string_view kHistory =
    R"(Print the versions of one object: when, by whom and what changed.

Examples:
  kinf history deploy/web --from incident.kinf -d
  kinf history pod/web-1                     # from now on

Usage: kinf history TYPE/NAME [--from FILE] [flags]

Reads a recording of kinf record. Without --from, prints the versions from now
on, until interrupted.

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
)";

constexpr std::string_view kDemo = R"(Show how an informer works, one stage at a time.

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

Flags:
      --explain           say what has just happened, with the state of queue
                          and cache, and the line of the source that does it
      --live              a diagram on the terminal (80 x 24 or larger): server,
                          reflector, queue, store and handlers, moved by keys
      --keys KEYS         press these keys of the diagram without a terminal,
                          and print its state after each as JSON; ".": steps
                          until there is nothing to do
      --listen HOST:PORT  where the stage http listens (127.0.0.1:8080)
      --resync D          resync period of the stages factory (60s) and resync
                          (1s), at least 1s
      --speed X           play the sandbox's scenario X times as fast

Runs on a sandbox; with --kubeconfig, --context, --server or --in-cluster, on a
real cluster, except faults and controller. Some stages need no server.
)";

constexpr std::string_view kSandbox =
    R"(Run a small API server that answers like kube-apiserver, without a cluster.

Examples:
  kinf sandbox --scenario rollout
  kinf sandbox --load manifests/ -- kubectl get pods
  kinf sandbox --load manifests/ --fault gone -- ./my-test
  kinf sandbox --from incident.kinf --at 10:14 -- kinf get pods

Usage: kinf sandbox [flags] [-- COMMAND ARGUMENT...]

Prints the line "export KUBECONFIG=..." and serves until interrupted. With a
COMMAND, runs it with KUBECONFIG set and exits with its status.

Flags:
      --listen HOST:PORT     listen address; port 0 takes a free one
                             (127.0.0.1:0)
      --listen-any           allow other addresses than loopback (0.0.0.0:6443)
      --tls                  serve TLS; the kubeconfig holds the certificate
      --scenario NAME|FILE   play a scenario: nettool, rollout, crashloop,
                             churn[:objects=N][:rate=R][:seed=S][:changes=C],
                             quiet (no changes), or your own YAML file (see the
                             man page)
      --speed X              play it, and run pods, X times as fast
      --nodes N              run pods on the nodes node-1 to node-N (1)
      --no-controllers       a plain store: no nodes, nothing runs; but deleted
                             pods are removed
      --from FILE            serve a recording instead, read-only
      --at T                 its state at T, with its ages (default: the end)
      --since T              its state at T; the first watch plays what follows
      --load FILE|DIR...     start with these objects (YAML, JSON)
      --data DIR             keep the objects in DIR across restarts
      --token TOKEN          require this token from clients (they send it
                             only with --tls)
      --kubeconfig-out FILE  write the kubeconfig to FILE, new or of a sandbox
      --name NAME            name of its context (sandbox)
      --fault FAULT          inject a fault; repeat the flag for several
      --relay HOST:PORT      instead of a server, run a relay with faults in
                             front of this one; COMMAND gets its address in
                             KINF_SANDBOX_RELAY

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
)";

constexpr std::string_view kCheck =
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

Flags:
      --verify               fill a cache of each type through an informer, and
                             compare it with the server; exits with 1 if an
                             object still differs after three seconds
      --request-timeout D    fail a request after this long without data (10s)
  -n, --namespace NAME[,NAME...] (also 'team-*' and '!kube-*'),
  -A, --all-namespaces: where types are checked
)";

constexpr std::string_view kApiResources = R"(Print the types of the server.

Examples:
  kinf api-resources
  kinf api-resources --verbs=list,watch -o name
  kinf api-resources --api-group=apps -o wide

Usage: kinf api-resources [flags]

Flags, as in kubectl api-resources:
      --api-group GROUP      only types of this group; empty: the core group
      --categories NAMES     only types of all these categories, such as all
      --verbs VERBS          only types with all these verbs, such as list,watch
      --namespaced[=BOOL]    only types with a namespace (true), or without
  -o, --output FORMAT        wide (with verbs and categories) or name
      --sort-by ORDER        name or kind (default: group, then name)
      --no-headers           omit the headers
      --cached               use the discovery cache, which is 10 minutes old at
                             most, instead of asking the server
)";

constexpr std::string_view kCompletion =
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

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kHelps = {{
    {"watch", kWatch},
    {"get", kGet},
    {"index", kIndex},
    {"run", kRun},
    {"wait", kWait},
    {"record", kRecord},
    {"history", kHistory},
    {"demo", kDemo},
    {"sandbox", kSandbox},
    {"check", kCheck},
    {"api-resources", kApiResources},
    {"completion", kCompletion},
}};

}  // namespace

std::string_view command_help(std::string_view command) {
  const auto found =
      std::ranges::find(kHelps, command, [](const auto& help) { return help.first; });
  return found == kHelps.end() ? std::string_view() : found->second;
}

}  // namespace kinf
