// SPDX-License-Identifier: Apache-2.0
// StreamReader: reads the items of a stream of JSON one after the other, with one item ahead, and
// finds out which types it holds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kinf/recording/recorded_type.h"
#include "kinf/recording/stream_decoder.h"
#include "kinf/recording/stream_input.h"

namespace kinf {

/// Threads: one owner. Any thread may request stop.
class StreamReader {
 public:
  explicit StreamReader(std::unique_ptr<StreamInput> input) : input_(std::move(input)) {}

  /// Returns the next item without taking it. Returns null at the end, if nothing arrives within
  /// `patience` (nullopt: no limit), or if stop is requested. Errors: internal; protocol, with the
  /// line. Every later call returns the same error.
  Result<const StreamItem*> peek(std::optional<Clock::Duration> patience,
                                 const std::stop_token& stop);
  /// Returns the item of the last peek().
  StreamItem take();
  bool has_ended() const { return has_ended_; }

  /// Returns the types of the input: of all of it if it is a file, else of its first objects. Then
  /// it waits for the first one, or until `stop`. Call before the first peek(). Errors: internal.
  Result<std::vector<RecordedType>> types(const std::stop_token& stop);

 private:
  /// Reads once. Returns false if nothing arrived in time, and at the end.
  Result<bool> read(std::optional<Clock::Duration> patience, const std::stop_token& stop);
  /// Moves the items that have arrived to `ahead_`, or only notes their types.
  void collect(bool keep);
  void note_type(const StreamItem& item);

  const std::unique_ptr<StreamInput> input_;
  std::optional<StreamDecoder> decoder_{std::in_place};
  std::string bytes_;
  std::deque<StreamItem> ahead_;
  std::optional<Error> error_;  ///< comes after the items of `ahead_`
  bool has_ended_ = false;
  std::size_t ahead_bytes_ = 0;
  std::vector<RecordedType> types_;
};

/// Returns the resource name that belongs to a kind, as Kubernetes derives it for most types:
/// `Ingress` is `ingresses`.
std::string plural_of(std::string_view kind);

}  // namespace kinf
