// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/version_codec.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <new>

namespace kinf {
namespace {

/// The fastest compression level of zstd that finds all matches in a sample.
constexpr int kLevel = 5;
constexpr int kLargestWindowLog = 28;  // 256 MiB
/// Each zstd frame begins with these bytes. They are not stored.
constexpr std::string_view kFrameMagic{"\x28\xb5\x2f\xfd"};

Error damaged(std::size_t code) {
  return {ErrorKind::protocol, fmt::format("a version is damaged: {}", ZSTD_getErrorName(code))};
}

}  // namespace

void CodecSample::Free::operator()(ZSTD_CDict_s* prepared) const { ZSTD_freeCDict(prepared); }

CodecSample::CodecSample(std::string text) : text_(std::move(text)) {
  if (text_.empty()) return;
  prepared_.reset(ZSTD_createCDict(text_.data(), text_.size(), kLevel));
  if (!prepared_) throw std::bad_alloc();
}

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
  ZSTD_CCtx_setParameter(contexts_->compress.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_DCtx_setParameter(contexts_->decompress.get(), ZSTD_d_windowLogMax, kLargestWindowLog);
}

VersionCodec::~VersionCodec() = default;

Result<std::string_view> VersionCodec::encode(std::string_view text, const CodecSample& sample,
                                              std::string_view before) {
  if (!before.empty()) {
    differ_.make(before, text, delta_);
    text = delta_;
  }
  ZSTD_CCtx* const context = contexts_->compress.get();
  ZSTD_CCtx_refCDict(context, sample.prepared_.get());
  buffer_.resize(std::max(buffer_.size(), ZSTD_compressBound(text.size())));
  const std::size_t size =
      ZSTD_compress2(context, buffer_.data(), buffer_.size(), text.data(), text.size());
  if (ZSTD_isError(size) != 0) {
    return fail(ErrorKind::internal, "cannot compress a version: {}", ZSTD_getErrorName(size));
  }
  return std::string_view(buffer_).substr(kFrameMagic.size(), size - kFrameMagic.size());
}

Result<void> VersionCodec::decode(std::string_view data, std::string_view sample,
                                  std::string_view before, std::string& text) {
  if (before.empty()) return decompress(data, sample, text);
  if (Result<void> done = decompress(data, sample, delta_); !done) return done;
  return TextDelta::apply(before, delta_, kLargest, text);
}

Result<void> VersionCodec::decompress(std::string_view data, std::string_view sample,
                                      std::string& text) {
  buffer_.assign(kFrameMagic).append(data);
  const unsigned long long size = ZSTD_getFrameContentSize(buffer_.data(), buffer_.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kLargest) {
    return fail(ErrorKind::protocol, "a version is damaged: it has no valid size");
  }
  std::size_t written = 0;
  // Unlike resize(), resize_and_overwrite() does not fill the new bytes with zeros first.
  text.resize_and_overwrite(size, [&](char* bytes, std::size_t whole) {
    // Unlike ZSTD_DCtx_refPrefix(), ZSTD_decompress_usingDict() does not allocate.
    written = ZSTD_decompress_usingDict(contexts_->decompress.get(), bytes, whole, buffer_.data(),
                                        buffer_.size(), sample.data(), sample.size());
    return ZSTD_isError(written) != 0 ? std::size_t{0} : written;
  });
  if (ZSTD_isError(written) != 0) return fail(damaged(written));
  if (written != size) return fail(ErrorKind::protocol, "a version is damaged: it is too short");
  return {};
}

}  // namespace kinf
