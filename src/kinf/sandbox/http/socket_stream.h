// SPDX-License-Identifier: Apache-2.0
// SocketStream: an accepted connection as a stream of cpp-httplib. Only http_server.cc and
// tls_stream.h may include this header, because it includes the library.
#pragma once

#include <httplib.h>

#include <string>

namespace kinf::sandbox {

/// Threads: not thread-safe, except that any thread may make `wake_fd` readable, which ends all
/// waits.
class SocketStream final : public httplib::Stream {
 public:
  /// Does not take ownership of the descriptors.
  SocketStream(socket_t socket, int wake_fd) : socket_(socket), wake_fd_(wake_fd) {}

  /// Blocks until the client sends something. Returns false if the client disconnects, sends
  /// nothing for `seconds`, or `wake_fd` ends the wait.
  bool wait_for_request(int seconds) const;

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* ptr, size_t size) override;
  ssize_t write(const char* ptr, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

  /// Waits for poll() events. Returns false after `milliseconds`, or if `wake_fd` ends the wait.
  bool wait(short events, int milliseconds) const;

 private:
  socket_t socket_;
  int wake_fd_;
};

}  // namespace kinf::sandbox
