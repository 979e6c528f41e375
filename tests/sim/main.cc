// SPDX-License-Identifier: Apache-2.0
// kinf_sim: runs simulated schedules: those of seeds, or those in files. Prints the shortest form
// of the first schedule that breaks a promise.
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/log.h"
#include "sim/seeds.h"
#include "sim/shrink.h"

namespace kinf::sim {
namespace {

constexpr const char* kUsage =
    "usage: kinf_sim --seeds N [--first SEED] [--jobs N] [--until-failure]   run N seeds\n"
    "       kinf_sim --seed SEED [--trace]                                   run one seed\n"
    "       kinf_sim [--trace] FILE...                                       run schedules\n"
    "A failing seed is shrunk to its shortest form, unless --no-shrink is given.\n";

struct Flags {
  SeedsOptions seeds;
  bool one_seed = false;
  bool traces = false;
  bool shrinks = true;
  std::vector<std::string> files;
};

bool parse_number(std::string_view flag, std::uint64_t value, Flags& flags) {
  if (flag == "--seeds") {
    flags.seeds.count = value;
  } else if (flag == "--first") {
    flags.seeds.first = value;
  } else if (flag == "--jobs") {
    flags.seeds.jobs = static_cast<unsigned>(value);
  } else if (flag == "--seed") {
    flags.seeds.first = value;
    flags.seeds.count = 1;
    flags.one_seed = true;
  } else {
    return false;
  }
  return true;
}

bool parse(int argc, char** argv, Flags& flags) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    if (flag == "--trace") {
      flags.traces = true;
    } else if (flag == "--no-shrink") {
      flags.shrinks = false;
    } else if (flag == "--until-failure") {
      flags.seeds.stops_at_failure = true;
    } else if (!flag.starts_with('-')) {
      flags.files.emplace_back(flag);
    } else if (i + 1 == argc ||
               !parse_number(flag, std::strtoull(argv[i + 1], nullptr, 10), flags)) {
      return false;
    } else {
      ++i;
    }
  }
  return (flags.seeds.count > 0) != !flags.files.empty();
}

/// Returns whether no promise was broken.
bool run_one(const std::string& name, const Schedule& schedule, bool traces) {
  const Outcome outcome = run_schedule(schedule, traces);
  fmt::print("{}", outcome.trace);
  if (outcome.broken) fmt::print("{}: {}\n", name, *outcome.broken);
  return !outcome.broken;
}

bool run_file(const std::string& path, bool traces) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const Result<Schedule> schedule = parse_schedule(text.str());
  if (!file || !schedule) {
    fmt::print(stderr, "{}: {}\n", path, schedule ? "cannot be read" : schedule.error().message);
    return false;
  }
  return run_one(path, *schedule, traces);
}

/// Prints the shortest schedule that breaks the same promise as `seed`.
void print_shortest(std::uint64_t seed) {
  const Schedule schedule = schedule_of(seed);
  const Outcome outcome = run_schedule(schedule);
  if (!outcome.broken) return;
  const std::string promise = promise_of(*outcome.broken);
  const Schedule shortest = shrink(schedule, [&](const Schedule& candidate) {
    const Outcome again = run_schedule(candidate);
    return again.broken && promise_of(*again.broken) == promise;
  });
  fmt::print("The shortest schedule, for a file in tests/sim/schedules:\n# Seed {}: {}\n{}", seed,
             run_schedule(shortest).broken.value_or(""), text_of(shortest));
}

bool run_all_seeds(const Flags& flags) {
  const auto start = std::chrono::steady_clock::now();
  const SeedsReport report = run_seeds(flags.seeds);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (report.first_failed && flags.shrinks) print_shortest(*report.first_failed);
  fmt::print(
      "{} seeds kept all promises, {} broke one; {} steps, {:.0f} a second, {} faults; {} seeds "
      "with a recording, {} with a state; slowest recovery {:.1f} s\n",
      report.passed, report.failed, report.steps, static_cast<double>(report.steps) / took.count(),
      report.faults, report.recordings, report.states,
      static_cast<double>(report.slowest_recovery) / 1000);
  return report.failed == 0;
}

bool run(const Flags& flags) {
  bool ok = true;
  for (const std::string& path : flags.files) ok = run_file(path, flags.traces) && ok;
  if (flags.seeds.count == 0) return ok;
  if (!flags.one_seed) return run_all_seeds(flags);
  const Schedule schedule = schedule_of(flags.seeds.first);
  ok = run_one(fmt::format("seed {}", flags.seeds.first), schedule, flags.traces);
  if (!ok && flags.shrinks && !flags.traces) print_shortest(flags.seeds.first);
  return ok;
}

}  // namespace
}  // namespace kinf::sim

int main(int argc, char** argv) {
  kinf::sim::Flags flags;
  if (!kinf::sim::parse(argc, argv, flags)) {
    fmt::print(stderr, "{}", kinf::sim::kUsage);
    return 2;
  }
  kinf::log::set_sink([](std::string_view) {});
  return kinf::sim::run(flags) ? 0 : 1;
}
