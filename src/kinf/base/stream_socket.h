// SPDX-License-Identifier: Apache-2.0
// Opens TCP sockets that do not block and are closed on exec.
#pragma once

#include <string>

#include "kinf/base/error.h"
#include "kinf/base/file_descriptor.h"

namespace kinf {

/// Opens a socket of the address family `family` (AF_INET, AF_INET6). On failure the result is not
/// open and errno is set.
FileDescriptor open_stream_socket(int family);

/// Accepts a connection. On failure the result is not open and errno is set; EAGAIN means that
/// there is no connection. Never blocks if `listener` is non-blocking.
FileDescriptor accept_connection(int listener);

struct ListenSocket {
  FileDescriptor socket;  ///< non-blocking
  int port = 0;           ///< the actual port, chosen by the system if 0 was requested
};

/// Listens on a numeric IPv4 address. Port 0 selects a free port. When this returns, clients can
/// already connect; the system queues them. Returns a network error if the port is in use or the
/// address does not belong to this machine.
Result<ListenSocket> listen_on(const std::string& host, int port);

}  // namespace kinf
