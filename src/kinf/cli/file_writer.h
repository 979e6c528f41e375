// SPDX-License-Identifier: Apache-2.0
// FileWriter: text to a file descriptor, whole or not at all. Buffers nothing: callers hand over
// as much as is worth a system call.
#pragma once

#include <string_view>

#include "kinf/base/error.h"

namespace kinf {

/// Threads: one owner at a time. Blocks while the reader is slow.
class FileWriter {
 public:
  explicit FileWriter(int descriptor) : descriptor_(descriptor) {}

  /// Asks for a larger pipe, if it is one: writer and reader then wait for each other less often.
  void widen() const;

  /// False once nobody reads any more, or the disk is full; then later calls do nothing.
  bool write(std::string_view text);
  /// The reader has gone (EPIPE), as with `| head`.
  bool reader_is_gone() const { return reader_is_gone_; }
  /// Why writing failed otherwise; an errno value, 0 if it did not.
  int failure() const { return failure_; }

 private:
  int descriptor_;
  bool reader_is_gone_ = false;
  int failure_ = 0;
};

}  // namespace kinf
