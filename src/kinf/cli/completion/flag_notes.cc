// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/completion/flag_notes.h"

#include <algorithm>
#include <array>

namespace kinf {
namespace {

using enum ValueKind;

constexpr std::string_view kConditions = "create delete condition= jsonpath= jq=";
constexpr std::string_view kWaitFormats =
    "json yaml name jsonpath= jsonpath-as-json= jsonpath-file=";
constexpr std::string_view kFaults =
    "cut reset stall truncate slow:1KBps latency:50ms gone expire-continue garbage error:500:3 "
    "too-many:429:retry-after=2 no-bookmark-end deny:secrets random:seed=7:rate=0.2";

constexpr auto kNotes = std::to_array<FlagNote>({
    {"--help", "print help"},
    {"--version", "print the version"},
    {"--v", "log level: 2 syncs, 4 reconnects, 6 requests, 8 bodies", words, "0 2 4 6 8"},
    {"--quiet", "print no notices"},
    {"--log-format", "format of log lines"},
    {"--color", "when to colour the output"},
    {"--kubeconfig", "kubeconfig file", file},
    {"--context", "context of the kubeconfig", context, "", "demo"},
    {"--context", "context of the kubeconfig, or several with commas", contexts},
    {"--cluster", "cluster of the kubeconfig", cluster},
    {"--user", "user of the kubeconfig", user},
    {"--namespace", "namespace, or several, globs and !exclusions with commas", name_space},
    {"--all-namespaces", "all namespaces"},
    {"--server", "address of the API server"},
    {"--token", "bearer token"},
    {"--certificate-authority", "CA certificates", file},
    {"--client-certificate", "client certificate", file},
    {"--client-key", "key of the client certificate", file},
    {"--tls-server-name", "name in the server's certificate"},
    {"--insecure-skip-tls-verify", "do not verify the server's certificate"},
    {"--as", "user to impersonate"},
    {"--as-group", "group to impersonate"},
    {"--as-uid", "UID to impersonate"},
    {"--in-cluster", "use the pod's service account"},
    {"--cache-dir", "folder of the discovery cache", folder},
    {"--sandbox", "start an embedded API server", scenario},
    {"--selector", "label selector", label_selector},
    {"--field-selector", "field selector", field_selector},
    {"--where", "jq expression that objects must satisfy"},
    {"--namespace-selector", "labels of namespaces", namespace_labels},
    {"--accessible", "only namespaces you may read"},
    {"--owner", "only objects of this owner", object},
    {"--chunk-size", "objects per page of a list"},
    {"--pages-in-flight", "pages of a list to request at a time"},
    {"--watch-list", "get lists as a stream"},
    {"--stall-timeout", "reconnect after this long without data"},
    {"--max-retry-interval", "longest delay between retries"},
    {"--sync-timeout", "time limit for the first list"},
    {"--request-timeout", "fail a list after this long without data"},
    {"--must-exist", "fail if a named object does not exist"},
    {"--wait-for-type", "wait for a type that is not served yet"},
    {"--retry-forbidden", "keep retrying on 401 and 403"},
    {"--metadata", "request only metadata"},
    {"--drop", "leave out this field of each object", path},
    {"--keep", "drop older history", text, "", "record"},
    {"--keep", "leave out all other fields of each object", path},
    {"--stats", "print statistics at the end"},
    {"--queue", "queue between the connection and the cache"},
    {"--resync", "go through all objects again after this time"},
    {"--record", "also write a recording", file},
    {"--from", "read a recording or JSON", file},
    {"--at", "show the recorded state at this time"},
    {"--since", "begin with the recorded state at this time"},
    {"--until-time", "end at this time"},
    {"--speed", "play this many times as fast"},
    {"--state", "remember what was handled for the next start", file},
    {"--output", "print the objects", words, kWaitFormats, "wait"},
    {"--output", "output format", words, "", "api-resources"},
    {"--output", "output format", output},
    {"--sort-by", "order of the values, or paths of objects", index_order, "count value", "index"},
    {"--sort-by", "order of the types", words, "", "api-resources"},
    {"--sort-by", "paths to sort the current objects by", sort_paths},
    {"--api-group", "only types of this group"},
    {"--categories", "only types of these categories", word_list, "all"},
    {"--verbs", "only types with these verbs", word_list,
     "get list watch create update patch delete deletecollection"},
    {"--namespaced", "only types with, or without, a namespace"},
    {"--cached", "use the discovery cache"},
    {"--no-headers", "omit the headers"},
    {"--label-columns", "add columns for labels", label_keys},
    {"--show-labels", "add a column with all labels"},
    {"--show-kind", "print names as TYPE/NAME"},
    {"--server-print", "print the columns of the server"},
    {"--allow-missing-template-keys", "a missing field in jsonpath is no error"},
    {"--show-secrets", "print the values of Secrets"},
    {"--show-managed-fields", "keep metadata.managedFields"},
    {"--watch", "print every change"},
    {"--once", "print the current objects and exit"},
    {"--watch-only", "skip the current objects"},
    {"--bookmarks", "print BOOKMARK events in json and yaml"},
    {"--latest", "merge pending changes for a slow reader"},
    {"--with-events", "add the events about the objects"},
    {"--output-watch-events", "print the type of each event"},
    {"--changed", "skip updates that change nothing at this path", path},
    {"--ignore", "skip updates that change only this", path, "noise"},
    {"--events", "print only these", word_list, "added updated deleted resync"},
    {"--jq", "print the results of a jq program"},
    {"--until", "exit at the first event that satisfies it", condition, kConditions},
    {"--diff", "show what changed"},
    {"--show-old", "add the old object to json and yaml"},
    {"--timestamps", "show when events arrived"},
    {"--timezone", "time zone of the timestamps", words, "Local UTC"},
    {"--max-events", "exit after this many events"},
    {"--timeout", "exit after this time"},
    {"--group", "a table of its own for each type"},
    {"--by", "index key, or KEY=VALUE to select", index_key},
    {"--key-format", "format of keys"},
    {"--top", "print only the first values"},
    {"--count", "number of objects that satisfy the conditions", text, "", "wait"},
    {"--count", "print only the number of objects"},
    {"--objects", "add the objects to the output"},
    {"--dump", "print the whole index"},
    {"--exit-status", "exit with 4 if nothing matches"},
    {"--concurrency", "commands at a time"},
    {"--max-retries", "retries before giving up"},
    {"--backoff", "delays before retries: MIN..MAX"},
    {"--debounce", "wait until an object has not changed for this long"},
    {"--min-interval", "minimum time between runs for an object"},
    {"--batch", "objects per run"},
    {"--cmd-timeout", "time limit for a command"},
    {"--no-initial", "skip the current objects"},
    {"--fail-fast", "exit when kinf gives up on an object"},
    {"--drain", "how long to wait for running commands at the end"},
    {"--for", "condition to wait for", condition, kConditions},
    {"--fail-on", "condition that ends with 3", condition, kConditions},
    {"--any", "one condition is enough"},
    {"--ever", "a condition counts once it has held"},
    {"--all", "all objects of the type"},
    {"--for-duration", "how long everything must hold"},
    {"--to", "the recording", file},
    {"--max-size", "drop the oldest history of a larger file"},
    {"--explain", "print what happens, and in which file"},
    {"--live", "show an informer as a diagram that keys move"},
    {"--keys", "press these keys of the diagram, print its state as JSON"},
    {"--listen", "listen address"},
    {"--listen-any", "allow addresses other than loopback"},
    {"--tls", "serve TLS"},
    {"--kubeconfig-out", "write the kubeconfig to this file", file},
    {"--name", "name of the context in the kubeconfig"},
    {"--scenario", "play a scenario", scenario},
    {"--load", "start with these objects", file},
    {"--data", "keep the objects across restarts", folder},
    {"--nodes", "number of nodes"},
    {"--no-controllers", "start no nodes, scheduler and kubelet"},
    {"--fault", "inject a fault", words, kFaults},
    {"--relay", "run a relay in front of this server"},
});

}  // namespace

std::span<const FlagNote> flag_notes() { return kNotes; }

const FlagNote* note_of(std::string_view flag, std::string_view command) {
  const auto found = std::ranges::find_if(kNotes, [&](const FlagNote& note) {
    return note.flag == flag && (note.command.empty() || note.command == command);
  });
  return found == kNotes.end() ? nullptr : &*found;
}

}  // namespace kinf
