// SPDX-License-Identifier: Apache-2.0
// SocketStream: an accepted connection without TLS.
#pragma once

#include "kinf/sandbox/http/client_stream.h"

namespace kinf::sandbox {

/// Threads: one at a time.
class SocketStream final : public ClientStream {
 public:
  /// Does not take ownership of the socket, which is non-blocking.
  explicit SocketStream(int socket) : socket_(socket) {}

  Transfer read(char* into, std::size_t size) override;
  Transfer write(std::string_view bytes) override;

 private:
  int socket_;
};

}  // namespace kinf::sandbox
