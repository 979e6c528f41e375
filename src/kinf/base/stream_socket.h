// SPDX-License-Identifier: Apache-2.0
// Opens TCP sockets that do not block and are closed on exec.
#pragma once

#include "kinf/base/file_descriptor.h"

namespace kinf {

/// Opens a socket of the address family `family` (AF_INET, AF_INET6). On failure it is not open and
/// errno is set.
FileDescriptor open_stream_socket(int family);

/// Accepts a connection. On failure the socket is not open and errno is set: EAGAIN if there is no
/// connection. Never blocks if `listener` does not.
FileDescriptor accept_connection(int listener);

}  // namespace kinf
