// SPDX-License-Identifier: Apache-2.0
// RelayConnection: one relayed connection: its two sockets, the bytes that wait in each direction,
// and its faults. Used only by ByteRelay.
#pragma once

#include <poll.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/base/clock.h"
#include "kinf/base/file_descriptor.h"
#include "kinf/sandbox/faults/fault_spec.h"

namespace kinf::sandbox {

/// The properties of the simulated link.
struct LinkOptions {
  std::uint64_t bytes_per_second = 0;  ///< limit of the responses; 0: no limit
  Clock::Duration latency{};           ///< a round trip: half of it in each direction
};

/// The bytes on the way in one direction. They leave in order, after a delay, and no faster than a
/// limit. Reads no clock: the caller passes the time. Threads: not thread-safe.
class DelayLine {
 public:
  /// Adds bytes that may leave at `due`. The limit applies after that.
  void push(std::string bytes, Clock::Mono due);
  bool is_empty() const { return pieces_.empty(); }
  /// Returns the number of bytes in the line.
  std::size_t size() const { return size_; }
  /// Returns whether the line holds as much as a link of this speed and delay. The caller then adds
  /// no more, so that the sender has to wait.
  bool is_full(std::uint64_t bytes_per_second, Clock::Duration delay) const;

  /// Returns the bytes that may leave now: at most one piece. `bytes_per_second` 0 means no limit.
  std::string_view front(Clock::Mono now, std::uint64_t bytes_per_second) const;
  /// Removes the first `size` bytes, which left now. `size` is at most that of front().
  void pop(std::size_t size, Clock::Mono now, std::uint64_t bytes_per_second);
  /// Returns when front() will return at least one byte, or kNever if the line is empty.
  Clock::Mono next(Clock::Mono now, std::uint64_t bytes_per_second) const;
  /// Lets all bytes leave at once.
  void release();

 private:
  struct Piece {
    std::string bytes;
    Clock::Mono due;
  };
  Clock::Mono start(Clock::Mono now, std::uint64_t bytes_per_second) const;
  std::size_t remaining() const { return pieces_.front().bytes.size() - sent_; }

  std::deque<Piece> pieces_;
  std::size_t sent_ = 0;  ///< bytes of the first piece that have left
  std::size_t size_ = 0;
  Clock::Mono free_again_{};  ///< when the limit allows the next byte
};

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
