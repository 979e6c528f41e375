// SPDX-License-Identifier: Apache-2.0
// ByteRelay: forwards TCP connections to a server and injects byte faults. It does not interpret
// the bytes, so it works with TLS, HTTP/2 and any server.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/base/file_descriptor.h"
#include "kinf/base/random.h"
#include "kinf/base/sync.h"
#include "kinf/sandbox/faults/fault_spec.h"
#include "kinf/sandbox/faults/relay_connection.h"

namespace kinf::sandbox {

/// Decides when byte faults occur. Threads: not thread-safe.
class ByteFaultPlan {
 public:
  /// Adds a fault. `none` removes all faults. Ignores protocol faults.
  void add(const FaultSpec& spec);
  /// Returns the faults to apply to all connections now. Delays and periods start with the first
  /// call in which `has_connections` is true. A fault without a delay is due in the next call.
  std::vector<FaultKind> due(Clock::Mono now, bool has_connections);
  /// Returns a random fault for one connection, or nullopt. Call it once per connection, in order,
  /// after tick() returns true.
  std::optional<FaultKind> random_fault();
  /// Returns true once a second while random faults are active.
  bool tick(Clock::Mono now);
  /// Returns when to call due() or tick() next, or kNever.
  Clock::Mono next() const;
  /// Returns the speed limit and the latency of every connection.
  const LinkOptions& link() const { return link_; }

 private:
  struct Scheduled {
    FaultSpec spec;
    std::optional<Clock::Mono> at;  ///< when the fault is due; empty if its delay has not started
  };

  std::vector<Scheduled> scheduled_;
  LinkOptions link_;
  std::optional<Random> random_;
  double rate_ = 0;  ///< probability of a random fault per connection and second
  std::optional<Clock::Mono> next_tick_;
};

/// Threads: call start() and stop() from one thread. add() and accepted() may be called from any
/// thread. One background thread moves all bytes. This thread blocks in poll(). add() and stop()
/// wake it.
class ByteRelay {
 public:
  /// `clock` must outlive the relay.
  explicit ByteRelay(Clock& clock) : clock_(clock) {}
  ~ByteRelay() { stop(); }
  ByteRelay(const ByteRelay&) = delete;
  ByteRelay& operator=(const ByteRelay&) = delete;

  /// Listens on a numeric IPv4 address and returns the port. Port 0 selects a free port. Resolves
  /// the server's name once, but does not connect until a client does. Fails with a network error
  /// if the name does not resolve or the port is in use.
  Result<int> start(const std::string& listen_host, int listen_port, const std::string& server_host,
                    int server_port);
  /// Closes all connections and joins the thread. Idempotent.
  void stop();

  /// Adds a fault. `none` removes all faults. Ignores protocol faults.
  void add(const FaultSpec& spec);
  /// Returns the number of connections accepted so far.
  std::uint64_t accepted() const { return accepted_.load(std::memory_order_relaxed); }

 private:
  struct ServerAddress {
    std::vector<char> bytes;  ///< the bytes of a sockaddr
    int family = 0;
  };

  void run(const std::stop_token& stop);
  void take_new_faults();
  void apply_due_faults(Clock::Mono now);
  Clock::Duration poll_timeout(Clock::Mono now) const;
  void accept_one();
  FileDescriptor dial() const;

  Clock& clock_;
  FileDescriptor listener_;
  Clock::Mono accept_again_{};  ///< no connection is accepted before this time
  const WakeEvent wake_;
  ServerAddress server_;
  std::atomic<std::uint64_t> accepted_{0};
  Mutex mu_;
  std::vector<FaultSpec> new_faults_ KINF_GUARDED_BY(mu_);
  // Used only by `thread_`.
  ByteFaultPlan plan_;
  std::list<RelayConnection> connections_;
  std::vector<FaultKind> for_next_connection_;
  std::jthread thread_;
};

}  // namespace kinf::sandbox
