// SPDX-License-Identifier: Apache-2.0
// The commands sandbox and demo, and their flags.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinf/cli/flags/global_flags.h"
#include "kinf/informer/informer_options.h"
#include "kinf/sandbox/sandbox.h"

namespace kinf {

struct DemoCommand {
  GlobalFlags global;
  std::string stage;  ///< empty means all stages
  bool explain = false;
  bool live = false;
  bool tour = false;
  std::optional<std::string> screen;  ///< a size or `svg`: print the diagram instead
  std::optional<std::string> keys;    ///< keys to press in the diagram, without a terminal
  std::optional<std::string> listen;
  std::optional<Clock::Duration> resync;
  std::optional<double> speed;
  std::optional<QueueKind> queue;  ///< the queue of the stage, if not its usual one
};

struct SandboxCommand {
  GlobalFlags global;
  SandboxOptions options{};  ///< only the members that a flag sets directly
  std::string kubeconfig_out;
  std::string scenario;  ///< name or file of a scenario
  bool no_controllers = false;
  std::string relay;                 ///< HOST:PORT to relay to; empty means no relay
  std::vector<std::string> command;  ///< the arguments after `--`
};

namespace rows {

/// The flags that cannot be used with the diagram of --live and --keys.
inline constexpr std::string_view kNotInDiagram =
    "--explain --sandbox --namespace --all-namespaces";

/// The maximum for --nodes: the largest cluster that Kubernetes supports.
inline constexpr int kLargestCluster = 5000;

// clang-format off
inline constexpr auto kDemo = rows_with({.commands = commands::demo}, {
    {.name = "--explain",
     .help = "say what has just happened, with the state of queue and cache, and the line of the "
             "source that does it", .note = "print what happens, and in which file",
     .store = into<&DemoCommand::explain>},
    {.name = "--live",
     .help = "a diagram on the terminal (80 x 24 or larger): server, reflector, queue, store and "
             "handlers, moved by keys", .note = "show an informer as a diagram that keys move",
     .refuses = kNotInDiagram, .store = into<&DemoCommand::live>},
    {.name = "--keys", .value = "KEYS", .takes_empty = true,
     .help = "press these keys of the diagram without a terminal, and print its state after each "
             "as JSON; \".\": steps until there is nothing to do",
     .note = "press these keys of the diagram, print its state as JSON", .refuses = kNotInDiagram,
     .store = into<&DemoCommand::keys>},
    {.name = "--screen", .value = "SIZE",
     .help = "print the diagram of the stage, after --keys, as text of this size (80x24) or as svg",
     .note = "print the diagram as text of this size, or as svg",
     .refuses = "--explain --sandbox --namespace --all-namespaces --live --tour",
     .store = into<&DemoCommand::screen>},
    {.name = "--tour",
     .help = "the tour: questions, guesses and answers; with a STAGE, from that one on",
     .note = "take the tour", .refuses = "--live --keys", .store = into<&DemoCommand::tour>},
    {.name = "--stage", .value = "STAGE", .help = "the stage, like the argument",
     .note = "the stage to show", .store = into<&DemoCommand::stage>},
    {.name = "--listen", .value = "HOST:PORT", .takes_empty = true,
     .help = "where the stage http listens (127.0.0.1:8080)", .note = "listen address",
     .store = into<&DemoCommand::listen>},
    {.name = "--resync", .value = "D",
     .help = "resync period of the stages factory (60s) and resync (1s), at least 1s",
     .note = "go through all objects again after this time",
     .store = parsed_into<parse_resync, &DemoCommand::resync>},
    {.name = "--speed", .value = "X", .help = "play the sandbox's scenario X times as fast",
     .note = "play this many times as fast",
     .store = parsed_into<parse_speed, &DemoCommand::speed>},
    {.name = "--queue", .kind = ValueKind::choice, .value = "in-order|delta",
     .words = "in-order delta",
     .help = "the queue of the stage: in-order (client-go's RealFIFO) or delta (DeltaFIFO)",
     .note = "queue between the connection and the cache",
     .store = word_into<&DemoCommand::queue, QueueKind::in_order_atomic, QueueKind::delta>},
});
// clang-format on

/// Parses a value and stores it in a member of SandboxOptions.
template <auto member>
inline constexpr StoreValue kOption = into<&SandboxCommand::options, member>;

// clang-format off
inline constexpr auto kSandbox = rows_with({.commands = commands::sandbox}, {
    {.name = "--listen", .value = "HOST:PORT",
     .help = "listen address; port 0 takes a free one (127.0.0.1:0)", .note = "listen address",
     .store = kOption<&SandboxOptions::listen>},
    {.name = "--listen-any", .help = "allow other addresses than loopback (0.0.0.0:6443)",
     .note = "allow addresses other than loopback", .store = kOption<&SandboxOptions::listen_any>},
    {.name = "--tls", .help = "serve TLS; the kubeconfig holds the certificate",
     .note = "serve TLS", .store = kOption<&SandboxOptions::tls>},
    {.name = "--scenario", .kind = ValueKind::scenario, .value = "NAME|FILE",
     .help = "play a scenario: nettool, rollout, "
             "crashloop,\nchurn[:objects=N][:rate=R][:seed=S][:changes=C],\nquiet (no changes), or "
             "your own YAML file (see the man page)", .note = "play a scenario",
     .store = into<&SandboxCommand::scenario>},
    {.name = "--speed", .value = "X", .help = "play it, and run pods, X times as fast",
     .note = "play this many times as fast", .neutral = "1",
     .store = parsed_into<parse_speed, &SandboxCommand::options, &SandboxOptions::speed>},
    {.name = "--nodes", .value = "N", .most = kLargestCluster,
     .help = "run pods on the nodes node-1 to node-N (1)", .note = "number of nodes",
     .store = kOption<&SandboxOptions::nodes>},
    {.name = "--no-controllers",
     .help = "a plain store: no nodes, nothing runs; but deleted pods are removed",
     .note = "start no nodes, scheduler and kubelet", .refuses = "--nodes",
     .store = into<&SandboxCommand::no_controllers>},
    {.name = "--from", .kind = ValueKind::file, .value = "FILE",
     .help = "serve a recording instead, read-only", .note = "read a recording or JSON",
     .refuses = "--scenario --load --data --nodes --no-controllers --relay",
     .store = parsed_into<parse_file_name, &GlobalFlags::replay, &ReplayFlags::from>},
    {.name = "--at", .value = "T", .help = "its state at T, with its ages (default: the end)",
     .note = "show the recorded state at this time", .needs = "--from",
     .store = into<&GlobalFlags::replay, &ReplayFlags::at>},
    {.name = "--since", .value = "T", .help = "its state at T; the first watch plays what follows",
     .note = "begin with the recorded state at this time", .needs = "--from",
     .store = into<&GlobalFlags::replay, &ReplayFlags::since>},
    {.name = "--load", .kind = ValueKind::file, .value = "FILE|DIR...", .repeats = true,
     .is_greedy = true, .help = "start with these objects (YAML, JSON)",
     .note = "start with these objects", .store = kOption<&SandboxOptions::load>},
    {.name = "--data", .kind = ValueKind::folder, .value = "DIR",
     .help = "keep the objects in DIR across restarts", .note = "keep the objects across restarts",
     .store = parsed_into<parse_file_name, &SandboxCommand::options, &SandboxOptions::data>},
    {.name = "--token", .value = "TOKEN",
     .help = "require this token from clients (they send it\nonly with --tls)",
     .note = "bearer token", .store = kOverride<&ConfigOverrides::token>},
    {.name = "--kubeconfig-out", .kind = ValueKind::file, .value = "FILE",
     .help = "write the kubeconfig to FILE, new or of a sandbox",
     .note = "write the kubeconfig to this file",
     .store = parsed_into<parse_file_name, &SandboxCommand::kubeconfig_out>},
    {.name = "--name", .value = "NAME", .help = "name of its context (sandbox)",
     .note = "name of the context in the kubeconfig",
     .store = parsed_into<parse_context_name, &SandboxCommand::options, &SandboxOptions::name>},
    {.name = "--fault", .kind = ValueKind::words, .value = "FAULT",
     .words = "cut reset stall truncate slow:1KBps latency:50ms gone expire-continue garbage "
              "error:500:3 too-many:429:retry-after=2 no-bookmark-end deny:secrets "
              "random:seed=7:rate=0.2", .repeats = true,
     .help = "inject a fault; repeat the flag for several", .note = "inject a fault",
     .store = kOption<&SandboxOptions::faults>},
    {.name = "--relay", .value = "HOST:PORT",
     .help = "instead of a server, run a relay with faults in front of this one; COMMAND gets its "
             "address in KINF_SANDBOX_RELAY", .note = "run a relay in front of this server",
     .refuses = "--tls --token --kubeconfig-out --name --scenario --load --data --nodes "
                "--no-controllers --speed", .store = into<&SandboxCommand::relay>},
});
// clang-format on

}  // namespace rows
}  // namespace kinf
