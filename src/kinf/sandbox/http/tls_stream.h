// SPDX-License-Identifier: Apache-2.0
// TlsStream: an accepted TLS connection. Uses a SocketStream.
#pragma once

#include <openssl/types.h>

#include <memory>

#include "kinf/sandbox/http/socket_stream.h"

namespace kinf::sandbox {

/// Threads: not thread-safe.
class TlsStream final : public ClientStream {
 public:
  /// Does not take ownership of its arguments. Makes the socket non-blocking.
  TlsStream(SSL_CTX* context, SocketStream& socket);
  /// Sends close_notify unless the connection is broken.
  ~TlsStream() override;
  TlsStream(const TlsStream&) = delete;
  TlsStream& operator=(const TlsStream&) = delete;

  /// Performs the TLS handshake. Returns false if it fails or a wait for the client exceeds 10 s.
  bool accept();

  bool wait_for_request(int seconds) override;
  ssize_t read(char* ptr, std::size_t size) override;
  ssize_t write(const char* ptr, std::size_t size) override;
  bool is_open() const override { return socket_.is_open(); }

 private:
  template <class Operation>
  int complete(Operation operation, int milliseconds);

  SocketStream& socket_;
  std::unique_ptr<SSL, void (*)(SSL*)> ssl_;
  bool broken_ = false;
};

}  // namespace kinf::sandbox
