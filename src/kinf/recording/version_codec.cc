// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/version_codec.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <new>

namespace kinf {
namespace {

/// An update of a pod takes 12% less than at level 3.
constexpr int kLevel = 6;
/// Tables and searches for texts of a few kilobytes and their prefix: those of the level take more
/// time to clear than to use.
constexpr int kTableLog = 14;
constexpr int kSearchLog = 3;
constexpr int kLargeTextLevel = 3;
constexpr std::size_t kLargeText = 64 * 1024;
constexpr int kSmallestWindowLog = 12;
constexpr int kLargestWindowLog = 28;  // 256 MiB: two texts of kLargest
/// Each zstd frame begins with these bytes. They are not stored.
constexpr std::string_view kFrameMagic{"\x28\xb5\x2f\xfd"};

Error damaged(std::size_t code) {
  return {ErrorKind::protocol, fmt::format("a version is damaged: {}", ZSTD_getErrorName(code))};
}

}  // namespace

struct VersionCodec::Contexts {
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_CCtx, Free> compress{ZSTD_createCCtx()};
  std::unique_ptr<ZSTD_DCtx, Free> decompress{ZSTD_createDCtx()};
};

VersionCodec::VersionCodec() : contexts_(std::make_unique<Contexts>()) {
  if (!contexts_->compress || !contexts_->decompress) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(contexts_->compress.get(), ZSTD_c_checksumFlag, 0);
  ZSTD_DCtx_setParameter(contexts_->decompress.get(), ZSTD_d_windowLogMax, kLargestWindowLog);
}

VersionCodec::~VersionCodec() = default;

std::string_view VersionCodec::prefix(std::string_view sample, std::string_view before) {
  if (sample.empty()) return before;
  if (before.empty()) return sample;
  prefix_.assign(sample).append(before);
  return prefix_;
}

Result<std::string_view> VersionCodec::encode(std::string_view text, std::string_view sample,
                                              std::string_view before) {
  ZSTD_CCtx* const context = contexts_->compress.get();
  const std::string_view known = prefix(sample, before);
  // The window must reach back to the start of the prefix.
  const int window_log = static_cast<int>(std::bit_width(text.size() + known.size()));
  // The tables of these levels are too small to find all matches in a large text.
  const bool is_large = text.size() > kLargeText;
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, is_large ? kLargeTextLevel : kLevel);
  // 0: what the level has
  ZSTD_CCtx_setParameter(context, ZSTD_c_hashLog, is_large ? 0 : kTableLog);
  ZSTD_CCtx_setParameter(context, ZSTD_c_chainLog, is_large ? 0 : kTableLog);
  ZSTD_CCtx_setParameter(context, ZSTD_c_searchLog, is_large ? 0 : kSearchLog);
  ZSTD_CCtx_setParameter(context, ZSTD_c_enableLongDistanceMatching, is_large ? 1 : 0);
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog,
                         std::clamp(window_log, kSmallestWindowLog, kLargestWindowLog));
  if (!known.empty()) ZSTD_CCtx_refPrefix(context, known.data(), known.size());
  buffer_.resize(std::max(buffer_.size(), ZSTD_compressBound(text.size())));
  const std::size_t size =
      ZSTD_compress2(context, buffer_.data(), buffer_.size(), text.data(), text.size());
  if (ZSTD_isError(size) != 0) {
    return fail(ErrorKind::internal,
                fmt::format("cannot compress a version: {}", ZSTD_getErrorName(size)));
  }
  return std::string_view(buffer_).substr(kFrameMagic.size(), size - kFrameMagic.size());
}

Result<void> VersionCodec::decode(std::string_view data, std::string_view sample,
                                  std::string_view before, std::string& text) {
  text.clear();
  return append(data, prefix(sample, before), text);
}

Result<void> VersionCodec::append(std::string_view data, std::string_view known,
                                  std::string& text) {
  buffer_.assign(kFrameMagic).append(data);
  const unsigned long long size = ZSTD_getFrameContentSize(buffer_.data(), buffer_.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kLargest) {
    return fail(ErrorKind::protocol, "a version is damaged: it has no valid size");
  }
  const std::size_t begin = text.size();
  std::size_t written = 0;
  // Does not fill the new bytes with zeros first, as resize() does.
  text.resize_and_overwrite(begin + size, [&](char* bytes, std::size_t whole) {
    // Unlike ZSTD_DCtx_refPrefix(), this does not allocate.
    written = ZSTD_decompress_usingDict(contexts_->decompress.get(), bytes + begin, whole - begin,
                                        buffer_.data(), buffer_.size(), known.data(), known.size());
    return ZSTD_isError(written) != 0 ? begin : begin + written;
  });
  if (ZSTD_isError(written) != 0) return std::unexpected(damaged(written));
  if (written != size) return fail(ErrorKind::protocol, "a version is damaged: it is too short");
  return {};
}

}  // namespace kinf
