// SPDX-License-Identifier: Apache-2.0
// FileWriter: writes text to a file descriptor, without a buffer: callers hand over as much as is
// worth a system call.
#pragma once

#include <string_view>

#include "kinf/cli/exit_code.h"

namespace kinf {

/// Threads: one owner at a time. Blocks while the reader is slow.
class FileWriter {
 public:
  explicit FileWriter(int descriptor) : descriptor_(descriptor) {}

  /// Enlarges the pipe, if the descriptor is one, so that writer and reader wait less often.
  void widen() const;

  /// False once the reader has gone or writing has failed; later calls then do nothing.
  bool write(std::string_view text);
  /// The reader has gone (EPIPE), as with `| head`.
  bool reader_is_gone() const { return reader_is_gone_; }
  /// Why writing failed otherwise; an errno value, 0 if it did not.
  int failure() const { return failure_; }
  /// ok, or the code to exit with because writing failed.
  ExitCode exit_code() const;

 private:
  int descriptor_;
  bool reader_is_gone_ = false;
  int failure_ = 0;
};

/// Writes all of the text to stdout.
ExitCode write_stdout(std::string_view text);

}  // namespace kinf
