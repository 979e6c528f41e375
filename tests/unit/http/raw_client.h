// SPDX-License-Identifier: Apache-2.0
// RawClient: a TCP connection to 127.0.0.1 that sends and receives bytes as they are, for tests of
// what a server makes of them.
#pragma once

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <string>
#include <string_view>

#include "kinf/base/file_descriptor.h"

namespace kinf::test {

class RawClient {
 public:
  explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  }

  void send(std::string_view bytes) const {
    REQUIRE(::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(bytes.size()));
  }
  /// Receives until what came contains `mark`, or until the server closes.
  std::string receive_until(std::string_view mark) const {
    std::string received;
    std::array<char, 4096> buffer;
    while (received.find(mark) == std::string::npos) {
      const ssize_t size = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
      if (size <= 0) break;
      received.append(buffer.data(), static_cast<std::size_t>(size));
    }
    return received;
  }
  /// Receives until the server closes.
  std::string receive_all() const { return receive_until("\xff never sent \xff"); }
  void close() { socket_.reset(); }

 private:
  FileDescriptor socket_;
};

}  // namespace kinf::test
