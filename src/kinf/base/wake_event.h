// SPDX-License-Identifier: Apache-2.0
// WakeEvent: a descriptor for poll() that others make readable, to end the wait.
#pragma once

#include <unistd.h>

#include <array>

#include "kinf/base/descriptor_flags.h"
#include "kinf/base/pipe.h"

namespace kinf {

/// Threads: any. signal() may also be called from a signal handler.
class WakeEvent {
 public:
  WakeEvent() {
    if (pipe_.is_open()) {
      set_non_blocking(pipe_.read_end.get());
      set_non_blocking(pipe_.write_end.get());
    }
  }

  /// Returns the descriptor to wait for with POLLIN. It is -1 if the system had none left; then
  /// poll() ignores it.
  int descriptor() const { return pipe_.read_end.get(); }
  /// Makes the descriptor readable until clear(). Never blocks: if the pipe is full, it is
  /// readable.
  void signal() const {
    const char byte = 0;
    (void)!::write(pipe_.write_end.get(), &byte, 1);
  }
  /// Forgets all signals so far. Never blocks.
  void clear() const {
    std::array<char, 64> bytes;
    while (::read(pipe_.read_end.get(), bytes.data(), bytes.size()) > 0) {
    }
  }

 private:
  const Pipe pipe_ = Pipe::open();
};

}  // namespace kinf
