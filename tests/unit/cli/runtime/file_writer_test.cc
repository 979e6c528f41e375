// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/runtime/file_writer.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>
#include <thread>

namespace kinf {
namespace {

/// Two connected descriptors. `ends[1]` is the write end.
struct Ends {
  explicit Ends(bool is_socket) {
    REQUIRE((is_socket ? ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data())
                       : ::pipe2(ends.data(), O_CLOEXEC)) == 0);
  }
  ~Ends() {
    for (const int end : ends) ::close(end);
  }
  std::array<int, 2> ends{};
};

TEST_CASE("a writer whose reader does not read gives up when the command is aborted") {
  for (const bool is_socket : {false, true}) {
    CAPTURE(is_socket);
    Ends ends(is_socket);
    ExitRequest exit_request;
    FileWriter writer(ends.ends[1], &exit_request);
    const std::string text(4 << 20, 'x');
    bool written = true;
    std::jthread thread([&] { written = writer.write(text); });
    exit_request.set(ExitCode::timed_out);
    thread.join();
    CHECK_FALSE(written);
    CHECK(writer.exit_code() == ExitCode::timed_out);
    CHECK_FALSE(writer.write("more"));
  }
}

TEST_CASE("a command that ends by itself waits until a slow reader has read everything") {
  Ends ends(false);
  ExitRequest exit_request;
  FileWriter writer(ends.ends[1], &exit_request);
  exit_request.set(ExitCode::ok);
  const std::string text(1 << 20, 'x');
  std::size_t size = 0;
  std::jthread reader([&] {
    std::array<char, 4096> buffer{};
    while (size < text.size()) {
      const ssize_t got = ::read(ends.ends[0], buffer.data(), buffer.size());
      if (got <= 0) break;
      size += static_cast<std::size_t>(got);
    }
  });
  CHECK(writer.write(text));
  reader.join();
  CHECK(size == text.size());
}

TEST_CASE("writing does not make the descriptor of other processes non-blocking") {
  Ends ends(false);
  ExitRequest exit_request;
  FileWriter writer(ends.ends[1], &exit_request);
  CHECK(writer.write("x"));
  CHECK((::fcntl(ends.ends[1], F_GETFL) & O_NONBLOCK) == 0);
}

}  // namespace
}  // namespace kinf
