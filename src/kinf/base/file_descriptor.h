// SPDX-License-Identifier: Apache-2.0
// FileDescriptor: an open file or socket that is closed when its owner ends.
#pragma once

#include <unistd.h>

#include <utility>

namespace kinf {

/// Threads: one owner.
class FileDescriptor {
 public:
  /// A negative number stands for "not open".
  explicit FileDescriptor(int number = -1) : number_(number) {}
  ~FileDescriptor() { reset(); }
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) reset(std::exchange(other.number_, -1));
    return *this;
  }

  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  /// Closes what is open and holds `number` from now on.
  void reset(int number = -1) {
    if (number_ >= 0) ::close(number_);
    number_ = number;
  }

 private:
  int number_;
};

}  // namespace kinf
