// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/help.h"
#include "kinf/version.h"

#include <fmt/format.h>

namespace kinf {
namespace {

constexpr std::string_view kProgram =
    R"(kinf lists Kubernetes objects, keeps them in an indexed cache and follows every change.

Usage: kinf COMMAND [TYPE[,TYPE...] [NAME...] | TYPE/NAME ...] [flags]

  watch     print what is there, then every change, until interrupted
  get       print what is there, once
  index     ask the cache: which objects have a value, which values there are
  run       run a program for every object that changes
  demo      see how it works: one stage of the pipeline at a time
  sandbox   run a small API server to try things on; no cluster needed
  version   print the version
  help      print this, or the help of a command

  kinf watch pods -n default --sandbox=nettool    see a pod come and go
  kinf watch deploy,po,svc -l app=web             several types at once
  kinf watch pods -o json | jq .object.metadata.name
  kinf index pods --by app                        how many pods per app
  kinf run cm -- sh -c 'echo $KINF_TYPE $KINF_KEY'

"kinf COMMAND --help" lists the flags.
)";

constexpr std::string_view kWatch =
    R"(Print the objects that are there, then every change, until interrupted.

Usage: kinf watch TYPE[,TYPE...] [NAME...] | TYPE/NAME ... [flags]

  -o, --output FORMAT        table (default), wide, json, yaml, name
      --output-watch-events  =false leaves out what happened, as plain kubectl does
      --watch-only           not what is there, only changes
      --latest               for a slow reader: fold changes of one object, say how many
      --once                 only what is there, as "kinf get"
      --max-events N         end after N events
      --timeout D            end after D, with 124
  -L, --label-columns KEYS   a column for each of these labels
      --show-labels          a column with all labels
      --no-headers           no header above the table
  -w, --watch                accepted, as it is what this command does
)";

constexpr std::string_view kGet = R"(Print the objects that are there, once they are in the cache.

Usage: kinf get TYPE[,TYPE...] [NAME...] | TYPE/NAME ... [flags]

  -o, --output FORMAT        table (default), wide, json, yaml, name
  -w, --watch                go on with every change, as "kinf watch"; then also:
      --output-watch-events, --watch-only, --latest, --once, --max-events N, --timeout D
  -L, --label-columns KEYS   a column for each of these labels
      --show-labels          a column with all labels
      --no-headers           no header above the table
)";

constexpr std::string_view kObjectsToPrint =
    R"(      --show-secrets         print the values of Secrets, not their lengths
      --show-managed-fields  keep managedFields in json and yaml
)";

constexpr std::string_view kIndex = R"(Ask the indexed cache of one type.

Usage: kinf index TYPE [NAME...] [--by KEY[=VALUE]]... [flags]

      --by KEY               the values of an index and how many objects each has
      --by KEY=VALUE         the objects with that value; several must all hold
                             KEY is a label (app, label:app), annotation:KEY, a path
                             (.spec.nodeName, .spec.containers[*].image) or one of
                             @namespace @node @owner @root @image @phase @ip @sa @secret
                             @configmap @pvc; VALUE may be a,b or a glob; of @owner and
                             @root it is deploy/web
  -o, --output FORMAT        table (default), wide, json, jsonl, yaml, name, keys, csv,
                             custom-columns=SPEC, jsonpath=TEMPLATE
  -w, --watch                what comes to a value (+), leaves it (-) or moves
      --count                only the number of objects
      --objects              the objects beside their keys in json, jsonl and yaml
      --sort-by count|value  the order of groups (count)
      --top N                only the first N groups
      --key-format FORMAT    keys as '{ns}---{name}'; also {uid}
      --dump                 the whole index: index, value, keys
  -e, --exit-status          end with 4 if nothing matches
      --no-headers           no header above the table
)";

constexpr std::string_view kRun = R"(Run a program for every object that changes.

Usage: kinf run TYPE[,TYPE...] [NAME...] [flags] -- COMMAND ARGUMENT...

It reads the event as JSON, with "old" as of its last success, and finds KINF_TYPE,
KINF_KEY, KINF_NAMESPACE, KINF_NAME, ... in its environment. For one object it never runs
twice at once; what changes meanwhile causes one more run. A failure is tried again.

      --changed PATH         updates only if something changed there (.data)
      --no-initial           not for what is there at the start
      --concurrency N        so many at once, for different objects (1)
      --batch N              up to N objects a run, a JSON array
      --debounce D           only when an object has not changed for so long
      --min-interval D       from one run for an object to its next
      --max-retries N        then it is given up (15); -1: never
      --backoff MIN..MAX     pause before a retry, doubled each time (5ms..1000s)
      --cmd-timeout D        end a run with TERM, five seconds later with KILL
      --fail-fast            end with 3 when one is given up
      --drain D              at the end, how long what runs may go on (10s)
)";

constexpr std::string_view kDemo = R"(See how an informer works, one stage at a time.

Usage: kinf demo STAGE [flags]

  deltafifo         the queue alone
  listwatch         a list, then a watch
  reflector         list and watch into a queue without a store: no deletion comes out
  reflector-known   the same with a store: it does
  informer          events to a handler
  shared            two handlers, no server
  shared-listwatch  two handlers, one cache
  index-map         what an index is
  http              an index behind a web server
  factory           several informers, a lister, a resync
  workqueue         keys, a worker, retries

      --explain           what has just happened, and in which file
      --listen HOST:PORT  of http (127.0.0.1:8080)
      --resync D          of factory (60s)
      --speed X           play the sandbox's story X times as fast

It runs on a sandbox, or with --kubeconfig, --context or --server on a real cluster.
)";

constexpr std::string_view kSandbox =
    R"(Run a small API server that speaks lists and watches as the real one does.

Usage: kinf sandbox [flags] [-- COMMAND ARGUMENT...]

      --listen HOST:PORT     where; port 0 takes a free one (127.0.0.1:0)
      --listen-any           also where other machines come in, as 0.0.0.0:6443
      --tls                  speak TLS; the kubeconfig holds the certificate
      --scenario NAME|FILE   play a story: nettool, rollout, crashloop, churn (for ever;
                             churn:objects=1000:rate=50:seed=7), quiet, where nothing happens,
                             or one of your own, a YAML file (see the man page)
      --speed X              play it X times as fast
      --load FILE|DIR...     begin with these objects: YAML, JSON
      --data DIR             keep in DIR what it holds, and begin with that the next time
      --token TOKEN          ask clients for this token
      --kubeconfig-out FILE  write a kubeconfig for it
      --fault FAULT          let something go wrong; may be given several times
      --relay HOST:PORT      no server: a relay with faults before the one that is there
  -- COMMAND ARGUMENT...     run a command with KUBECONFIG set (with --relay:
                             KINF_SANDBOX_RELAY, the relay's address), end with it

Faults of the bytes: cut, reset, stall, truncate, each once, a second after the first connection
(:after=D), or :every=D; slow:1KBps. Faults of the protocol, which --relay does not have: gone,
expire-continue, garbage, each once or :3 times; error:500:3, too-many:429:retry-after=2,
no-bookmark-end, deny:secrets. A mixture: random:seed=7:rate=0.2. At run time:
POST /sandbox/fault?spec=FAULT; "none" ends them all.
)";

constexpr std::string_view kInformer = R"(
What to watch and how:
  -n, --namespace NAME, -A, --all-namespaces, -l, --selector LABELS, --field-selector FIELDS
  --chunk-size N (500), --watch-list auto|on|off, --stall-timeout D (90s),
  --max-retry-interval D (30s), --sync-timeout D, --request-timeout D (60s, of a list),
  --must-exist (an absent NAME is an error), --wait-for-type (one not served yet is waited for),
  --retry-forbidden, --stats (a line at the end)
)";

constexpr std::string_view kGlobal = R"(
Which cluster, as whom:
  --kubeconfig FILE, --context NAME, --cluster NAME, --user NAME, -s, --server URL, --token T,
  --certificate-authority FILE, --client-certificate FILE, --client-key FILE,
  --tls-server-name NAME, --insecure-skip-tls-verify, --as USER, --as-group GROUP, --as-uid UID,
  --in-cluster, --sandbox[=SCENARIO] (an API server in this process; no cluster needed),
  --cache-dir DIR (what is known of the server's types, for ten minutes)
Talk: -v, --v N (2 syncs, 4 reconnects, 6 requests), -q, --quiet, --color auto|always|never,
  -h, --help
)";

constexpr std::string_view kDemoGlobal = R"(
Which cluster, as whom:
  --kubeconfig FILE, --context NAME, -n, --namespace NAME, -A, --all-namespaces,
  --cluster NAME, --user NAME, -s, --server URL, --token T, --certificate-authority FILE,
  --client-certificate FILE, --client-key FILE, --tls-server-name NAME,
  --insecure-skip-tls-verify, --as USER, --as-group GROUP, --as-uid UID, --in-cluster,
  --sandbox[=SCENARIO], --cache-dir DIR
Talk: -v, --v N, -q, --quiet, --color auto|always|never, -h, --help
)";

constexpr std::string_view kSandboxGlobal = R"(
Talk: -v, --v N, -q, --quiet, --color auto|always|never, -h, --help
)";

}  // namespace

std::string help_text(std::string_view topic) {
  const auto joined = [](auto... parts) { return (std::string() + ... + std::string(parts)); };
  if (topic == "watch") return joined(kWatch, kObjectsToPrint, kInformer, kGlobal);
  if (topic == "get") return joined(kGet, kObjectsToPrint, kInformer, kGlobal);
  if (topic == "index") return joined(kIndex, kObjectsToPrint, kInformer, kGlobal);
  if (topic == "run") return joined(kRun, kObjectsToPrint, kInformer, kGlobal);
  if (topic == "demo") return joined(kDemo, kDemoGlobal);
  if (topic == "sandbox") return joined(kSandbox, kSandboxGlobal);
  return std::string(kProgram);
}

std::string version_text() {
  return fmt::format("kinf {} (g++ {}.{}.{})\n", KINF_VERSION_STRING, __GNUC__, __GNUC_MINOR__,
                     __GNUC_PATCHLEVEL__);
}

}  // namespace kinf
