// SPDX-License-Identifier: Apache-2.0
// TlsStream: an accepted TLS connection. The first read performs the handshake.
#pragma once

#include <openssl/types.h>

#include <memory>

#include "kinf/sandbox/http/client_stream.h"

namespace kinf::sandbox {

/// Threads: one at a time.
class TlsStream final : public ClientStream {
 public:
  /// Does not take ownership of its arguments. The socket is non-blocking.
  TlsStream(SSL_CTX* context, int socket);
  /// Sends close_notify unless the connection is broken.
  ~TlsStream() override;
  TlsStream(const TlsStream&) = delete;
  TlsStream& operator=(const TlsStream&) = delete;

  Transfer read(char* into, std::size_t size) override;
  Transfer write(std::string_view bytes) override;

 private:
  template <class Operation>
  Transfer attempt(Operation operation);

  std::unique_ptr<SSL, void (*)(SSL*)> ssl_;
  bool broken_ = false;
};

}  // namespace kinf::sandbox
