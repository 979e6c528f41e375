// SPDX-License-Identifier: Apache-2.0
// ClientStream: the bytes of an accepted connection, with or without TLS.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace kinf::sandbox {

/// Threads: one at a time.
class ClientStream {
 public:
  virtual ~ClientStream() = default;
  /// Blocks until the client sends something. Returns false if the client disconnects, sends
  /// nothing for `seconds`, or the server stops.
  virtual bool wait_for_request(int seconds) = 0;
  /// Receives at least one byte. Returns 0 or less if the client disconnects or sends nothing for
  /// 10 s, or the server stops.
  virtual ssize_t read(char* ptr, std::size_t size) = 0;
  /// Sends at least one byte. Returns a negative number if the client disconnects or receives
  /// nothing for 10 s, or the server stops.
  virtual ssize_t write(const char* ptr, std::size_t size) = 0;
  /// Returns false if the client has disconnected. Does not wait.
  virtual bool is_open() const = 0;
};

}  // namespace kinf::sandbox
