// SPDX-License-Identifier: Apache-2.0
// VersionCodec: compresses the text of a version with zstd, as a difference from an earlier version
// of the object. The zstd dictionary is a sample of texts of the object's type.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "kinf/base/error.h"
#include "kinf/base/limits.h"
#include "kinf/recording/text_delta.h"

struct ZSTD_CDict_s;
struct ZSTD_DDict_s;

namespace kinf {

/// A zstd dictionary: a sample text of a type, prepared to compress or to decompress other texts of
/// the type.
class CodecSample {
 public:
  enum class Use { encode, decode };

  CodecSample() = default;
  /// Throws std::bad_alloc if `text` cannot be used to encode.
  explicit CodecSample(std::string text, Use use = Use::encode);

  /// Returns the text of a sample that begins with statistics of `typical`: how often each byte,
  /// length and distance is in them. Then the versions need no statistics of their own, which would
  /// take a third of a small one. `content` is what versions can have in common with the sample;
  /// `typical` are such versions that are not in it. Returns `content` if they are too few.
  static std::string with_statistics(std::string content, std::span<const std::string> typical);

  const std::string& text() const { return text_; }

 private:
  friend class VersionCodec;
  struct Free {
    void operator()(ZSTD_CDict_s* prepared) const;
    void operator()(ZSTD_DDict_s* prepared) const;
  };
  std::string text_;
  std::unique_ptr<ZSTD_CDict_s, Free> encoder_;  ///< null if the text is empty or only for decode
  /// Null if the text is empty, damaged or only for encode.
  std::unique_ptr<ZSTD_DDict_s, Free> decoder_;
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
  /// The same for the content of a sample, which gets a checksum: decode() refuses it if it was
  /// changed. Versions have a checksum in their row.
  Result<std::string_view> encode_sample(std::string_view text);
  /// Returns the difference that the last encode() compressed, or that the last decode() applied.
  std::string_view delta() const { return delta_; }
  /// Sets `text` to the text that encode() compressed to `data`. The parameters must not be views
  /// of `text`. Errors: protocol, if the data is damaged or the text is larger than kLargest.
  Result<void> decode(std::string_view data, const CodecSample& sample, std::string_view before,
                      std::string& text);

  static constexpr std::size_t kLargest = limits::kVersionBytes;

 private:
  struct Contexts;  // keeps zstd out of the header
  Result<void> decompress(std::string_view data, const CodecSample& sample, std::string& text);

  std::unique_ptr<Contexts> contexts_;
  TextDelta differ_;
  std::string delta_;
  std::string buffer_;
};

}  // namespace kinf
