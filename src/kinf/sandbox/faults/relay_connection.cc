// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/faults/relay_connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "kinf/base/limits.h"

namespace kinf::sandbox {
namespace {

using Seconds = std::chrono::duration<double>;

/// Bytes leave in steps of this duration, so that a fast link does not wake the relay for each
/// byte.
constexpr Clock::Duration kStep = std::chrono::milliseconds(5);
/// If the relay is late, it sends faster to catch up, but makes up for at most this much time.
constexpr Clock::Duration kCatchUp = std::chrono::milliseconds(100);
/// A DelayLine is full when it holds this many bytes more than the simulated link itself would
/// hold.
constexpr std::size_t kBuffer = 256 * 1024;
/// The assumed speed of a link without a limit, in bytes per second.
constexpr std::uint64_t kFast = 1'000'000'000;
/// How long a connection that the server has closed drops what its client still sends.
constexpr std::chrono::seconds kDiscardTime(2);

Clock::Duration duration_of(std::size_t bytes, std::uint64_t bytes_per_second) {
  return std::chrono::duration_cast<Clock::Duration>(
      Seconds(static_cast<double>(bytes) / static_cast<double>(bytes_per_second)));
}

std::size_t bytes_in(Clock::Duration time, std::uint64_t bytes_per_second) {
  const double bytes = Seconds(time).count() * static_cast<double>(bytes_per_second);
  return static_cast<std::size_t>(
      std::clamp(bytes, 0.0, static_cast<double>(limits::kRelayedBytes)));
}

constexpr short kGone = kPollPeerClosed | POLLHUP | POLLERR;

enum class Reading { bytes, nothing, end };

Reading read_some(int fd, std::string& into) {
  std::array<char, 64 * 1024> buffer;
  const ssize_t size = ::recv(fd, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (size > 0) {
    into.append(buffer.data(), static_cast<std::size_t>(size));
    return Reading::bytes;
  }
  const bool later = size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
  return later ? Reading::nothing : Reading::end;
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
  return size_ >= std::min(kBuffer + on_the_way, limits::kRelayedBytes);
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

void RelayConnection::close() {
  // Send FIN first, because close() alone sends RST if unread bytes are left.
  if (client_.is_open()) ::shutdown(client_.get(), SHUT_WR);
  client_.reset();
  upstream_.reset();
}

void RelayConnection::apply(FaultKind kind, bool on_first_answer) {
  if (is_closed()) return;
  if (on_first_answer || kind == FaultKind::truncate) {
    pending_fault_ = kind;
    return;
  }
  if (kind == FaultKind::stall) {
    stalled_ = true;
  } else if (kind == FaultKind::reset) {
    const linger at_once{1, 0};
    ::setsockopt(client_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    client_.reset();
    upstream_.reset();
  } else {
    close();
  }
}

void RelayConnection::clear_faults() {
  stalled_ = false;
  pending_fault_.reset();
  to_upstream_.release();
  to_client_.release();
}

void RelayConnection::poll_for(pollfd& client, pollfd& upstream, Clock::Mono now,
                               const LinkOptions& link) const {
  if (discards_until_) {
    client = {client_.get(), POLLIN | kPollPeerClosed, 0};
    upstream = {-1, 0, 0};
    return;
  }
  // Poll a stalled connection only for its client's disconnect.
  client = {client_.get(), kPollPeerClosed, 0};
  upstream = {stalled_ || upstream_ended_ ? -1 : upstream_.get(), 0, 0};
  if (stalled_) return;
  if (!to_upstream_.is_full(0, link.latency / 2)) client.events |= POLLIN;
  if (!to_client_.front(now, link.bytes_per_second).empty()) client.events |= POLLOUT;
  if (!to_client_.is_full(link.bytes_per_second, link.latency / 2)) upstream.events |= POLLIN;
  if (!to_upstream_.front(now, 0).empty()) upstream.events |= POLLOUT;
}

Clock::Mono RelayConnection::next_send(Clock::Mono now, const LinkOptions& link) const {
  if (discards_until_) return *discards_until_;
  if (stalled_) return Clock::kNever;
  Clock::Mono next = Clock::kNever;
  // Bytes that may be sent now need no timeout, because poll() reports when the socket is writable.
  for (const Clock::Mono each :
       {to_client_.next(now, link.bytes_per_second), to_upstream_.next(now, 0)}) {
    if (each > now) next = std::min(next, each);
  }
  return next;
}

void RelayConnection::move(const pollfd& client, const pollfd& upstream, Clock::Mono now,
                           const LinkOptions& link) {
  if (discards_until_) return discard(client, now);
  if (stalled_) {
    if ((client.revents & kGone) != 0) close();
    return;
  }
  if (!to_upstream_.is_full(0, link.latency / 2)) {
    if ((client.revents & (POLLIN | kGone)) != 0) read_client(now, link);
  } else if ((client.revents & kGone) != 0) {
    close();
  }
  if (!is_closed() && (upstream.revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
    read_upstream(now, link);
  }
  if (!is_closed() && (upstream.revents & POLLOUT) != 0) write(upstream_, to_upstream_, now, 0);
  if (!is_closed() && !stalled_) write(client_, to_client_, now, link.bytes_per_second);
  if (!is_closed() && upstream_ended_ && to_client_.is_empty()) close_after_server(now);
}

void RelayConnection::close_after_server(Clock::Mono now) {
  if (is_truncated_) return close();
  ::shutdown(client_.get(), SHUT_WR);
  upstream_.reset();
  discards_until_ = now + kDiscardTime;
}

void RelayConnection::discard(const pollfd& client, Clock::Mono now) {
  std::string bytes;
  const bool can_read = (client.revents & (POLLIN | kGone)) != 0;
  if (now >= *discards_until_ || (can_read && read_some(client_.get(), bytes) == Reading::end)) {
    close();
  }
}

/// Treats a client that closes its sending side as disconnected, because API clients do not
/// half-close.
void RelayConnection::read_client(Clock::Mono now, const LinkOptions& link) {
  std::string bytes;
  if (read_some(client_.get(), bytes) == Reading::end) return close();
  const Clock::Mono sent = std::max(now, opened_ + link.latency);
  to_upstream_.push(std::move(bytes), sent + link.latency / 2);
}

void RelayConnection::read_upstream(Clock::Mono now, const LinkOptions& link) {
  std::string bytes;
  const Reading read = read_some(upstream_.get(), bytes);
  if (read == Reading::end) upstream_ended_ = true;
  if (read == Reading::bytes && apply_pending_fault(bytes)) {
    to_client_.push(std::move(bytes), now + link.latency / 2);
  }
}

bool RelayConnection::apply_pending_fault(std::string& bytes) {
  if (!pending_fault_) return true;
  const FaultKind kind = *std::exchange(pending_fault_, std::nullopt);
  if (kind == FaultKind::truncate) {
    bytes.resize(bytes.size() / 2);
    is_truncated_ = true;
    upstream_ended_ = true;  // closes the connection when these bytes are sent
    return true;
  }
  apply(kind, false);
  return !is_closed();
}

void RelayConnection::write(const FileDescriptor& to, DelayLine& line, Clock::Mono now,
                            std::uint64_t bytes_per_second) {
  for (;;) {
    const std::string_view bytes = line.front(now, bytes_per_second);
    if (bytes.empty()) return;
    const ssize_t sent = ::send(to.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
      if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) close();
      return;
    }
    line.pop(static_cast<std::size_t>(sent), now, bytes_per_second);
  }
}

}  // namespace kinf::sandbox
