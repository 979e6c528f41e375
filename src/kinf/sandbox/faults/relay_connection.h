// SPDX-License-Identifier: Apache-2.0
// RelayConnection: one relayed connection, with its two sockets, the bytes that wait in each
// direction, and its faults. Used only by ByteRelay.
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
  std::uint64_t bytes_per_second = 0;  ///< speed limit of the responses; 0 means no limit
  Clock::Duration latency{};           ///< duration of a round trip: half of it in each direction
};

/// The bytes that travel in one direction of a connection. The bytes leave in order, after a delay,
/// and no faster than a limit. Reads no clock: the caller passes the time.
/// Threads: not thread-safe.
class DelayLine {
 public:
  /// Adds bytes that may leave at `due` at the earliest. The speed limit can delay them further.
  void push(std::string bytes, Clock::Mono due);
  bool is_empty() const { return pieces_.empty(); }
  /// Returns the number of bytes in the line.
  std::size_t size() const { return size_; }
  /// Returns whether the line holds all the bytes that it may hold for a link of this speed and
  /// delay. The caller must then stop adding bytes, so that the sender has to wait.
  bool is_full(std::uint64_t bytes_per_second, Clock::Duration delay) const;

  /// Returns the bytes that may leave now, at most those of one push(). `bytes_per_second` 0 means
  /// no limit.
  std::string_view front(Clock::Mono now, std::uint64_t bytes_per_second) const;
  /// Removes the first `size` bytes, which left now. `size` must not exceed the size of front().
  void pop(std::size_t size, Clock::Mono now, std::uint64_t bytes_per_second);
  /// Returns when front() will return at least one byte, or kNever if the line is empty.
  Clock::Mono next(Clock::Mono now, std::uint64_t bytes_per_second) const;
  /// Ends all delays, so that all bytes may leave at once.
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
  /// which the client connected: on a link with latency, the first bytes of the client arrive one
  /// round trip later, because a TCP handshake would take that time.
  RelayConnection(FileDescriptor client, FileDescriptor upstream, Clock::Mono opened)
      : client_(std::move(client)), upstream_(std::move(upstream)), opened_(opened) {}

  bool is_closed() const { return !client_.is_open(); }

  /// Applies a byte fault other than `slow` and `latency`. `truncate` waits for the next response
  /// bytes, as does every fault if `on_first_answer` is true. Other faults apply at once.
  void apply(FaultKind kind, bool on_first_answer);
  /// Removes pending faults and resumes a stalled connection.
  void clear_faults();

  /// Sets the poll() events of the two sockets.
  void poll_for(pollfd& client, pollfd& upstream, Clock::Mono now, const LinkOptions& link) const;
  /// Returns when the next delayed bytes may be sent, or kNever if no bytes are delayed.
  Clock::Mono next_send(Clock::Mono now, const LinkOptions& link) const;
  /// Moves the bytes that poll() reported as ready. Closes the connection when the client or the
  /// server has closed it.
  void move(const pollfd& client, const pollfd& upstream, Clock::Mono now, const LinkOptions& link);

 private:
  void close();
  void read_client(Clock::Mono now, const LinkOptions& link);
  void read_upstream(Clock::Mono now, const LinkOptions& link);
  /// Closes the connection after the server has closed its side: not before the client has read the
  /// last response, which a client that still sends a refused request does late.
  void close_after_server(Clock::Mono now);
  void discard(const pollfd& client, Clock::Mono now);
  /// Sends the bytes of `line` that may leave now. Closes the connection if the peer has closed it.
  void write(const FileDescriptor& to, DelayLine& line, Clock::Mono now,
             std::uint64_t bytes_per_second);
  /// Applies the pending fault to `bytes`, the next bytes of the response. Returns false if the
  /// fault closed the connection.
  bool apply_pending_fault(std::string& bytes);

  FileDescriptor client_;
  FileDescriptor upstream_;
  Clock::Mono opened_;
  DelayLine to_upstream_;
  DelayLine to_client_;
  bool upstream_ended_ = false;  ///< there are no more response bytes
  bool is_truncated_ = false;    ///< because of a fault
  /// Set when all response bytes are sent: drops what the client sends, and closes at this time.
  std::optional<Clock::Mono> discards_until_;
  bool stalled_ = false;
  std::optional<FaultKind> pending_fault_;  ///< the fault that waits for the next response bytes
};

}  // namespace kinf::sandbox
