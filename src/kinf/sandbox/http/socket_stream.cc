// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/socket_stream.h"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

namespace kinf::sandbox {
namespace {

/// Repeats `transfer`, a call of recv() or send(), if a signal interrupts it.
template <class Call>
Transfer completed(Call transfer, std::uint32_t waits_for) {
  for (;;) {
    const ssize_t bytes = transfer();
    if (bytes >= 0) return {static_cast<std::size_t>(bytes), 0};
    if (errno == EAGAIN || errno == EWOULDBLOCK) return {0, waits_for};
    if (errno != EINTR) return {};
  }
}

}  // namespace

Transfer SocketStream::read(char* into, std::size_t size) {
  return completed([&] { return ::recv(socket_, into, size, 0); }, POLLIN);
}

Transfer SocketStream::write(std::string_view bytes) {
  return completed([&] { return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); },
                   POLLOUT);
}

}  // namespace kinf::sandbox
