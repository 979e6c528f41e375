// SPDX-License-Identifier: Apache-2.0
// VersionCodec: compresses a version of an object against a sample of its type and an earlier
// version (zstd, with both as prefix).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "kinf/base/error.h"

namespace kinf {

/// Threads: one owner. It reuses its buffers.
class VersionCodec {
 public:
  VersionCodec();
  ~VersionCodec();
  VersionCodec(const VersionCodec&) = delete;
  VersionCodec& operator=(const VersionCodec&) = delete;

  /// Returns `text` compressed. decode() needs the same `sample` and `before`, which may be empty.
  /// The result is valid until the next call. Errors: internal (no memory).
  Result<std::string_view> encode(std::string_view text, std::string_view sample,
                                  std::string_view before);
  /// Sets `text` to the version that encode() got. `before` must not be a view of `text`. Errors:
  /// protocol, if the data is damaged or larger than kLargest.
  Result<void> decode(std::string_view data, std::string_view sample, std::string_view before,
                      std::string& text);
  /// Appends the version that encode() got to `text`. `known` is the sample followed by the text
  /// before, and no view of `text`. Errors: those of decode().
  Result<void> append(std::string_view data, std::string_view known, std::string& text);

  static constexpr std::size_t kLargest = std::size_t{128} << 20;

 private:
  struct Contexts;  // keeps zstd out of the header
  /// Returns `sample` and `before` in one piece.
  std::string_view prefix(std::string_view sample, std::string_view before);

  std::unique_ptr<Contexts> contexts_;
  std::string buffer_;
  std::string prefix_;
};

}  // namespace kinf
