// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/help.h"

#include <fmt/format.h>

namespace kinf {
namespace {

constexpr std::string_view kProgram =
    R"(kinf lists Kubernetes objects, keeps them in an indexed cache and follows every change.

Usage: kinf COMMAND [TYPE[,TYPE...] [NAME...] | TYPE/NAME ...] [flags]

  watch     print what is there, then every change, until interrupted
  get       print what is there, once
  index     ask the cache: which objects have a value, which values there are
  sandbox   run a small API server to try things on; no cluster needed
  version   print the version
  help      print this, or the help of a command

  kinf watch pods -n default --sandbox=nettool    see a pod come and go
  kinf watch deploy,po,svc -l app=web             several types at once
  kinf watch pods -o json | jq .object.metadata.name
  kinf index pods --by app                        how many pods per app

"kinf COMMAND --help" lists the flags.
)";

constexpr std::string_view kWatch =
    R"(Print the objects that are there, then every change, until interrupted.

Usage: kinf watch TYPE[,TYPE...] [NAME...] | TYPE/NAME ... [flags]

  -o, --output FORMAT        table (default), wide, json, yaml, name
      --output-watch-events  =false leaves out what happened, as plain kubectl does
      --watch-only           not what is there, only changes
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
      --output-watch-events, --watch-only, --once, --max-events N, --timeout D
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
                             KEY is a label (app, label:app), annotation:KEY,
                             @namespace, @node or @owner (=deploy/web)
  -o, --output FORMAT        table (default), json, jsonl, name, keys
      --count                only the number of objects
  -e, --exit-status          end with 4 if nothing matches
      --no-headers           no header above the table
)";

constexpr std::string_view kSandbox =
    R"(Run a small API server that speaks lists and watches as the real one does.

Usage: kinf sandbox [flags] [-- COMMAND ARGUMENT...]

      --listen HOST:PORT     where; port 0 takes a free one (127.0.0.1:0)
      --scenario NAME        play a story: nettool, or quiet, where nothing happens
      --speed X              play it X times as fast
      --token TOKEN          ask clients for this token
      --kubeconfig-out FILE  write a kubeconfig for it
  -- COMMAND ARGUMENT...     run a command with KUBECONFIG set, end with it
)";

constexpr std::string_view kInformer = R"(
What to watch and how:
  -n, --namespace NAME, -A, --all-namespaces, -l, --selector LABELS, --field-selector FIELDS
  --chunk-size N (500), --watch-list auto|on|off, --stall-timeout D (90s),
  --max-retry-interval D (30s), --sync-timeout D, --request-timeout D (60s, of a list),
  --must-exist (an absent NAME is an error), --retry-forbidden, --stats (a line at the end)
)";

constexpr std::string_view kGlobal = R"(
Which cluster, as whom:
  --kubeconfig FILE, --context NAME, --cluster NAME, --user NAME, -s, --server URL, --token T,
  --certificate-authority FILE, --client-certificate FILE, --client-key FILE,
  --tls-server-name NAME, --insecure-skip-tls-verify, --as USER, --as-group GROUP, --as-uid UID,
  --in-cluster, --sandbox[=SCENARIO] (an API server in this process; no cluster needed)
Talk: -v, --v N (2 syncs, 4 reconnects, 6 requests), -q, --quiet, --color auto|always|never,
  -h, --help
)";

constexpr std::string_view kSandboxGlobal = R"(
Talk: -v, --v N, -q, --quiet, --color auto|always|never, -h, --help
)";

}  // namespace

std::string help_text(std::string_view topic) {
  const auto joined = [](auto... parts) { return (std::string() + ... + std::string(parts)); };
  if (topic == "watch") return joined(kWatch, kObjectsToPrint, kInformer, kGlobal);
  if (topic == "get") return joined(kGet, kObjectsToPrint, kInformer, kGlobal);
  if (topic == "index") return joined(kIndex, kInformer, kGlobal);
  if (topic == "sandbox") return joined(kSandbox, kSandboxGlobal);
  return std::string(kProgram);
}

std::string version_text() {
  return fmt::format("kinf {} (g++ {}.{}.{})\n", KINF_VERSION, __GNUC__, __GNUC_MINOR__,
                     __GNUC_PATCHLEVEL__);
}

}  // namespace kinf
