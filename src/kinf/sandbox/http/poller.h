// SPDX-License-Identifier: Apache-2.0
// Poller: what Reactor waits on. Several threads wait for many sockets, one time and summons at
// once, and each event wakes one of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "kinf/base/clock.h"

namespace kinf::sandbox {

/// Threads: any.
class Poller {
 public:
  enum class Cause { socket, timer, summons };

  struct Event {
    Cause cause = Cause::summons;
    std::uint64_t id = 0;      ///< the id of the socket
    std::uint32_t events = 0;  ///< the poll() events of the socket
  };

  virtual ~Poller() = default;

  /// Watches `descriptor` for POLLHUP and POLLERR, and reports it once as `id`. Returns false and
  /// sets errno on failure.
  virtual bool add(int descriptor, std::uint64_t id) = 0;
  /// Watches it for `events` too, and reports it once more.
  virtual void arm(int descriptor, std::uint64_t id, std::uint32_t events) = 0;
  /// Call it before the descriptor is closed. An event that was found before may still be reported.
  virtual void remove(std::uint64_t id) = 0;
  /// Reports Cause::timer once, at `until` (by RealClock). Replaces the time before.
  virtual void set_timer(Clock::Mono until) = 0;
  /// Reports Cause::summons once. Summons that no thread waits for may be merged.
  virtual void summon() = 0;
  /// Blocks until something happens. Returns nullopt if it has to be called again.
  virtual std::optional<Event> wait() = 0;
};

/// Returns the poller that suits this system best: with epoll on Linux, elsewhere with poll(). Null
/// if the system refuses a descriptor; then errno is set.
std::unique_ptr<Poller> make_poller();

}  // namespace kinf::sandbox
