// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/faults/relay_connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace kinf::sandbox {
namespace {

/// Reading from one side stops while this many bytes wait for the other side.
constexpr std::size_t kMostUnderWay = 256 * 1024;
constexpr Clock::Duration kSlowStep = std::chrono::milliseconds(100);
constexpr short kGone = POLLRDHUP | POLLHUP | POLLERR;

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

/// Sends at most `at_most` bytes and removes them from `from`. Returns false if the peer has
/// disconnected.
bool write_some(int fd, std::string& from, std::size_t at_most) {
  const std::size_t size = std::min(from.size(), at_most);
  const ssize_t sent = ::send(fd, from.data(), size, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
  from.erase(0, static_cast<std::size_t>(sent));
  return true;
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
  send_again_ = {};
}

void RelayConnection::poll_for(pollfd& client, pollfd& upstream, Clock::Mono now,
                               std::uint64_t bytes_per_second) {
  // Poll a stalled connection only for its client's disconnect.
  client = {client_.get(), POLLRDHUP, 0};
  upstream = {stalled_ ? -1 : upstream_.get(), 0, 0};
  if (stalled_) return;
  if (to_upstream_.size() < kMostUnderWay) client.events |= POLLIN;
  if (!to_client_.empty() && (bytes_per_second == 0 || now >= send_again_)) {
    client.events |= POLLOUT;
  }
  if (!upstream_ended_ && to_client_.size() < kMostUnderWay) upstream.events |= POLLIN;
  if (!to_upstream_.empty()) upstream.events |= POLLOUT;
  if (upstream_ended_) upstream.fd = -1;
}

void RelayConnection::move(const pollfd& client, const pollfd& upstream, Clock::Mono now,
                           std::uint64_t bytes_per_second) {
  if (stalled_) {
    if ((client.revents & kGone) != 0) close();
    return;
  }
  if ((client.revents & (POLLIN | kGone)) != 0) read_client();
  if (!is_closed() && (upstream.revents & (POLLIN | POLLHUP | POLLERR)) != 0) read_upstream();
  if (!is_closed() && (upstream.revents & POLLOUT) != 0) write_upstream();
  if (!is_closed() && !stalled_ && !to_client_.empty()) write_client(now, bytes_per_second);
  if (!is_closed() && upstream_ended_ && to_client_.empty()) close();
}

/// Treats a client that closes its sending side as disconnected, because API clients do not
/// half-close.
void RelayConnection::read_client() {
  if (to_upstream_.size() < kMostUnderWay &&
      read_some(client_.get(), to_upstream_) == Reading::end) {
    close();
  }
}

void RelayConnection::read_upstream() {
  std::string bytes;
  switch (read_some(upstream_.get(), bytes)) {
    case Reading::end:
      upstream_ended_ = true;
      return;
    case Reading::nothing:
      return;
    case Reading::bytes:
      if (apply_pending_fault(bytes)) to_client_ += bytes;
  }
}

bool RelayConnection::apply_pending_fault(std::string& bytes) {
  if (!pending_fault_) return true;
  const FaultKind kind = *std::exchange(pending_fault_, std::nullopt);
  if (kind == FaultKind::truncate) {
    to_client_ += bytes.substr(0, bytes.size() / 2);
    (void)write_some(client_.get(), to_client_, to_client_.size());
    close();
    return false;
  }
  apply(kind, false);
  return !is_closed();
}

void RelayConnection::write_upstream() {
  if (!to_upstream_.empty() && !write_some(upstream_.get(), to_upstream_, to_upstream_.size())) {
    close();
  }
}

void RelayConnection::write_client(Clock::Mono now, std::uint64_t bytes_per_second) {
  std::size_t at_most = to_client_.size();
  if (bytes_per_second > 0) {
    if (now < send_again_) return;
    send_again_ = now + kSlowStep;
    at_most = std::max<std::size_t>(1, bytes_per_second / 10);
  }
  if (!write_some(client_.get(), to_client_, at_most)) close();
}

}  // namespace kinf::sandbox
