// SPDX-License-Identifier: Apache-2.0
// RelayConnection: one relayed connection: its two sockets, the bytes that wait in each direction,
// and its faults. Used only by ByteRelay.
#pragma once

#include <poll.h>

#include <cstdint>
#include <optional>
#include <string>

#include "kinf/base/clock.h"
#include "kinf/base/file_descriptor.h"
#include "kinf/sandbox/faults/fault_spec.h"

namespace kinf::sandbox {

/// Threads: not thread-safe. No function blocks.
class RelayConnection {
 public:
  /// Both sockets must be non-blocking. `upstream` may still be connecting.
  RelayConnection(FileDescriptor client, FileDescriptor upstream)
      : client_(std::move(client)), upstream_(std::move(upstream)) {}

  bool is_closed() const { return !client_.is_open(); }

  /// Applies a byte fault other than `slow` now, except that `truncate` waits for the next response
  /// bytes. If `on_first_answer` is true, every fault waits for them.
  void apply(FaultKind kind, bool on_first_answer);
  /// Removes pending faults and resumes a stalled connection.
  void clear_faults();

  /// Sets the poll() events of the two sockets. If `bytes_per_second` is 0, the speed is not
  /// limited.
  void poll_for(pollfd& client, pollfd& upstream, Clock::Mono now, std::uint64_t bytes_per_second);
  /// Returns when a slow connection may send again, or kNever if it has nothing to send.
  Clock::Mono next_send() const { return to_client_.empty() ? Clock::kNever : send_again_; }
  /// Moves the bytes that poll() reported as ready. Closes the connection when a side has closed.
  void move(const pollfd& client, const pollfd& upstream, Clock::Mono now,
            std::uint64_t bytes_per_second);

 private:
  void close();
  void read_client();
  void read_upstream();
  void write_upstream();
  void write_client(Clock::Mono now, std::uint64_t bytes_per_second);
  /// Applies the pending fault to the response bytes `bytes`. Returns false if it closed the
  /// connection.
  bool apply_pending_fault(std::string& bytes);

  FileDescriptor client_;
  FileDescriptor upstream_;
  std::string to_upstream_;
  std::string to_client_;
  bool upstream_ended_ = false;
  bool stalled_ = false;
  std::optional<FaultKind> pending_fault_;  ///< waits for the next response bytes
  Clock::Mono send_again_{};                ///< slow: when the next bytes may be sent
};

}  // namespace kinf::sandbox
