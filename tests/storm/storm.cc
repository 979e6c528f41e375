// SPDX-License-Identifier: Apache-2.0
#include "storm/storm.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <vector>

#include "kinf/base/random.h"
#include "storm/storm_informer.h"

namespace kinf::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t kObjects = 2000;
constexpr std::size_t kWindow = 400;  ///< small, so that the history expires during an interruption
constexpr int kWriters = 2;
constexpr milliseconds kPauseBetweenWrites(8);
constexpr seconds kCalmTime(60);

const std::array<InformerPlan, 4> kPlans = {{
    {"whole",
     Representation::object,
     WatchListMode::automatic,
     QueueKind::in_order_atomic,
     {},
     false},
    {"metadata-pages", Representation::metadata, WatchListMode::off, QueueKind::in_order, 150,
     false},
    {"red", Representation::object, WatchListMode::on, QueueKind::delta, {}, true},
    {"table", Representation::table, WatchListMode::off, QueueKind::in_order_atomic, 60, false},
}};

/// Faults in addition to those of `random`. About every half second one is injected.
constexpr std::array<const char*, 8> kGusts = {
    "cut:after=0s", "reset:after=0s",  "stall:after=0s",  "truncate:after=0s",
    "gone:2",       "expire-continue", "too-many:2:text", "slow:300KBps"};

class Storm {
 public:
  Storm(Clock& clock, std::uint64_t seed)
      : clock_(clock), random_(seed), seed_(seed), cluster_(clock, kWindow) {}

  bool start() {
    if (const Result<void> started = cluster_.start(kObjects); !started) {
      fmt::print(stderr, "storm: {}\n", started.error().message);
      return false;
    }
    HandlerOptions blocking;
    blocking.when_full = WhenFull::block;
    for (const InformerPlan& plan : kPlans) {
      StormInformer& each = *informers_.emplace_back(
          std::make_unique<StormInformer>(plan, cluster_, clock_, seed_ + informers_.size()));
      each.add_handler("all", blocking);
      each.add_handler("slow", {}, {.pause = milliseconds(2)});
      each.add_handler("throwing", {}, {.throw_each = 7});
      each.add_passing_handler();
      each.start();
    }
    return true;
  }

  void rage(Clock::Duration length) {
    const Clock::Mono begin = clock_.now();
    cluster_.start_writing(kWriters, seed_, kPauseBetweenWrites);
    let_chance();
    bool late = false;
    while (clock_.now() - begin < length) {
      sleep_until(clock_, clock_.now() + milliseconds(300 + random_.next() % 500), {});
      blow();
      for (const auto& each : informers_) each->sample();
      if (late || clock_.now() - begin < length / 2) continue;
      late = true;
      for (const auto& each : informers_) {
        each->add_handler("late", {});
        each->remove_passing_handler();
      }
    }
    inject("none");
    cluster_.stop_writing();
  }

  /// Waits until all equal the server. On timeout returns the differences of one that does not.
  std::string calm() {
    const Clock::Mono deadline = clock_.now() + kCalmTime;
    while (true) {
      std::string lag;
      for (const auto& each : informers_) {
        if (lag.empty()) lag = each->lag();
      }
      if (lag.empty() || clock_.now() >= deadline) return lag;
      sleep_until(clock_, clock_.now() + milliseconds(100), {});
    }
  }

  bool judge(const std::string& lag, Clock::Duration length) {
    std::vector<std::string> problems;
    if (!lag.empty()) problems.push_back("not equal to the server: " + lag);
    std::uint64_t events = 0;
    std::size_t most_requests = 0;
    InformerStats sum;
    for (const auto& each : informers_) {
      each->stop();
      for (std::string& problem : each->violations()) problems.push_back(std::move(problem));
      events += each->events();
      most_requests = std::max(most_requests, each->most_requests());
      const InformerStats stats = each->informer().stats();
      sum.relists += stats.relists;
      sum.watches += stats.watches;
      sum.stalls += stats.stalls;
      sum.errors += stats.errors;
      sum.folded += stats.folded;
      if (stats.version_regressions != 0) {
        problems.push_back(each->plan().name + ": an older version was received");
      }
    }
    fmt::print(
        "storm: seed {} {:.0f} s: {} writes, {} events, {} watches, {} relists, {} stalls, "
        "{} errors, {} folded, at most {:.1f} requests/s: {}\n",
        seed_, std::chrono::duration<double>(length).count(), cluster_.writes(), events,
        sum.watches, sum.relists, sum.stalls, sum.errors, sum.folded,
        static_cast<double>(most_requests) / 2, problems.empty() ? "ok" : "FAILED");
    for (const std::string& problem : problems) fmt::print("  {}\n", problem);
    (void)std::fflush(stdout);
    return problems.empty();
  }

 private:
  void inject(const std::string& spec) {
    if (const Result<void> done = cluster_.sandbox().inject(spec); !done) {
      fmt::print(stderr, "storm: {}\n", done.error().message);
    }
  }

  void let_chance() { inject(fmt::format("random:seed={}:rate=0.15", random_.next() % 100000)); }

  void blow() {
    const std::uint64_t dice = random_.next() % (kGusts.size() + 2);
    if (dice < kGusts.size()) return inject(kGusts[dice]);
    if (dice == kGusts.size()) return cluster_.sandbox().compact();
    inject("none");  // a pause without faults
    let_chance();
  }

  Clock& clock_;
  Random random_;
  const std::uint64_t seed_;
  StormCluster cluster_;
  std::vector<std::unique_ptr<StormInformer>> informers_;
};

}  // namespace

bool run_storm(Clock& clock, std::uint64_t seed, Clock::Duration length) {
  Storm storm(clock, seed);
  if (!storm.start()) return false;
  storm.rage(length);
  const std::string lag = storm.calm();
  return storm.judge(lag, length);
}

}  // namespace kinf::test
