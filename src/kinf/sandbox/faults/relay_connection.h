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
#include "kinf/sandbox/faults/delay_line.h"
#include "kinf/sandbox/faults/fault_spec.h"

namespace kinf::sandbox {

/// Threads: not thread-safe. No function blocks.
class RelayConnection {
 public:
  /// Both sockets must be non-blocking. `upstream` may still be connecting. `opened` is the time at
  /// which the client connected: on a link with latency, its first bytes arrive after a further
  /// round trip, in which TCP would have connected.
  RelayConnection(FileDescriptor client, FileDescriptor upstream, Clock::Mono opened)
      : client_(std::move(client)), upstream_(std::move(upstream)), opened_(opened) {}

  bool is_closed() const { return !client_.is_open(); }

  /// Applies a byte fault other than `slow` and `latency` now, except that `truncate` waits for the
  /// next response bytes. If `on_first_answer` is true, every fault waits for them.
  void apply(FaultKind kind, bool on_first_answer);
  /// Removes pending faults and resumes a stalled connection.
  void clear_faults();

  /// Sets the poll() events of the two sockets.
  void poll_for(pollfd& client, pollfd& upstream, Clock::Mono now, const LinkOptions& link) const;
  /// Returns when waiting bytes may be sent that may not be sent now, or kNever if there are none.
  Clock::Mono next_send(Clock::Mono now, const LinkOptions& link) const;
  /// Moves the bytes that poll() reported as ready. Closes the connection when a side has closed.
  void move(const pollfd& client, const pollfd& upstream, Clock::Mono now, const LinkOptions& link);

 private:
  void close();
  void read_client(Clock::Mono now, const LinkOptions& link);
  void read_upstream(Clock::Mono now, const LinkOptions& link);
  /// Sends the bytes of `line` that may leave now. Closes the connection if the peer has closed it.
  void write(const FileDescriptor& to, DelayLine& line, Clock::Mono now,
             std::uint64_t bytes_per_second);
  /// Applies the pending fault to the response bytes `bytes`. Returns false if it closed the
  /// connection.
  bool apply_pending_fault(std::string& bytes);

  FileDescriptor client_;
  FileDescriptor upstream_;
  Clock::Mono opened_;
  DelayLine to_upstream_;
  DelayLine to_client_;
  bool upstream_ended_ = false;
  bool stalled_ = false;
  std::optional<FaultKind> pending_fault_;  ///< waits for the next response bytes
};

}  // namespace kinf::sandbox
