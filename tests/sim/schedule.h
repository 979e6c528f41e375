// SPDX-License-Identifier: Apache-2.0
// Schedule: everything that one run does, as data: a plan of the cluster and its clients, and
// steps. A seed makes a schedule, and a schedule can be written as text, shortened and run again.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf::sim {

/// The file that each client keeps.
enum class StorageKind : std::uint8_t { none, recording, state };

/// How the work queue delays failed objects.
enum class LimiterKind : std::uint8_t { item_based, controller, fast_slow, limited_wait };

/// What stays the same during a run. All members are small numbers, so that text and shrinking need
/// one table (kPlanFields).
struct Plan {
  std::uint64_t seed = 0;  ///< of delays, of the load balancer and of the informers' jitter
  int servers = 1;
  int clients = 1;
  int client_go = 0;   ///< Behaviour::client_go
  int queue = 0;       ///< QueueKind
  int watch_list = 0;  ///< WatchListMode
  int streams = 0;     ///< 0: no streaming lists, 1: supported, 2: preferred
  int newest = 0;      ///< NewestFromMemory
  int page_size = 0;   ///< 0: kinf's default
  int red_only = 0;    ///< the clients select by label
  int resync = 0;      ///< seconds
  int handlers = 1;    ///< per client, before the start
  int transform = 0;   ///< 1: with a transform, which fails during `poison`
  int storage = 0;     ///< StorageKind
  int bad_index = 0;   ///< 1: the index function fails for some objects
  int limiter = 0;     ///< of the work queue: LimiterKind
};

struct PlanField {
  std::string_view name;
  int Plan::* member;
};
inline constexpr std::array<PlanField, 15> kPlanFields = {{{"servers", &Plan::servers},
                                                           {"clients", &Plan::clients},
                                                           {"client-go", &Plan::client_go},
                                                           {"queue", &Plan::queue},
                                                           {"watch-list", &Plan::watch_list},
                                                           {"streams", &Plan::streams},
                                                           {"newest", &Plan::newest},
                                                           {"page-size", &Plan::page_size},
                                                           {"red-only", &Plan::red_only},
                                                           {"resync", &Plan::resync},
                                                           {"handlers", &Plan::handlers},
                                                           {"transform", &Plan::transform},
                                                           {"storage", &Plan::storage},
                                                           {"bad-index", &Plan::bad_index},
                                                           {"limiter", &Plan::limiter}}};

enum class Op : std::uint8_t {
  // Time and the program.
  advance,   ///< milliseconds
  pump,      ///< client, part (StepPart), steps
  work,      ///< client: a worker of its work queue takes an object, or is done with it
  handler,   ///< client: adds a handler
  unhandle,  ///< client: removes a handler
  // Writes.
  put,       ///< object, value
  remove,    ///< object
  other,     ///< a write to another type
  bookmark,  ///< server
  // Faults.
  lag,        ///< server: stops following etcd
  apply,      ///< server, revisions
  catch_up,   ///< server: follows etcd again
  restart,    ///< server
  window,     ///< server: forgets the events that watches could ask for
  endless,    ///< server, 0 or 1: streaming lists do not get their end mark
  deny,       ///< server, HTTP code, requests
  compact,    ///< etcd
  backup,     ///< etcd
  restore,    ///< etcd: back to the backup
  etcd_down,  ///< milliseconds
  cut,        ///< client, 0: closed, 1: reset
  stall,      ///< client: its connection carries nothing any more
  down,       ///< client, milliseconds without a connection
  latency,    ///< client, milliseconds
  busy,       ///< client, milliseconds that its handlers take for each change
  poison,     ///< client, calls of its transform that fail
  crash,      ///< client, writes: its program is killed, at once (0) or during the N-th write of a
              ///< last commit, and starts again with the objects that it knew
  disk_full,  ///< client, writes: the N-th write to its file and all later ones fail
  power,  ///< client, lies, number: the power fails, its program loses a part of its file, which
          ///< `number` decides, and starts again; lies 1: its last syncs have kept nothing
  clock,  ///< milliseconds by which the wall clock jumps back; forward if negative
};

struct Step {
  Op op = Op::advance;
  std::array<int, 3> args{};
};

struct Schedule {
  Plan plan;
  std::vector<Step> steps;
};

/// The least steps and faults of a generated schedule.
inline constexpr std::size_t kLeastSteps = 500;
inline constexpr std::size_t kLeastFaults = 5;

bool is_fault(Op op);
/// Makes the schedule of a seed.
Schedule schedule_of(std::uint64_t seed);
std::string text_of(const Step& step);
std::string text_of(const Schedule& schedule);
/// Reads what text_of() has written. Empty lines and lines that begin with `#` are comments.
Result<Schedule> parse_schedule(std::string_view text);

}  // namespace kinf::sim
