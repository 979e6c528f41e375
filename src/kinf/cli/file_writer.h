// SPDX-License-Identifier: Apache-2.0
// FileWriter: writes text to a file descriptor, without a buffer: callers hand over as much as is
// worth a system call.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>

#include "kinf/base/file_descriptor.h"
#include "kinf/cli/exit_request.h"

namespace kinf {

/// Threads: one owner at a time.
class FileWriter {
 public:
  /// Without `exit_request`, write() waits for the reader as long as it takes. With it, write()
  /// gives up a moment after ExitRequest::abort_token() is stopped, even if nobody reads.
  /// `exit_request` must outlive this.
  explicit FileWriter(int descriptor, const ExitRequest* exit_request = nullptr);
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  /// Enlarges the pipe, if the descriptor is one, so that writer and reader wait less often.
  void widen() const;

  /// Blocks while the reader is slow. False once the reader has gone, writing has failed or was
  /// given up; later calls then do nothing.
  bool write(std::string_view text);
  /// ok, or the code to exit with because write() returned false. Reports a failure the first time.
  ExitCode exit_code();

 private:
  bool is_writable() const { return !reader_is_gone_ && !given_up_ && failure_ == 0; }
  void wait_until_writable();

  const ExitRequest* const exit_request_;
  FileDescriptor own_;  ///< the same file opened again, not to block in write()
  int descriptor_;
  bool may_block_ = false;  ///< and own_ could not be opened
  FileDescriptor wake_;     ///< eventfd: readable after abort
  std::optional<std::stop_callback<std::function<void()>>> on_abort_;
  int waits_after_abort_ = 0;
  bool reader_is_gone_ = false;
  bool given_up_ = false;
  int failure_ = 0;  ///< errno
  bool reported_ = false;
};

/// Opens closed standard streams, so that no other file gets their numbers. Reading or writing them
/// still fails. Call it first of all.
void open_standard_streams();

/// Writes all of the text to stdout.
ExitCode write_stdout(std::string_view text, const ExitRequest* exit_request = nullptr);

}  // namespace kinf
