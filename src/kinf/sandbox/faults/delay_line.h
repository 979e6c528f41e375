// SPDX-License-Identifier: Apache-2.0
// DelayLine: the bytes on the way in one direction of a relayed connection. They leave in order,
// after a delay, and no faster than a limit. Reads no clock: the caller passes the time.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "kinf/base/clock.h"

namespace kinf::sandbox {

/// The properties of the simulated link.
struct LinkOptions {
  std::uint64_t bytes_per_second = 0;  ///< limit of the responses; 0: no limit
  Clock::Duration latency{};           ///< a round trip: half of it in each direction
};

/// Threads: not thread-safe.
class DelayLine {
 public:
  /// Adds bytes that may leave at `due`. The limit applies after that.
  void push(std::string bytes, Clock::Mono due);
  bool is_empty() const { return pieces_.empty(); }
  /// Returns the number of bytes in the line.
  std::size_t size() const { return size_; }
  /// Returns true if the line holds as much as a link of this speed and delay. The caller then adds
  /// no more, so that the sender has to wait.
  bool is_full(std::uint64_t bytes_per_second, Clock::Duration delay) const;

  /// Returns the bytes that may leave now: at most one piece. `bytes_per_second` 0 means no limit.
  std::string_view front(Clock::Mono now, std::uint64_t bytes_per_second) const;
  /// Removes the first `size` bytes, which left now. `size` is at most that of front().
  void pop(std::size_t size, Clock::Mono now, std::uint64_t bytes_per_second);
  /// Returns when front() returns more bytes than none, or kNever if the line is empty.
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
  Clock::Mono free_again_{};  ///< when the bytes that have left are through, at the limit
};

}  // namespace kinf::sandbox
