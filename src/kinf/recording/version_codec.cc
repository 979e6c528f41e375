// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/version_codec.h"

#include <fmt/format.h>
#include <zdict.h>
#include <zstd.h>

#include <algorithm>
#include <new>
#include <vector>

namespace kinf {
namespace {

/// The fastest compression level of zstd that finds all matches in a sample.
constexpr int kLevel = 5;
/// Statistics of fewer versions than this are not used.
constexpr std::size_t kFewestTypical = 8;
/// The most bytes that statistics take in a sample.
constexpr std::size_t kStatisticsBytes = 1024;
constexpr unsigned kDictionaryId = 1;  // not stored with the versions
constexpr int kLargestWindowLog = 28;  // 256 MiB
/// Each zstd frame begins with these bytes. They are not stored.
constexpr std::string_view kFrameMagic{"\x28\xb5\x2f\xfd"};

Error damaged(std::size_t code) { return {ErrorKind::protocol, ZSTD_getErrorName(code)}; }

}  // namespace

void CodecSample::Free::operator()(ZSTD_CDict_s* prepared) const { ZSTD_freeCDict(prepared); }
void CodecSample::Free::operator()(ZSTD_DDict_s* prepared) const { ZSTD_freeDDict(prepared); }

CodecSample::CodecSample(std::string text, Use use) : text_(std::move(text)) {
  if (text_.empty()) return;
  if (use == Use::decode) {
    decoder_.reset(ZSTD_createDDict(text_.data(), text_.size()));
    return;
  }
  encoder_.reset(ZSTD_createCDict(text_.data(), text_.size(), kLevel));
  if (!encoder_) throw std::bad_alloc();
}

std::string CodecSample::with_statistics(std::string content,
                                         std::span<const std::string> typical) {
  std::string all;
  std::vector<std::size_t> sizes;
  for (const std::string& one : typical) {
    if (one.empty()) continue;
    all += one;
    sizes.push_back(one.size());
  }
  if (sizes.size() < kFewestTypical) return content;
  std::string text(content.size() + kStatisticsBytes, '\0');
  const std::size_t size = ZDICT_finalizeDictionary(
      text.data(), text.size(), content.data(), content.size(), all.data(), sizes.data(),
      static_cast<unsigned>(sizes.size()), {kLevel, 0, kDictionaryId});
  if (ZDICT_isError(size) != 0) return content;
  text.resize(size);
  return text;
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
  ZSTD_CCtx_setParameter(contexts_->compress.get(), ZSTD_c_dictIDFlag, 0);
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
  ZSTD_CCtx_refCDict(context, sample.encoder_.get());
  buffer_.resize(std::max(buffer_.size(), ZSTD_compressBound(text.size())));
  const std::size_t size =
      ZSTD_compress2(context, buffer_.data(), buffer_.size(), text.data(), text.size());
  if (ZSTD_isError(size) != 0) {
    return fail(ErrorKind::internal, "cannot compress a version: {}", ZSTD_getErrorName(size));
  }
  return std::string_view(buffer_).substr(kFrameMagic.size(), size - kFrameMagic.size());
}

Result<std::string_view> VersionCodec::encode_sample(std::string_view text) {
  ZSTD_CCtx_setParameter(contexts_->compress.get(), ZSTD_c_checksumFlag, 1);
  const Result<std::string_view> data = encode(text, {}, {});
  ZSTD_CCtx_setParameter(contexts_->compress.get(), ZSTD_c_checksumFlag, 0);
  return data;
}

Result<void> VersionCodec::decode(std::string_view data, const CodecSample& sample,
                                  std::string_view before, std::string& text) {
  if (before.empty()) return decompress(data, sample, text);
  if (Result<void> done = decompress(data, sample, delta_); !done) return done;
  return TextDelta::apply(before, delta_, kLargest, text);
}

Result<void> VersionCodec::decompress(std::string_view data, const CodecSample& sample,
                                      std::string& text) {
  buffer_.assign(kFrameMagic).append(data);
  const unsigned long long size = ZSTD_getFrameContentSize(buffer_.data(), buffer_.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kLargest) {
    return fail(ErrorKind::protocol, "its text has no valid size");
  }
  std::size_t written = 0;
  // Unlike resize(), resize_and_overwrite() does not fill the new bytes with zeros first.
  text.resize_and_overwrite(size, [&](char* bytes, std::size_t whole) {
    // Unlike ZSTD_DCtx_refPrefix(), these functions do not allocate.
    ZSTD_DCtx* const context = contexts_->decompress.get();
    written = sample.decoder_
                  ? ZSTD_decompress_usingDDict(context, bytes, whole, buffer_.data(),
                                               buffer_.size(), sample.decoder_.get())
                  : ZSTD_decompress_usingDict(context, bytes, whole, buffer_.data(), buffer_.size(),
                                              sample.text_.data(), sample.text_.size());
    return ZSTD_isError(written) != 0 ? std::size_t{0} : written;
  });
  if (ZSTD_isError(written) != 0) return fail(damaged(written));
  if (written != size) return fail(ErrorKind::protocol, "its text is too short");
  return {};
}

}  // namespace kinf
