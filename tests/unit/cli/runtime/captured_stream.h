// SPDX-License-Identifier: Apache-2.0
// What code writes to file descriptors, read back: a pipe, and a stream of the process captured.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <string>

namespace kinf::test {

/// A pipe whose read end never blocks. Threads: one owner.
class TextPipe {
 public:
  TextPipe() {
    REQUIRE(::pipe2(ends_.data(), O_CLOEXEC) == 0);
    REQUIRE(::fcntl(ends_[0], F_SETFL, O_NONBLOCK) == 0);
  }
  ~TextPipe() {
    close_reader();
    ::close(ends_[1]);
  }
  TextPipe(const TextPipe&) = delete;
  TextPipe& operator=(const TextPipe&) = delete;

  int write_end() const { return ends_[1]; }
  /// Returns what was written since the last call.
  std::string read() {
    std::string text;
    std::array<char, 4096> buffer{};
    ssize_t size = 0;
    while ((size = ::read(ends_[0], buffer.data(), buffer.size())) > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(size));
    }
    return text;
  }
  void close_reader() {
    if (ends_[0] >= 0) ::close(ends_[0]);
    ends_[0] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

/// Returns what `run` writes to `descriptor`, such as STDERR_FILENO. `run` must not fail a check.
inline std::string captured(int descriptor, const std::function<void()>& run) {
  TextPipe pipe;
  const int kept = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  REQUIRE(kept >= 0);
  REQUIRE(::dup2(pipe.write_end(), descriptor) == descriptor);
  run();
  ::dup2(kept, descriptor);
  ::close(kept);
  return pipe.read();
}

}  // namespace kinf::test
