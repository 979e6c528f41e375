// SPDX-License-Identifier: Apache-2.0
// TlsStream: an accepted TLS connection as a stream of cpp-httplib. Uses a SocketStream. Only
// http_server.cc may include this header.
#pragma once

#include <httplib.h>
#include <openssl/types.h>

#include <memory>
#include <string>

#include "kinf/sandbox/http/socket_stream.h"

namespace kinf::sandbox {

/// Threads: not thread-safe.
class TlsStream final : public httplib::Stream {
 public:
  /// Does not take ownership of its arguments. Makes the socket non-blocking.
  TlsStream(SSL_CTX* context, SocketStream& socket);
  /// Sends close_notify unless the connection is broken.
  ~TlsStream() override;
  TlsStream(const TlsStream&) = delete;
  TlsStream& operator=(const TlsStream&) = delete;

  /// Performs the TLS handshake. Returns false if it fails or a wait for the client exceeds 10 s.
  bool accept();

  /// Like SocketStream::wait_for_request().
  bool wait_for_request(int seconds);

  bool is_readable() const override;
  bool is_writable() const override { return socket_.is_writable(); }
  ssize_t read(char* ptr, size_t size) override;
  ssize_t write(const char* ptr, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    socket_.get_remote_ip_and_port(ip, port);
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    socket_.get_local_ip_and_port(ip, port);
  }
  socket_t socket() const override { return socket_.socket(); }

 private:
  template <class Operation>
  int complete(Operation operation, int milliseconds);

  SocketStream& socket_;
  std::unique_ptr<SSL, void (*)(SSL*)> ssl_;
  bool broken_ = false;
};

}  // namespace kinf::sandbox
