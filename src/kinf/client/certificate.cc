// SPDX-License-Identifier: Apache-2.0
// Reads when a client certificate expires. Reads only the few bytes of DER (X.690) that this takes,
// so that the library does not need OpenSSL.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "kinf/base/base64.h"
#include "kinf/base/timestamp.h"
#include "kinf/client/credentials.h"

namespace kinf {
namespace {

// Tags of X.690.
constexpr unsigned char kInteger = 0x02;
constexpr unsigned char kUtcTime = 0x17;          // YYMMDDhhmmssZ
constexpr unsigned char kGeneralizedTime = 0x18;  // YYYYMMDDhhmmssZ
constexpr unsigned char kSequence = 0x30;
constexpr unsigned char kVersion = 0xa0;

struct DerValue {
  unsigned char tag = 0;
  std::string_view content;
};

/// Removes the first value from `rest`. Returns nullopt if it is incomplete.
std::optional<DerValue> take_value(std::string_view& rest) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  if (rest.size() < 2) return std::nullopt;
  std::size_t head = 2;
  std::size_t length = byte(1);
  if (length >= 0x80) {
    const std::size_t bytes = length & 0x7f;
    if (bytes == 0 || bytes > 4 || rest.size() < head + bytes) return std::nullopt;
    length = 0;
    for (std::size_t i = 0; i < bytes; ++i) length = length << 8 | byte(head + i);
    head += bytes;
  }
  if (rest.size() - head < length) return std::nullopt;
  const DerValue value{byte(0), rest.substr(head, length)};
  rest.remove_prefix(head + length);
  return value;
}

/// Removes the first value. Returns its content, or nullopt if it has another tag.
std::optional<std::string_view> take(std::string_view& rest, unsigned char tag) {
  const std::optional<DerValue> value = take_value(rest);
  if (!value || value->tag != tag) return std::nullopt;
  return value->content;
}

std::optional<Clock::Wall> time_of(const DerValue& value) {
  std::string digits(value.content);
  if (value.tag == kUtcTime) {
    digits.insert(0, digits >= "50" ? "19" : "20");
  } else if (value.tag != kGeneralizedTime) {
    return std::nullopt;
  }
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  constexpr std::size_t kDigits = 14;
  if (digits.size() != kDigits + 1 || digits.back() != 'Z' ||
      !std::all_of(digits.begin(), digits.end() - 1, is_digit) || digits >= "2201") {
    return std::nullopt;
  }
  const auto part = [&](std::size_t at, std::size_t size) { return digits.substr(at, size); };
  const auto time = parse_timestamp(fmt::format("{}-{}-{}T{}:{}:{}Z", part(0, 4), part(4, 2),
                                                part(6, 2), part(8, 2), part(10, 2), part(12, 2)));
  return time ? std::optional(wall_time(*time)) : std::nullopt;
}

/// Returns the DER text of the first certificate in `pem`.
std::optional<std::string> first_certificate(std::string_view pem) {
  constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE-----";
  const std::size_t begin = pem.find(kBegin);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::string_view rest = pem.substr(begin + kBegin.size());
  const std::size_t end = rest.find("-----END");
  if (end == std::string_view::npos) return std::nullopt;
  return base64_decode(rest.substr(0, end));
}

}  // namespace

std::optional<Clock::Wall> certificate_end(std::string_view pem) {
  const std::optional<std::string> der = first_certificate(pem);
  if (!der) return std::nullopt;
  std::string_view whole = *der;
  std::optional<std::string_view> certificate = take(whole, kSequence);
  if (!certificate) return std::nullopt;
  std::optional<std::string_view> fields = take(*certificate, kSequence);
  if (!fields) return std::nullopt;
  if (fields->starts_with(static_cast<char>(kVersion)) && !take(*fields, kVersion)) {
    return std::nullopt;
  }
  const bool has_start = take(*fields, kInteger) &&   // the serial number
                         take(*fields, kSequence) &&  // the algorithm of the signature
                         take(*fields, kSequence);    // the issuer
  if (!has_start) return std::nullopt;
  std::optional<std::string_view> validity = take(*fields, kSequence);
  if (!validity || !take_value(*validity)) return std::nullopt;  // skips the start of the validity
  const std::optional<DerValue> end = take_value(*validity);
  return end ? time_of(*end) : std::nullopt;
}

}  // namespace kinf
