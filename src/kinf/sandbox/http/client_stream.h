// SPDX-License-Identifier: Apache-2.0
// ClientStream: the bytes of an accepted connection, with or without TLS. Never waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kinf::sandbox {

/// What a read or a write did. If both members are 0, the connection has ended or is broken.
struct Transfer {
  std::size_t bytes = 0;        ///< received or sent
  std::uint32_t waits_for = 0;  ///< if it must wait: the poll() events to wait for
};

/// Threads: one at a time.
class ClientStream {
 public:
  virtual ~ClientStream() = default;
  virtual Transfer read(char* into, std::size_t size) = 0;
  /// `bytes` must not be empty.
  virtual Transfer write(std::string_view bytes) = 0;
};

}  // namespace kinf::sandbox
