// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/stream_socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <system_error>

namespace kinf {

#if defined(SOCK_NONBLOCK) && defined(SOCK_CLOEXEC)

FileDescriptor open_stream_socket(int family) {
  return FileDescriptor(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

FileDescriptor accept_connection(int listener) {
  return FileDescriptor(::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
}

#else  // macOS

namespace {

FileDescriptor with_flags(FileDescriptor socket) {
  if (!socket.is_open()) return socket;
  const int on = 1;  // macOS has no MSG_NOSIGNAL
  ::setsockopt(socket.get(), SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
  const bool is_set = set_close_on_exec(socket.get()) && set_non_blocking(socket.get());
  return is_set ? std::move(socket) : FileDescriptor();
}

}  // namespace

FileDescriptor open_stream_socket(int family) {
  return with_flags(FileDescriptor(::socket(family, SOCK_STREAM, 0)));
}

FileDescriptor accept_connection(int listener) {
  return with_flags(FileDescriptor(::accept(listener, nullptr, nullptr)));
}

#endif

Result<ListenSocket> listen_on(const std::string& host, int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  FileDescriptor socket = open_stream_socket(AF_INET);
  const auto failure = [&] {
    const bool is_full = errno == EMFILE || errno == ENFILE;
    return fail(is_full ? ErrorKind::internal : ErrorKind::network, "cannot listen on {}:{}: {}",
                host, port, std::generic_category().message(errno));
  };
  if (!socket.is_open()) return failure();
  if (::inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1) {
    errno = EINVAL;
    return failure();
  }
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(socket.get(), generic, size) != 0 || ::listen(socket.get(), SOMAXCONN) != 0 ||
      ::getsockname(socket.get(), generic, &size) != 0) {
    return failure();
  }
  return ListenSocket{std::move(socket), ntohs(address.sin_port)};
}

}  // namespace kinf
