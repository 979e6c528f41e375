// SPDX-License-Identifier: Apache-2.0
// SocketStream: one accepted connection, as cpp-httplib reads and writes it. Only http_server.cc
// and its own source see this header, since it includes the library.
#pragma once

#include <httplib.h>

#include <string>

namespace kinf::sandbox {

/// Threads: one owner, except that wake_fd may be made readable by any thread, which ends every
/// wait.
class SocketStream final : public httplib::Stream {
 public:
  /// Borrows both descriptors.
  SocketStream(socket_t socket, int wake_fd) : socket_(socket), wake_fd_(wake_fd) {}

  /// Blocks until the client sends something; false if it went away, was silent for `seconds`, or
  /// the wait was ended.
  bool wait_for_request(int seconds) const;

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* ptr, size_t size) override;
  ssize_t write(const char* ptr, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

  /// For `events` of poll(); false in the end, or if the wait was ended.
  bool wait(short events, int milliseconds) const;

 private:
  socket_t socket_;
  int wake_fd_;
};

}  // namespace kinf::sandbox
