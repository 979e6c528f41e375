// SPDX-License-Identifier: Apache-2.0
// StreamReader: reads the items of a stream of JSON one after the other, can look one item ahead,
// and finds the types of the items.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/base/file_descriptor.h"
#include "kinf/recording/play/stream_decoder.h"
#include "kinf/recording/recording_schema.h"

namespace kinf {

/// The bytes of a file, a pipe or standard input.
/// Threads: one owner. Any thread may request stop.
class StreamInput {
 public:
  enum class Got {
    bytes,
    nothing,  ///< nothing arrived in time, or stop was requested
    end,
  };

  virtual ~StreamInput() = default;
  /// Replaces `bytes` with the next bytes. Waits for them until `patience` is over (nullopt means
  /// no limit), or until stop is requested. Errors: internal.
  virtual Result<Got> read(std::string& bytes, std::optional<Clock::Duration> patience,
                           const std::stop_token& stop) = 0;
  /// Goes back to the first byte. Returns false if that is impossible, as in a pipe.
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
  /// Waits until the file is readable, `patience` is over, or stop is requested. Returns whether
  /// the file is readable.
  Result<bool> wait(std::optional<Clock::Duration> patience, const std::stop_token& stop);

  const FileDescriptor file_;
  const WakeEvent wake_;  ///< signalled on stop
  const std::string name_;
  const std::int64_t start_;  ///< the offset of the first byte; negative if rewind() cannot work
};

/// Returns whether kinf reads `path` as a stream of JSON: standard input, a pipe, or a file that
/// begins with `{`. Returns false if the file cannot be read.
bool is_json_stream(const std::string& path);

/// Threads: one owner. Any thread may request stop.
class StreamReader {
 public:
  explicit StreamReader(std::unique_ptr<StreamInput> input) : input_(std::move(input)) {}

  /// Returns the next item without removing it. Returns null at the end, if nothing arrives within
  /// `patience` (nullopt means no limit), or if stop is requested. Errors: internal; protocol, with
  /// the line. After an error, every call returns the same error.
  Result<const StreamItem*> peek(std::optional<Clock::Duration> patience,
                                 const std::stop_token& stop);
  /// Removes and returns the item of the last peek().
  StreamItem take();
  bool has_ended() const { return has_ended_; }

  /// Returns the types of the items. Reads the whole input if it is a file. Otherwise reads only
  /// the first items, and waits until the first one arrives or stop is requested. Call it before
  /// the first peek(). Errors: internal.
  Result<std::vector<RecordedType>> types(const std::stop_token& stop);

 private:
  /// Reads bytes once. Returns false if nothing arrived in time, and at the end.
  Result<bool> read(std::optional<Clock::Duration> patience, const std::stop_token& stop);
  /// Notes the types of the items that have arrived. Also moves the items to ahead_ if `keep`.
  void collect(bool keep);
  void note_type(const StreamItem& item);

  const std::unique_ptr<StreamInput> input_;
  std::optional<StreamDecoder> decoder_{std::in_place};
  std::string bytes_;
  std::deque<StreamItem> ahead_;
  std::optional<Error> error_;  ///< the error to return after the items of ahead_
  bool has_ended_ = false;
  std::size_t ahead_bytes_ = 0;
  std::vector<RecordedType> types_;
};

/// Returns the resource name for a kind, by the rules that fit most types: `ingresses` for
/// `Ingress`.
std::string plural_of(std::string_view kind);

}  // namespace kinf
