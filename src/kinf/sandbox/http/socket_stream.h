// SPDX-License-Identifier: Apache-2.0
// SocketStream: an accepted connection without TLS.
#pragma once

#include "kinf/sandbox/http/client_stream.h"

namespace kinf::sandbox {

/// Threads: not thread-safe, except that any thread may make `wake_fd` readable, which ends all
/// waits.
class SocketStream final : public ClientStream {
 public:
  /// Does not take ownership of the descriptors.
  SocketStream(int socket, int wake_fd) : socket_(socket), wake_fd_(wake_fd) {}

  bool wait_for_request(int seconds) override;
  ssize_t read(char* ptr, std::size_t size) override;
  ssize_t write(const char* ptr, std::size_t size) override;
  bool is_open() const override;
  int socket() const { return socket_; }

  /// Waits for poll() events. Returns false after `milliseconds`, or if `wake_fd` ends the wait.
  bool wait(short events, int milliseconds) const;

 private:
  int socket_;
  int wake_fd_;
};

}  // namespace kinf::sandbox
