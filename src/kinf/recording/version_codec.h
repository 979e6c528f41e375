// SPDX-License-Identifier: Apache-2.0
// VersionCodec: compresses the text of a version with zstd, as a difference from an earlier version
// of the object. The zstd dictionary is a sample of texts of the object's type.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "kinf/base/error.h"
#include "kinf/base/limits.h"
#include "kinf/recording/text_delta.h"

struct ZSTD_CDict_s;

namespace kinf {

/// A zstd dictionary: a sample text of a type, prepared to compress other texts of the type.
class CodecSample {
 public:
  CodecSample() = default;
  /// Throws std::bad_alloc.
  explicit CodecSample(std::string text);

  const std::string& text() const { return text_; }

 private:
  friend class VersionCodec;
  struct Free {
    void operator()(ZSTD_CDict_s* prepared) const;
  };
  std::string text_;
  std::unique_ptr<ZSTD_CDict_s, Free> prepared_;  ///< null if the text is empty
};

/// Threads: one owner. A VersionCodec reuses its buffers.
class VersionCodec {
 public:
  VersionCodec();
  ~VersionCodec();
  VersionCodec(const VersionCodec&) = delete;
  VersionCodec& operator=(const VersionCodec&) = delete;

  /// Compresses `text` as a difference from `before`, or as a whole if `before` is empty. decode()
  /// needs the text of `sample` and the same `before`. The result is valid until the next call.
  /// Errors: internal (no memory).
  Result<std::string_view> encode(std::string_view text, const CodecSample& sample,
                                  std::string_view before);
  /// Returns the difference that the last encode() compressed.
  std::string_view delta() const { return delta_; }
  /// Sets `text` to the text that encode() compressed to `data`. The parameters must not be views
  /// of `text`. Errors: protocol, if the data is damaged or the text is larger than kLargest.
  Result<void> decode(std::string_view data, std::string_view sample, std::string_view before,
                      std::string& text);

  static constexpr std::size_t kLargest = limits::kVersionBytes;

 private:
  struct Contexts;  // keeps zstd out of the header
  Result<void> decompress(std::string_view data, std::string_view sample, std::string& text);

  std::unique_ptr<Contexts> contexts_;
  TextDelta differ_;
  std::string delta_;
  std::string buffer_;
};

}  // namespace kinf
