// SPDX-License-Identifier: Apache-2.0
// ClientStream: reads and writes an accepted connection, with or without TLS. Never blocks. OpenSSL
// reads and writes the socket directly, so that an idle connection holds no buffers.
#pragma once

#include <openssl/types.h>

#include <cstddef>
#include <memory>
#include <string_view>

namespace kinf {

/// The result of a read or a write. If all members are zero, the connection has ended or is broken.
struct Transfer {
  std::size_t bytes = 0;        ///< number of bytes received or sent
  bool waits_to_read = false;   ///< the call can continue when the socket is readable
  bool waits_to_write = false;  ///< the call can continue when the socket is writable

  bool is_end() const { return bytes == 0 && !waits_to_read && !waits_to_write; }
};

/// Threads: one thread at a time.
class ClientStream {
 public:
  virtual ~ClientStream() = default;
  virtual Transfer read(char* into, std::size_t size) = 0;
  /// `bytes` must not be empty.
  virtual Transfer write(std::string_view bytes) = 0;
};

/// Returns a stream on a non-blocking socket, which must stay open while the stream exists.
std::unique_ptr<ClientStream> plain_stream(int socket);
/// Like plain_stream(), with TLS. The first read performs the handshake. The destructor sends
/// close_notify unless the connection is broken.
std::unique_ptr<ClientStream> tls_stream(SSL_CTX* context, int socket);

}  // namespace kinf
