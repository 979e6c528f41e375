// SPDX-License-Identifier: Apache-2.0
// ByteRelay: passes the bytes of TCP connections on to a server, and lets faults befall them. It
// understands nothing of what it passes, so it works with TLS and HTTP/2 and before any server.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <string>
#include <thread>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/base/file_descriptor.h"
#include "kinf/base/sync.h"
#include "kinf/sandbox/faults/byte_fault_plan.h"
#include "kinf/sandbox/faults/relay_connection.h"

namespace kinf::sandbox {

/// Threads: start() and stop() from one thread, the others from any. One thread of its own moves
/// all bytes; it blocks on the sockets and is woken by add() and stop().
class ByteRelay {
 public:
  /// The clock must outlive the relay.
  explicit ByteRelay(Clock& clock) : clock_(clock) {}
  ~ByteRelay() { stop(); }
  ByteRelay(const ByteRelay&) = delete;
  ByteRelay& operator=(const ByteRelay&) = delete;

  /// Listens on a numeric IPv4 address; port 0 takes a free one. The port that it got. Resolves
  /// the name of the server once; the server need not be there yet.
  Result<int> start(const std::string& listen_host, int listen_port, const std::string& server_host,
                    int server_port);
  /// Ends all connections. Idempotent.
  void stop();

  /// A fault that is no byte fault is ignored.
  void add(const FaultSpec& spec);
  /// Connections taken so far.
  std::uint64_t accepted() const { return accepted_.load(std::memory_order_relaxed); }

 private:
  struct ServerAddress {
    std::vector<char> bytes;  ///< a sockaddr
    int family = 0;
  };

  void wake() const;
  void run(const std::stop_token& stop);
  void take_new_faults();
  void apply_due_faults(Clock::Mono now);
  int poll_timeout(Clock::Mono now) const;
  void accept_one();
  FileDescriptor dial() const;

  Clock& clock_;
  FileDescriptor listener_;
  FileDescriptor wake_;
  ServerAddress server_;
  std::atomic<std::uint64_t> accepted_{0};
  Mutex mu_;
  std::vector<FaultSpec> new_faults_ KINF_GUARDED_BY(mu_);
  // Of the thread.
  ByteFaultPlan plan_;
  std::list<RelayConnection> connections_;
  std::vector<FaultKind> for_next_connection_;
  std::jthread thread_;
};

}  // namespace kinf::sandbox
