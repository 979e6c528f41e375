// SPDX-License-Identifier: Apache-2.0
// A version in a recording is read as the text that was written; damaged bytes give an error.
#include <algorithm>
#include <cstdint>
#include <string>

#include "fuzz/properties.h"
#include "kinf/recording/version_codec.h"

namespace kinf::fuzz {
namespace {

constexpr std::size_t kMost = std::size_t{1} << 20;

void check_round_trip(std::string_view before, std::string_view text) {
  static VersionCodec codec;
  static const CodecSample sample(
      "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":");
  const auto encoded = codec.encode(text, sample, before);
  demand(encoded.has_value());
  const std::string bytes(*encoded);
  std::string again;
  demand(codec.decode(bytes, sample, before, again).has_value() && again == text);
}

void check_damaged(std::string_view before, std::string_view bytes) {
  std::string text;
  const auto applied = TextDelta::apply(before, bytes, kMost, text);
  demand(applied ? text.size() <= kMost : applied.error().kind == ErrorKind::protocol);
  static VersionCodec codec;
  const auto decoded = codec.decode(bytes, {}, before, text);
  demand(decoded ? text.size() <= VersionCodec::kLargest
                 : decoded.error().kind == ErrorKind::protocol);
}

}  // namespace
}  // namespace kinf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto line = text.substr(0, text.find('\n'));
  const auto rest = text.substr(std::min(text.size(), line.size() + 1));
  kinf::fuzz::check_round_trip(line, rest);
  kinf::fuzz::check_damaged(line, rest);
  return 0;
}
