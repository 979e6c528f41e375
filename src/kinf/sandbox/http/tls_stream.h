// SPDX-License-Identifier: Apache-2.0
// TlsStream: one accepted connection that speaks TLS, as cpp-httplib reads and writes it. Waits as
// the SocketStream below it does. Only http_server.cc and its own source see this header.
#pragma once

#include <httplib.h>
#include <openssl/types.h>

#include <memory>
#include <string>

#include "kinf/sandbox/http/socket_stream.h"

namespace kinf::sandbox {

/// Threads: one owner.
class TlsStream final : public httplib::Stream {
 public:
  /// Borrows both; makes the socket one that does not block.
  TlsStream(SSL_CTX* context, SocketStream& socket);
  /// Says goodbye, unless the connection is broken.
  ~TlsStream() override;
  TlsStream(const TlsStream&) = delete;
  TlsStream& operator=(const TlsStream&) = delete;

  /// The handshake; false if the client does not go through with it.
  bool accept();

  /// As SocketStream's.
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
