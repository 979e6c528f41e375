// SPDX-License-Identifier: Apache-2.0
// ByteRelay: forwards TCP connections to a server and injects byte faults. It does not interpret
// the bytes, so it works with TLS, HTTP/2 and any server.
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

/// Threads: start() and stop() from one thread, the rest from any. One thread moves all bytes. It
/// blocks on the sockets; add() and stop() wake it.
class ByteRelay {
 public:
  /// The clock must outlive the relay.
  explicit ByteRelay(Clock& clock) : clock_(clock) {}
  ~ByteRelay() { stop(); }
  ByteRelay(const ByteRelay&) = delete;
  ByteRelay& operator=(const ByteRelay&) = delete;

  /// Listens on a numeric IPv4 address; port 0 takes a free port. Returns the port. Resolves the
  /// server's name once; the server need not run yet. A network error if the name has no address or
  /// the port is taken.
  Result<int> start(const std::string& listen_host, int listen_port, const std::string& server_host,
                    int server_port);
  /// Closes all connections and joins the thread. Idempotent.
  void stop();

  /// Adds a fault. `none` removes all faults; protocol faults are ignored.
  void add(const FaultSpec& spec);
  /// The number of connections accepted so far.
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
  // Used only by the thread.
  ByteFaultPlan plan_;
  std::list<RelayConnection> connections_;
  std::vector<FaultKind> for_next_connection_;
  std::jthread thread_;
};

}  // namespace kinf::sandbox
