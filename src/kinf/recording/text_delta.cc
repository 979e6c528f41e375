// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/text_delta.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

namespace kinf {
namespace {

/// The size of a block, in bytes. The index finds blocks by their hash.
constexpr std::size_t kBlock = sizeof(std::uint64_t);
/// The index contains a block at every kStep-th byte.
constexpr std::size_t kStep = 4;
/// Shorter parts are copied only from where they are expected: elsewhere, the distance would take
/// more bytes than the text, which zstd often finds in a sample.
constexpr std::size_t kShortestMoved = 48;
constexpr int kFewestBits = 8;
constexpr int kNumberBits = 7;  // bits of the number per byte of LEB128

std::uint64_t block_at(std::string_view text, std::size_t at) {
  std::uint64_t block = 0;
  std::memcpy(&block, text.data() + at, kBlock);
  return block;
}

bool has_block(std::string_view text, std::size_t at) {
  return at <= text.size() && text.size() - at >= kBlock;
}

/// Returns how many bytes two texts have in common at their start.
std::size_t common_begin(std::string_view left, std::string_view right) {
  const std::size_t size = std::min(left.size(), right.size());
  std::size_t same = 0;
  while (size - same >= kBlock && block_at(left, same) == block_at(right, same)) same += kBlock;
  while (same < size && left[same] == right[same]) ++same;
  return same;
}

/// Returns how many bytes two texts have in common at their end.
std::size_t common_end(std::string_view left, std::string_view right) {
  const std::size_t size = std::min(left.size(), right.size());
  std::size_t same = 0;
  while (same < size && left[left.size() - same - 1] == right[right.size() - same - 1]) ++same;
  return same;
}

void append_number(std::string& delta, std::uint64_t number) {
  for (; number >> kNumberBits != 0; number >>= kNumberBits) {
    delta += static_cast<char>(0x80 | (number & 0x7f));
  }
  delta += static_cast<char>(number);
}

void append_distance(std::string& delta, std::int64_t distance) {
  append_number(delta, static_cast<std::uint64_t>(distance) << 1 ^
                           static_cast<std::uint64_t>(distance >> 63));
}

/// Removes a number from the start of `delta` and returns it.
std::optional<std::uint64_t> take_number(std::string_view& delta) {
  std::uint64_t number = 0;
  for (int shift = 0; shift < 64 && !delta.empty(); shift += kNumberBits) {
    const auto byte = static_cast<unsigned char>(delta.front());
    delta.remove_prefix(1);
    number |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return number;
  }
  return std::nullopt;
}

std::uint64_t moved(std::uint64_t place, std::uint64_t zigzag) {
  return place + ((zigzag >> 1) ^ (~(zigzag & 1) + 1));
}

std::unexpected<Error> damaged() {
  return fail(ErrorKind::protocol, "its text does not fit the version before");
}

}  // namespace

void TextDelta::make(std::string_view before, std::string_view text, std::string& delta) {
  delta.clear();
  places_.clear();
  std::size_t begin = 0;     // where the new bytes begin in `text`
  std::size_t expected = 0;  // where `before` continues if the new bytes replace no old ones
  for (std::size_t at = 0; has_block(text, at);) {
    Found found = find(before, text.substr(at), expected + at - begin);
    if (found.size == 0) {
      ++at;
      continue;
    }
    const std::size_t earlier =
        common_end(text.substr(begin, at - begin), before.substr(0, found.place));
    if (found.place != expected + at - begin && found.size + earlier < kShortestMoved) {
      ++at;
      continue;
    }
    const std::size_t added = at - begin - earlier;
    append_number(delta, added);
    delta.append(text, begin, added);
    append_number(delta, found.size + earlier);
    append_distance(delta, static_cast<std::int64_t>(found.place - earlier) -
                               static_cast<std::int64_t>(expected + added));
    at += found.size;
    begin = at;
    expected = found.place + found.size;
  }
  if (begin == text.size()) return;
  append_number(delta, text.size() - begin);
  delta.append(text, begin);
}

TextDelta::Found TextDelta::find(std::string_view before, std::string_view rest,
                                 std::size_t expected) {
  const std::uint64_t wanted = block_at(rest, 0);
  std::size_t place = expected;
  if (!has_block(before, place) || block_at(before, place) != wanted) {
    if (places_.empty()) index(before);
    const std::uint32_t known = places_[slot_of(wanted)];
    if (known == 0 || block_at(before, known - 1) != wanted) return {};
    place = known - 1;
  }
  return {place, common_begin(before.substr(place), rest)};
}

void TextDelta::index(std::string_view before) {
  bits_ = std::max(kFewestBits, static_cast<int>(std::bit_width(before.size() / kStep)) + 1);
  places_.assign(std::size_t{1} << bits_, 0);
  for (std::size_t place = 0; has_block(before, place); place += kStep) {
    places_[slot_of(block_at(before, place))] = static_cast<std::uint32_t>(place + 1);
  }
}

std::size_t TextDelta::slot_of(std::uint64_t block) const {
  constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;  // spreads blocks over the slots
  return static_cast<std::size_t>(block * kGoldenRatio >> (64 - bits_));
}

Result<void> TextDelta::apply(std::string_view before, std::string_view delta, std::size_t most,
                              std::string& text) {
  text.clear();
  std::uint64_t place = 0;
  while (!delta.empty()) {
    const auto added = take_number(delta);
    if (!added || *added > delta.size() || *added > most - text.size()) return damaged();
    text.append(delta, 0, *added);
    delta.remove_prefix(*added);
    if (delta.empty()) break;
    const auto size = take_number(delta);
    const auto distance = take_number(delta);
    if (!size || !distance || *size > most - text.size()) return damaged();
    if (*added == 0 && *size == 0)
      return damaged();  // make() writes no such parts, which take time
    place = moved(place + *added, *distance);
    if (place > before.size() || *size > before.size() - place) return damaged();
    text.append(before, place, *size);
    place += *size;
  }
  return {};
}

}  // namespace kinf
