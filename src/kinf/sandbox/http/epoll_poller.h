// SPDX-License-Identifier: Apache-2.0
// EpollPoller: a Poller for Linux. The cost of an event does not grow with the number of sockets.
#pragma once

#include "kinf/base/file_descriptor.h"
#include "kinf/sandbox/http/poller.h"

namespace kinf::sandbox {

/// Threads: any. The kernel does the work, there is no lock.
class EpollPoller final : public Poller {
 public:
  /// Returns null and sets errno if the system refuses a descriptor.
  static std::unique_ptr<Poller> open();

  bool add(int descriptor, std::uint64_t id) override;
  void arm(int descriptor, std::uint64_t id, std::uint32_t events) override;
  void remove(std::uint64_t id) override;
  void set_timer(Clock::Mono until) override;
  void summon() override;
  std::optional<Event> wait() override;

 private:
  EpollPoller();
  int control(int operation, int descriptor, std::uint32_t events, std::uint64_t id) const;

  const FileDescriptor epoll_;
  const FileDescriptor summons_;  ///< an eventfd; each write wakes one waiting thread
  const FileDescriptor timer_;    ///< a timerfd
};

}  // namespace kinf::sandbox
