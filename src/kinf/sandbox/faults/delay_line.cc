// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/faults/delay_line.h"

#include <algorithm>
#include <utility>

namespace kinf::sandbox {
namespace {

using Seconds = std::chrono::duration<double>;

/// Bytes leave in steps of this length, so that a fast link does not wake the relay for each byte.
constexpr Clock::Duration kStep = std::chrono::milliseconds(5);
/// How much lateness of the relay is made up for by sending faster.
constexpr Clock::Duration kCatchUp = std::chrono::milliseconds(100);
/// What a line holds in addition to the bytes on the link.
constexpr std::size_t kBuffer = 256 * 1024;
/// The assumed speed of a link without a limit, in bytes per second.
constexpr std::uint64_t kFast = 1'000'000'000;
constexpr std::size_t kMost = std::size_t{64} * 1024 * 1024;

Clock::Duration duration_of(std::size_t bytes, std::uint64_t bytes_per_second) {
  return std::chrono::duration_cast<Clock::Duration>(
      Seconds(static_cast<double>(bytes) / static_cast<double>(bytes_per_second)));
}

std::size_t bytes_in(Clock::Duration time, std::uint64_t bytes_per_second) {
  const double bytes = Seconds(time).count() * static_cast<double>(bytes_per_second);
  return static_cast<std::size_t>(std::clamp(bytes, 0.0, static_cast<double>(kMost)));
}

}  // namespace

void DelayLine::push(std::string bytes, Clock::Mono due) {
  if (bytes.empty()) return;
  size_ += bytes.size();
  pieces_.push_back({std::move(bytes), due});
}

bool DelayLine::is_full(std::uint64_t bytes_per_second, Clock::Duration delay) const {
  const std::size_t on_the_way =
      bytes_per_second > 0 ? bytes_in(delay + kCatchUp, bytes_per_second) : bytes_in(delay, kFast);
  return size_ >= std::min(kBuffer + on_the_way, kMost);
}

/// Returns when the link begins to send the next byte.
Clock::Mono DelayLine::start(Clock::Mono now, std::uint64_t bytes_per_second) const {
  const Clock::Duration catch_up = std::max(kCatchUp, duration_of(1, bytes_per_second));
  return std::max({pieces_.front().due, free_again_, Clock::Mono(now - catch_up)});
}

std::string_view DelayLine::front(Clock::Mono now, std::uint64_t bytes_per_second) const {
  if (pieces_.empty() || pieces_.front().due > now) return {};
  const std::string_view bytes = std::string_view(pieces_.front().bytes).substr(sent_);
  if (bytes_per_second == 0) return bytes;
  if (next(now, bytes_per_second) > now) return {};
  return bytes.substr(
      0, std::max<std::size_t>(1, bytes_in(now - start(now, bytes_per_second), bytes_per_second)));
}

void DelayLine::pop(std::size_t size, Clock::Mono now, std::uint64_t bytes_per_second) {
  if (bytes_per_second > 0)
    free_again_ = start(now, bytes_per_second) + duration_of(size, bytes_per_second);
  sent_ += size;
  size_ -= size;
  if (remaining() > 0) return;
  pieces_.pop_front();
  sent_ = 0;
}

Clock::Mono DelayLine::next(Clock::Mono now, std::uint64_t bytes_per_second) const {
  if (pieces_.empty()) return Clock::kNever;
  if (bytes_per_second == 0) return pieces_.front().due;
  const std::size_t step =
      std::clamp<std::size_t>(bytes_in(kStep, bytes_per_second), 1, remaining());
  return start(now, bytes_per_second) + duration_of(step, bytes_per_second);
}

void DelayLine::release() {
  for (Piece& piece : pieces_) piece.due = {};
  free_again_ = {};
}

}  // namespace kinf::sandbox
