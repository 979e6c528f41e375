// SPDX-License-Identifier: Apache-2.0
// Opens a listening TCP socket.
#pragma once

#include <string>

#include "kinf/base/error.h"
#include "kinf/base/file_descriptor.h"

namespace kinf {

struct ListenSocket {
  FileDescriptor socket;  ///< non-blocking
  int port = 0;           ///< the actual port, chosen by the system if 0 was requested
};

/// Listens on a numeric IPv4 address. Port 0 selects a free port. When this returns, clients can
/// already connect; the system queues them. Returns a network error if the port is in use or the
/// address does not belong to this machine.
Result<ListenSocket> listen_on(const std::string& host, int port);

}  // namespace kinf
