// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "storm/storm.h"
#include "storm/storm_informer.h"

namespace kinf::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t kObjects = 120;
constexpr int kWritesPerPhase = 40;
constexpr std::size_t kWindow = 1000;
constexpr seconds kPatience(40);
constexpr std::size_t kAtOnce = 10;

/// A fault before the first list, and again before a watch with writes.
constexpr std::array<const char*, 16> kFaults = {"cut:after=0s",
                                                 "cut:every=700ms",
                                                 "reset:after=0s",
                                                 "stall:after=0s",
                                                 "truncate:after=0s",
                                                 "slow:60KBps",
                                                 "gone",
                                                 "expire-continue",
                                                 "error:500:3",
                                                 "error:503:2",
                                                 "error:504",
                                                 "too-many:429:retry-after=2",
                                                 "too-many:429:text",
                                                 "garbage",
                                                 "no-bookmark-end",
                                                 "deny:configmaps"};

struct Column {
  const char* title;
  Representation representation;
  WatchListMode watch_list;
};
constexpr std::array<Column, 4> kColumns = {{
    {"table list", Representation::table, WatchListMode::off},
    {"table watch-list", Representation::table, WatchListMode::on},
    {"json list", Representation::object, WatchListMode::off},
    {"json watch-list", Representation::object, WatchListMode::automatic},
}};

/// One cell of the table.
class Trial {
 public:
  Trial(Clock& clock, const std::string& fault, const Column& column)
      : clock_(clock), fault_(fault), cluster_(clock, kWindow), column_(column) {}

  /// `ok 1.2s`, or the failure.
  std::string run() {
    const Clock::Mono begin = clock_.now();
    if (!cluster_.start(kObjects)) return "no server";
    InformerPlan plan;
    plan.name = "client";
    plan.representation = column_.representation;
    plan.watch_list = column_.watch_list;
    plan.page_size = 20;
    StormInformer informer(plan, cluster_, clock_, 1);
    HandlerOptions blocking;
    blocking.when_full = WhenFull::block;
    informer.add_handler("all", blocking);
    std::string problem = hit();
    informer.start();
    if (problem.empty()) problem = settle(informer, "first list");
    if (problem.empty()) problem = hit();
    cluster_.write(kWritesPerPhase, 1);
    if (problem.empty()) problem = drop_watch_and_settle(informer);
    informer.stop();
    for (const std::string& violation : informer.violations()) problem += "; " + violation;
    if (!problem.empty()) return problem;
    return fmt::format("ok {:.1f}s", std::chrono::duration<double>(clock_.now() - begin).count());
  }

 private:
  std::string hit() { return inject(fault_); }

  std::string inject(const std::string& spec) {
    const Result<void> done = cluster_.sandbox().inject(spec);
    return done ? "" : done.error().message;
  }

  bool is_of_bytes() const {
    return std::ranges::any_of(std::array{"cut", "reset", "stall", "truncate", "slow"},
                               [&](const char* kind) { return fault_.starts_with(kind); });
  }

  /// Faults of requests do not affect an open watch, so a new watch is started first; for faults of
  /// lists, a list.
  std::string drop_watch_and_settle(StormInformer& informer) {
    std::string problem;
    if (fault_ == "expire-continue") problem = inject("gone");
    if (problem.empty() && !is_of_bytes()) problem = inject("cut:after=0s");
    if (problem.empty()) problem = settle(informer, "changes during the fault");
    cluster_.write(kWritesPerPhase, 2);
    if (problem.empty()) problem = inject("none");
    if (problem.empty()) problem = settle(informer, "changes after the fault");
    return problem;
  }

  /// A denied client makes no progress before the fault ends; one that is cut off again and again
  /// may make none.
  bool lasts() const { return fault_.starts_with("deny") || fault_.starts_with("cut:every"); }

  std::string settle(StormInformer& informer, const char* phase) {
    Clock::Mono forgive = lasts() ? clock_.now() + milliseconds(2500) : Clock::kNever;
    const Clock::Mono deadline = clock_.now() + kPatience;
    while (true) {
      const std::string lag = informer.lag();
      if (lag.empty()) return {};
      if (clock_.now() >= deadline) return fmt::format("{}: {}", phase, lag);
      if (clock_.now() >= forgive) {
        if (std::string problem = inject("none"); !problem.empty()) return problem;
        forgive = Clock::kNever;
      }
      sleep_until(clock_, clock_.now() + milliseconds(50), {});
    }
  }

  Clock& clock_;
  const std::string fault_;
  StormCluster cluster_;
  const Column& column_;
};

void print(const std::vector<std::string>& faults, const std::vector<std::string>& cells) {
  fmt::print("{:<28}", "FAULT (HTTP/1.1)");
  for (const Column& column : kColumns) fmt::print("{:<18}", column.title);
  fmt::print("\n");
  for (std::size_t row = 0; row < faults.size(); ++row) {
    fmt::print("{:<28}", faults[row]);
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      const std::string& cell = cells[row * kColumns.size() + i];
      fmt::print("{:<18}", cell.starts_with("ok") ? cell : "FAILED");
    }
    fmt::print("\n");
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].starts_with("ok")) continue;
    fmt::print("{}, {}: {}\n", faults[i / kColumns.size()], kColumns[i % kColumns.size()].title,
               cells[i]);
  }
  (void)std::fflush(stdout);
}

}  // namespace

bool run_matrix(Clock& clock, const std::string& only) {
  std::vector<std::string> faults;
  for (const char* fault : kFaults) {
    if (std::string(fault).find(only) != std::string::npos) faults.emplace_back(fault);
  }
  std::vector<std::string> cells(faults.size() * kColumns.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next.fetch_add(1); i < cells.size(); i = next.fetch_add(1)) {
      cells[i] = Trial(clock, faults[i / kColumns.size()], kColumns[i % kColumns.size()]).run();
    }
  };
  {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < kAtOnce; ++i) workers.emplace_back(work);
  }
  print(faults, cells);
  return !cells.empty() &&
         std::ranges::all_of(cells, [](const auto& cell) { return cell.starts_with("ok"); });
}

}  // namespace kinf::test
