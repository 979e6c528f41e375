// SPDX-License-Identifier: Apache-2.0
// Pipe: both ends of a pipe. The destructor closes them.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <array>

#include "kinf/base/descriptor_flags.h"
#include "kinf/base/file_descriptor.h"

namespace kinf {

/// Threads: one owner.
struct Pipe {
  FileDescriptor read_end;
  FileDescriptor write_end;

  /// Opens a pipe whose ends are closed on exec. On failure neither end is open and errno is set.
  static Pipe open() {
    std::array<int, 2> ends{-1, -1};
#if defined(__APPLE__)
    if (::pipe(ends.data()) != 0) return Pipe();
    for (const int end : ends) set_close_on_exec(end);
#else
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return Pipe();
#endif
    return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
  }
  bool is_open() const { return read_end.is_open(); }
};

}  // namespace kinf
