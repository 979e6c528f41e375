// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/socket_stream.h"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

namespace kinf::sandbox {
namespace {

constexpr int kReadTimeout = 10'000;   // milliseconds
constexpr int kWriteTimeout = 10'000;  // milliseconds

}  // namespace

bool SocketStream::wait(short events, int milliseconds) const {
  pollfd fds[2] = {{socket_, events, 0}, {wake_fd_, POLLIN, 0}};
  int ready = 0;
  do {
    ready = ::poll(fds, 2, milliseconds);
  } while (ready < 0 && errno == EINTR);
  return ready > 0 && (fds[0].revents & (events | POLLHUP | POLLERR)) != 0;
}

bool SocketStream::wait_for_request(int seconds) {
  if (!wait(POLLIN, seconds * 1000)) return false;
  char first = 0;
  return ::recv(socket_, &first, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
}

/// Treats a client that closed its sending side as disconnected, because API clients do not
/// half-close.
bool SocketStream::is_open() const {
  pollfd fd = {socket_, static_cast<short>(POLLOUT | POLLRDHUP), 0};
  if (::poll(&fd, 1, 0) < 0) return false;
  return (fd.revents & (POLLRDHUP | POLLHUP | POLLERR)) == 0;
}

ssize_t SocketStream::read(char* ptr, std::size_t size) {
  if (!wait(POLLIN, kReadTimeout)) return -1;
  return ::recv(socket_, ptr, size, 0);
}

ssize_t SocketStream::write(const char* ptr, std::size_t size) {
  ssize_t sent = 0;
  do {
    sent = ::send(socket_, ptr, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) return sent;
  } while (errno == EINTR ||
           ((errno == EAGAIN || errno == EWOULDBLOCK) && wait(POLLOUT, kWriteTimeout)));
  return -1;
}

}  // namespace kinf::sandbox
