// SPDX-License-Identifier: Apache-2.0
// FileWriter: writes text to a file descriptor. It has no buffer, so callers should pass large
// texts.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>

#include "kinf/base/file_descriptor.h"
#include "kinf/base/visible_text.h"
#include "kinf/cli/runtime/exit_request.h"

namespace kinf {

/// Threads: one owner at a time.
class FileWriter {
 public:
  /// Without `exit_request`, write() blocks until the reader has read everything. With it, if the
  /// reader does not read, write() gives up shortly after stop is requested on
  /// ExitRequest::abort_token(). `exit_request` must outlive this object.
  explicit FileWriter(int descriptor, const ExitRequest* exit_request = nullptr);
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  /// Makes write() pass colour codes on to a terminal. Call it only if all colour codes in the text
  /// are kinf's own.
  void keep_colours() { colours_ = ColourCodes::keep; }

  /// Enlarges the buffer of a pipe, so that writer and reader block less often.
  void widen() const;

  /// Writes `text`. If the output is a terminal, writes visible_text() of `text`, so that no data
  /// can control the terminal. `text` must not begin or end inside a UTF-8 character. Blocks while
  /// the reader is slow. Returns false if the reader closed the pipe, a write failed, or write()
  /// gave up; later calls then do nothing.
  bool write(std::string_view text);
  /// Returns ok, or the exit code if write() returned false. The first call reports a write error.
  ExitCode exit_code();

 private:
  bool write_bytes(std::string_view text);
  bool is_writable() const { return !reader_is_gone_ && !given_up_ && failure_ == 0; }
  void wait_until_writable();

  const ExitRequest* const exit_request_;
  FileDescriptor own_;  ///< the output, opened again as non-blocking, if possible
  int descriptor_;
  const bool is_terminal_;
  ColourCodes colours_ = ColourCodes::escape;
  bool may_block_ = false;         ///< the output is a pipe or terminal, and is not in own_
  std::optional<WakeEvent> wake_;  ///< signalled on abort
  std::optional<std::stop_callback<std::function<void()>>> on_abort_;
  int waits_after_abort_ = 0;
  bool reader_is_gone_ = false;
  bool given_up_ = false;
  int failure_ = 0;  ///< errno of the failed write; 0 if none has failed
  bool reported_ = false;
};

/// Opens the standard streams that are closed, so that no other file gets their descriptor numbers.
/// Reads and writes on them still fail. Call it before any file is opened.
void open_standard_streams();

/// Writes `text` to stdout. Returns FileWriter::exit_code().
ExitCode write_stdout(std::string_view text, const ExitRequest* exit_request = nullptr,
                      ColourCodes colours = ColourCodes::escape);

}  // namespace kinf
