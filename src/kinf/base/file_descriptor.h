// SPDX-License-Identifier: Apache-2.0
// FileDescriptor: an open file, socket or event that closes itself.
#pragma once

#include <unistd.h>

#include <utility>

namespace kinf {

/// Threads: one owner.
class FileDescriptor {
 public:
  /// Takes ownership of `fd`. A negative number means that there is none.
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  ~FileDescriptor() { reset(); }
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) reset(std::exchange(other.fd_, -1));
    return *this;
  }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  /// Closes the current descriptor, if any, and takes ownership of `fd`.
  void reset(int fd = -1) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }

 private:
  int fd_;
};

}  // namespace kinf
