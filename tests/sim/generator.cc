// SPDX-License-Identifier: Apache-2.0
// schedule_of(): makes the schedule of a seed.
#include <chrono>
#include <utility>

#include "kinf/base/random.h"
#include "sim/etcd.h"
#include "sim/schedule.h"

namespace kinf::sim {
namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed ^ 0x73696dULL) {
    plan_.seed = seed;
    plan_.servers = 1 + below(3);
    plan_.clients = 1 + below(2);
    plan_.client_go = below(7) == 0 ? 1 : 0;
    plan_.queue = below(3);
    plan_.watch_list = below(3);
    plan_.streams = below(3);
    plan_.newest = below(3);
    plan_.page_size = below(3) == 0 ? 0 : 1 + below(4);
    plan_.red_only = below(4) == 0 ? 1 : 0;
    plan_.resync = below(3) == 0 ? 1 + below(20) : 0;
    plan_.handlers = 1 + below(3);
    plan_.transform = below(6) == 0 ? 1 : 0;
    quiet_ = below(5);
    plan_.bad_index = plan_.client_go == 0 && below(6) == 0 ? 1 : 0;  // client_go fails the write
    plan_.limiter = below(4);
    // A file costs ten times as much as everything else.
    if (plan_.client_go == 0 && below(25) == 0) plan_.storage = 1 + below(2);
  }

  Schedule make() {
    Schedule schedule{plan_, {}};
    const std::size_t wanted = kLeastSteps + static_cast<std::size_t>(below(200));
    std::size_t faults = 0;
    while (schedule.steps.size() < wanted || faults < kLeastFaults) {
      schedule.steps.push_back(step());
      if (is_fault(schedule.steps.back().op)) ++faults;
    }
    return schedule;
  }

 private:
  int below(int limit) {
    return static_cast<int>(random_.next() % static_cast<std::uint64_t>(limit));
  }
  int client() { return below(plan_.clients); }
  int server() { return below(plan_.servers); }
  int object() { return below(static_cast<int>(kObjects)); }

  Step step() {
    const int dice = below(100);
    if (dice < 38) return {Op::pump, {client(), below(3), 1 + below(6)}};
    if (dice < 60) return {Op::advance, {duration()}};
    if (dice < 76) return {Op::put, {object(), below(20)}};
    if (dice < 82) return {Op::remove, {object()}};
    if (dice < 84) return {Op::other, {}};
    if (dice < 86) return {Op::bookmark, {server()}};
    if (dice < 91) return {Op::work, {client()}};
    if (dice < 92) return {below(2) == 0 ? Op::handler : Op::unhandle, {client()}};
    // Some schedules have few faults, so that other things are reached.
    if (below(5) < quiet_) return {Op::pump, {client(), 0, 10}};
    return fault();
  }

  /// Mostly short, sometimes longer than all timeouts.
  int duration() {
    const int dice = below(100);
    if (dice < 60) return 1 + below(30);
    if (dice < 90) return 30 + below(1500);
    if (dice < 99) return 1500 + below(20000);
    return 20000 + below(200000);
  }

  Step fault() {
    if (plan_.storage != 0 && below(8) == 0) return storage_fault();
    switch (below(25)) {
      case 0:
      case 1: return {Op::lag, {server()}};
      case 2:
      case 3: return {Op::apply, {server(), 1 + below(5)}};
      case 4:
      case 5: return {Op::catch_up, {server()}};
      case 6: return {Op::restart, {server()}};
      case 7:
      case 8: return {Op::window, {server()}};
      case 9: return {Op::endless, {server(), below(2)}};
      case 10:
      case 11: return {Op::deny, {server(), code(), 1 + below(3)}};
      case 12: return {Op::compact, {}};
      case 13: return {Op::backup, {}};
      case 14:
        // client-go does not notice a restore, and neither does Behaviour::client_go.
        return {plan_.client_go != 0 || below(3) != 0 ? Op::compact : Op::restore, {}};
      case 15: return {Op::etcd_down, {1 + below(8000)}};
      case 16:
      case 17: return {Op::cut, {client(), below(2)}};
      case 18:
        // client-go waits for a stalled connection without an end.
        return {plan_.client_go != 0 ? Op::cut : Op::stall, {client()}};
      case 19: return {Op::down, {client(), 1 + below(5000)}};
      case 20: return {Op::latency, {client(), below(300)}};
      case 21: return {Op::busy, {client(), below(2) == 0 ? 0 : below(2000)}};
      case 22:
        return plan_.transform != 0 ? Step{Op::poison, {client(), 1 + below(3)}} : clock_jump();
      case 23:
        // client_go reports the restored objects again.
        if (plan_.client_go != 0) return {Op::cut, {client(), 1}};
        return {Op::crash, {client(), below(2) == 0 ? 0 : below(12)}};
      default: return clock_jump();
    }
  }

  /// Back, or forward.
  Step clock_jump() { return {Op::clock, {below(200000) - 100000}}; }

  Step storage_fault() {
    if (below(6) == 0) return {Op::disk_full, {client(), 1 + below(8)}};
    if (below(3) == 0) return {Op::power, {client(), below(3) == 0 ? 1 : 0, below(100000)}};
    return {Op::crash, {client(), below(3) == 0 ? 0 : below(12)}};
  }

  int code() {
    constexpr std::array<int, 9> kCodes = {400, 401, 403, 404, 410, 429, 500, 503, 504};
    return kCodes.at(static_cast<std::size_t>(below(static_cast<int>(kCodes.size()))));
  }

  Random random_;
  Plan plan_;
  int quiet_ = 0;
};

}  // namespace

Schedule schedule_of(std::uint64_t seed) { return Generator(seed).make(); }

}  // namespace kinf::sim
