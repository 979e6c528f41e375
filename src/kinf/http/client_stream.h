// SPDX-License-Identifier: Apache-2.0
// ClientStream: the bytes of an accepted connection, with or without TLS. Never waits. OpenSSL
// works on the socket itself: a connection that waits keeps no buffers.
#pragma once

#include <openssl/types.h>

#include <cstddef>
#include <memory>
#include <string_view>

namespace kinf {

/// What a read or a write did. If all members are 0, the connection has ended or is broken.
struct Transfer {
  std::size_t bytes = 0;        ///< received or sent
  bool waits_to_read = false;   ///< can continue when the socket can be read
  bool waits_to_write = false;  ///< can continue when the socket can be written

  bool is_end() const { return bytes == 0 && !waits_to_read && !waits_to_write; }
};

/// Threads: one at a time.
class ClientStream {
 public:
  virtual ~ClientStream() = default;
  virtual Transfer read(char* into, std::size_t size) = 0;
  /// `bytes` must not be empty.
  virtual Transfer write(std::string_view bytes) = 0;
};

/// Returns the stream of a non-blocking socket, which stays open as long as the stream exists.
std::unique_ptr<ClientStream> plain_stream(int socket);
/// The same with TLS. The first read performs the handshake, the destructor sends close_notify
/// unless the connection is broken.
std::unique_ptr<ClientStream> tls_stream(SSL_CTX* context, int socket);

}  // namespace kinf
