// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/stream_socket.h"

#include <sys/socket.h>

#include "kinf/base/descriptor_flags.h"

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

}  // namespace kinf
