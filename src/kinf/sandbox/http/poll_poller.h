// SPDX-License-Identifier: Apache-2.0
// PollPoller: a Poller for any POSIX system. The cost of an event grows with the number of sockets.
#pragma once

#include <poll.h>

#include <deque>
#include <unordered_map>
#include <vector>

#include "kinf/base/file_descriptor.h"
#include "kinf/base/sync.h"
#include "kinf/sandbox/http/poller.h"

namespace kinf::sandbox {

/// Threads: any. One of the waiting threads calls poll(); the others wait for the events that it
/// finds, or to take its place.
class PollPoller final : public Poller {
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
  struct Armed {
    int descriptor = -1;
    short events = 0;
  };

  PollPoller() = default;
  void poll_once() KINF_REQUIRES(mu_);
  void prepare() KINF_REQUIRES(mu_);
  void collect() KINF_REQUIRES(mu_);
  void interrupt() KINF_REQUIRES(mu_);

  const WakeEvent interrupt_;  ///< ends poll(), so that it is called with what has changed
  Mutex mu_;
  CondVar changed_;  ///< an event is ready, or no thread polls
  std::unordered_map<std::uint64_t, Armed> armed_ KINF_GUARDED_BY(mu_);
  std::deque<Event> ready_ KINF_GUARDED_BY(mu_);
  Clock::Mono timer_ KINF_GUARDED_BY(mu_) = Clock::kNever;
  bool polling_ KINF_GUARDED_BY(mu_) = false;
  // Used only by the thread that polls.
  std::vector<pollfd> waited_;
  std::vector<std::uint64_t> ids_;  ///< of `waited_`, from its second element on
};

}  // namespace kinf::sandbox
