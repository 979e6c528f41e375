// SPDX-License-Identifier: Apache-2.0
// A TCP socket that listens.
#pragma once

#include <string>

#include "kinf/base/error.h"
#include "kinf/base/file_descriptor.h"

namespace kinf {

struct ListenSocket {
  FileDescriptor socket;  ///< does not block
  int port = 0;           ///< the one that the system chose, if 0 was asked for
};

/// Listens on a numeric IPv4 address. Port 0 takes a free port. Connections are accepted by the
/// system from the moment this returns. A network error if the port is taken or the address is not
/// one of this machine.
Result<ListenSocket> listen_on(const std::string& host, int port);

}  // namespace kinf
