// SPDX-License-Identifier: Apache-2.0
// StreamInput: the bytes of a file, a pipe or standard input.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/base/file_descriptor.h"

namespace kinf {

/// Threads: one owner. Any thread may request stop.
class StreamInput {
 public:
  enum class Got {
    bytes,
    nothing,  ///< nothing arrived in time, or stop was requested
    end,
  };

  virtual ~StreamInput() = default;
  /// Replaces `bytes` by the next ones. Waits for them until `patience` (nullopt: no limit) is over
  /// or stop is requested. Errors: internal.
  virtual Result<Got> read(std::string& bytes, std::optional<Clock::Duration> patience,
                           const std::stop_token& stop) = 0;
  /// Goes back to the first byte. Returns false if that is impossible.
  virtual bool rewind() = 0;
};

/// A file or a pipe.
class FileInput final : public StreamInput {
 public:
  /// Opens `path`; `-` is standard input. Errors: not_found; internal.
  static Result<std::unique_ptr<StreamInput>> open(const std::string& path);
  /// Reads `file`, which is called `name` in messages.
  FileInput(FileDescriptor file, std::string name);

  Result<Got> read(std::string& bytes, std::optional<Clock::Duration> patience,
                   const std::stop_token& stop) override;
  bool rewind() override;

 private:
  Error system_error() const;
  /// Returns true if read() would not block.
  Result<bool> wait(std::optional<Clock::Duration> patience, const std::stop_token& stop);

  const FileDescriptor file_;
  const WakeEvent wake_;  ///< signalled on stop
  const std::string name_;
  const std::int64_t start_;  ///< negative: cannot go back
};

/// Returns true if `path` is to be read as JSON: standard input, a pipe, or a file that begins with
/// `{`. Returns false if it cannot be read.
bool is_json_stream(const std::string& path);

}  // namespace kinf
