// SPDX-License-Identifier: Apache-2.0
// RelayConnection: the two sockets of one relayed connection, what is under way between them, and
// what befalls it. Knows nothing of what the bytes mean. For ByteRelay only.
#pragma once

#include <poll.h>

#include <cstdint>
#include <optional>
#include <string>

#include "kinf/base/clock.h"
#include "kinf/base/file_descriptor.h"
#include "kinf/sandbox/faults/fault_spec.h"

namespace kinf::sandbox {

/// Threads: one owner; no call blocks.
class RelayConnection {
 public:
  /// Both sockets do not block; `upstream` may still be connecting.
  RelayConnection(FileDescriptor client, FileDescriptor upstream)
      : client_(std::move(client)), upstream_(std::move(upstream)) {}

  bool is_closed() const { return !client_.is_open(); }

  /// One of the byte faults but slow, here and now; truncate waits for the next bytes of an
  /// answer. `on_first_answer`: all wait for the first bytes of an answer.
  void apply(FaultKind kind, bool on_first_answer);
  /// What was to come does not; a stalled connection goes on.
  void clear_faults();

  /// What to poll the two sockets for. `bytes_per_second` 0: no limit.
  void poll_for(pollfd& client, pollfd& upstream, Clock::Mono now, std::uint64_t bytes_per_second);
  /// When a slow connection may send again; kNever if that is not what it waits for.
  Clock::Mono next_send() const { return to_client_.empty() ? Clock::kNever : send_again_; }
  void move(const pollfd& client, const pollfd& upstream, Clock::Mono now,
            std::uint64_t bytes_per_second);

 private:
  void close();
  void read_client();
  void read_upstream();
  void write_upstream();
  void write_client(Clock::Mono now, std::uint64_t bytes_per_second);
  /// The fate that waited for these bytes; false if the connection is over by it.
  bool apply_pending_fault(std::string& bytes);

  FileDescriptor client_;
  FileDescriptor upstream_;
  std::string to_upstream_;
  std::string to_client_;
  bool upstream_ended_ = false;
  bool stalled_ = false;
  std::optional<FaultKind> pending_fault_;  ///< of the next bytes of an answer
  Clock::Mono send_again_{};
};

}  // namespace kinf::sandbox
