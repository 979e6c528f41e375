// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/faults/relay_connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "kinf/base/file_descriptor.h"

namespace kinf::sandbox {
namespace {

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
  switch (kind) {
    case FaultKind::stall:
      stalled_ = true;
      return;
    case FaultKind::reset: {
      const linger at_once{1, 0};
      ::setsockopt(client_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
      client_.reset();
      upstream_.reset();
      return;
    }
    default:
      return close();
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
  if (stalled_) return Clock::kNever;
  Clock::Mono next = Clock::kNever;
  // Bytes that may be sent now need no timeout: poll() reports the socket.
  for (const Clock::Mono each :
       {to_client_.next(now, link.bytes_per_second), to_upstream_.next(now, 0)}) {
    if (each > now) next = std::min(next, each);
  }
  return next;
}

void RelayConnection::move(const pollfd& client, const pollfd& upstream, Clock::Mono now,
                           const LinkOptions& link) {
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
  if (!is_closed() && upstream_ended_ && to_client_.is_empty()) close();
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
  switch (read_some(upstream_.get(), bytes)) {
    case Reading::end:
      upstream_ended_ = true;
      return;
    case Reading::nothing:
      return;
    case Reading::bytes:
      if (apply_pending_fault(bytes)) to_client_.push(std::move(bytes), now + link.latency / 2);
  }
}

bool RelayConnection::apply_pending_fault(std::string& bytes) {
  if (!pending_fault_) return true;
  const FaultKind kind = *std::exchange(pending_fault_, std::nullopt);
  if (kind == FaultKind::truncate) {
    bytes.resize(bytes.size() / 2);
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
