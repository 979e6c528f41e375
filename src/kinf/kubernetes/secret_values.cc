// SPDX-License-Identifier: Apache-2.0
#include "kinf/kubernetes/secret_values.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/base/base64.h"
#include "kinf/base/random.h"

namespace kinf {
namespace {

/// Shorter values, such as "1" and "yes", are part of too many texts.
constexpr std::size_t kShortest = 4;
/// The bytes of a text times the values to search for. More takes too long.
constexpr std::size_t kSearchedBytes = 256UL * 1024 * 1024;
constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::uint64_t keyed_hash(std::uint64_t before, std::string_view text) {
  std::uint64_t hash = Random(before ^ text.size()).next();
  for (const char c : text) hash = Random(hash ^ static_cast<unsigned char>(c)).next();
  return hash;
}

}  // namespace

void SecretValues::add(std::string text) {
  if (text.size() >= kShortest) texts_.push_back(std::move(text));
}

void SecretValues::add_base64(std::string_view base64) {
  const auto value = base64_decode(base64);
  if (value) return add_plain(*value);
  add(std::string(base64));
}

void SecretValues::add_plain(std::string_view value) {
  if (value.size() < kShortest) return;
  add(std::string(value));
  std::string base64 = base64_encode(value);
  base64.resize(std::min(base64.size(), base64.find('=')));  // some tools leave the padding out
  add(std::move(base64));
}

bool SecretValues::occur_in(std::string_view text) const {
  if (text.size() < kShortest) return false;
  if (texts_.size() > kSearchedBytes / text.size()) return true;
  return std::ranges::any_of(
      texts_, [&](const std::string& value) { return text.find(value) != std::string_view::npos; });
}

std::size_t decoded_size(std::string_view base64) {
  const auto digits = static_cast<std::size_t>(
      std::ranges::count_if(base64, [](char c) { return c != '=' && c != '\n' && c != '\r'; }));
  return digits * 3 / 4;
}

std::string secret_placeholder(const SecretField& field) {
  const std::uint64_t key = keyed_hash(keyed_hash(0, field.uid), field.name);
  const auto plain = field.is_base64 ? base64_decode(field.value) : std::nullopt;
  const std::string_view value = plain ? std::string_view(*plain) : field.value;
  const char letter = kLetters[keyed_hash(key, value) % kLetters.size()];
  const std::size_t size = field.is_base64 && !plain ? decoded_size(field.value) : value.size();
  const std::string letters(size, letter);
  return field.is_base64 ? base64_encode(letters) : letters;
}

bool is_placeholder(std::string_view value, bool is_base64) {
  const auto plain = is_base64 ? base64_decode(value) : std::string(value);
  return plain && std::ranges::all_of(*plain, [&](char c) { return c == plain->front(); });
}

std::string base64_of_length(std::size_t bytes) { return base64_encode(std::string(bytes, 'x')); }

std::optional<std::size_t> length_in_mark(std::string_view text) {
  constexpr std::string_view kEnd = " bytes>";
  if (!text.starts_with('<') || !text.ends_with(kEnd)) return std::nullopt;
  text = text.substr(1, text.size() - 1 - kEnd.size());
  if (text.empty() || !std::ranges::all_of(text, is_digit)) return std::nullopt;
  return parse_number<std::size_t>(text);
}

}  // namespace kinf
