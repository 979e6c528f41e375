// SPDX-License-Identifier: Apache-2.0
// Descriptor: an open file descriptor, closed at the end of its life. Pipe: two of them.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace kinf {

/// Threads: one owner.
class Descriptor {
 public:
  Descriptor() = default;
  /// Owns `number` from now on; -1: none.
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  explicit operator bool() const { return number_ >= 0; }
  int get() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

/// Both ends are closed on exec. Neither is open if the system refused; errno says why.
struct Pipe {
  Descriptor read_end;
  Descriptor write_end;

  static Pipe open() {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
    return {Descriptor(ends[0]), Descriptor(ends[1])};
  }
  explicit operator bool() const { return static_cast<bool>(read_end); }
};

}  // namespace kinf
