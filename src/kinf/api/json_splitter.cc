// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/json_splitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace kinf {
namespace {

/// A copy buffer of more than this many bytes is freed when the next value needs much less.
constexpr std::size_t kLargeCarry = std::size_t{1} << 20;

bool ends_literal(char c) {
  return is_json_blank(c) || c == ',' || c == ']' || c == '}' || c == ':' || c == '"' || c == '{' ||
         c == '[';
}

}  // namespace

void JsonSplitter::feed(std::string_view bytes) {
  if (error_ != nullptr) return;
  chunk_ = bytes;
  chunk_origin_ = received_;
  received_ += bytes.size();
}

std::string_view JsonSplitter::text(Extent extent) {
  const auto size = static_cast<std::size_t>(extent.end - extent.begin);
  if (size == 0) return {};
  if (extent.begin >= chunk_origin_) return {at(extent.begin), size};
  carry_until(end_);  // copies the whole value, so that later calls do not move the buffer
  return std::string_view(carry_).substr(static_cast<std::size_t>(extent.begin - carry_origin_),
                                         size);
}

/// Copies the bytes from `offset` on, because they are needed after the current chunk becomes
/// invalid.
void JsonSplitter::carry_from(std::uint64_t offset) {
  if (offset < chunk_origin_) {
    carry_until(received_);
  } else {
    const auto kept = static_cast<std::size_t>(received_ - offset);
    if (carry_.capacity() > kLargeCarry && kept < carry_.capacity() / 8) carry_ = std::string();
    carry_.assign(chunk_, chunk_.size() - kept);
    carry_origin_ = offset;
  }
  chunk_ = {};
  chunk_origin_ = received_;
}

void JsonSplitter::carry_until(std::uint64_t offset) {
  const std::uint64_t carried = carry_origin_ + carry_.size();
  if (offset > carried) carry_.append(at(carried), static_cast<std::size_t>(offset - carried));
}

bool JsonSplitter::between_values() const {
  return depth_ == 0 && token_ == Token::none && position_ == received_;
}

Result<JsonSplitter::Found> JsonSplitter::next(bool enter) {
  if (error_ != nullptr) return fail(*error_);
  return find(enter);
}

Result<JsonSplitter::Found> JsonSplitter::find(bool enter) {
  if (token_ != Token::none) return finish_token();
  while (skip_whitespace()) {
    const char c = *at(position_);
    switch (expect()) {
      case Expect::colon:
        if (c != ':') return refuse("a colon");
        ++position_;
        expect() = Expect::value;
        continue;
      case Expect::comma_or_end:
        if (c == ',') {
          ++position_;
          expect() = levels_[depth_].object ? Expect::key : Expect::value;
          continue;
        }
        if (c != (levels_[depth_].object ? '}' : ']')) return refuse("a comma or the end");
        return close_level();
      case Expect::key_or_end:
        if (c == '}') return close_level();
        break;
      case Expect::value_or_end:
        if (c == ']') return close_level();
        break;
      case Expect::key:
      case Expect::value: break;
    }
    return begin_token(c, enter);
  }
  return wait_for_more();
}

Result<JsonSplitter::Found> JsonSplitter::begin_token(char first, bool enter) {
  begin_ = position_;
  if (expect() == Expect::value || expect() == Expect::value_or_end) {
    return begin_value(first, enter);
  }
  if (first != '"') return refuse("a key");
  token_ = Token::key;
  scan_.start(first);
  ++position_;
  return finish_token();
}

Result<JsonSplitter::Found> JsonSplitter::begin_value(char first, bool enter) {
  const bool container = first == '{' || first == '[';
  if (container && enter) return enter_level(first == '{');
  if (container || first == '"') {
    token_ = Token::scanned;
    scan_.start(first);
    ++position_;
  } else if (first == '-' || std::isalnum(static_cast<unsigned char>(first))) {
    token_ = Token::literal;
  } else {
    return refuse("a value");
  }
  return finish_token();
}

Result<JsonSplitter::Found> JsonSplitter::enter_level(bool object) {
  if (depth_ == kEnteredLevels) return broken("values are nested too deeply");
  ++depth_;
  levels_[depth_] = {object, object ? Expect::key_or_end : Expect::value_or_end};
  end_ = ++position_;
  return object ? Found::object : Found::array;
}

/// Returns the byte after the current token, or null if the token is incomplete.
const char* JsonSplitter::token_end() {
  const char* const from = at(position_);
  const char* const end = at(received_);
  if (token_ != Token::literal) return scan_.run(from, end);
  const char* const found = std::find_if(from, end, ends_literal);
  return found == end ? nullptr : found;
}

Result<JsonSplitter::Found> JsonSplitter::finish_token() {
  const char* const end = token_end();
  if (end == nullptr) {
    position_ = received_;
    return wait_for_more();
  }
  position_ = end_ = chunk_origin_ + static_cast<std::uint64_t>(end - chunk_.data());
  const Token token = std::exchange(token_, Token::none);
  if (token == Token::key) {
    expect() = Expect::colon;
    ++begin_;
    --end_;
    return Found::key;
  }
  value_done();
  if (end_ - std::min(begin_, held_) > max_bytes_) return too_large();
  return Found::value;
}

JsonSplitter::Found JsonSplitter::close_level() {
  begin_ = position_;
  end_ = ++position_;
  --depth_;
  value_done();
  return Found::end;
}

bool JsonSplitter::skip_whitespace() {
  while (position_ != received_ && is_json_blank(*at(position_))) ++position_;
  return position_ != received_;
}

Result<JsonSplitter::Found> JsonSplitter::wait_for_more() {
  const std::uint64_t oldest = std::min(token_ == Token::none ? position_ : begin_, held_);
  if (position_ - oldest > max_bytes_) return too_large();
  carry_from(oldest);
  return Found::nothing;
}

Result<JsonSplitter::Found> JsonSplitter::too_large() {
  return broken(fmt::format("a value is larger than {} bytes", max_bytes_));
}

Result<JsonSplitter::Found> JsonSplitter::refuse(std::string_view expected) {
  const auto byte = static_cast<unsigned char>(*at(position_));
  const std::string shown = byte > 0x20 && byte < 0x7f ? fmt::format("'{}'", char(byte))
                                                       : fmt::format("byte 0x{:02x}", byte);
  return broken(
      fmt::format("invalid JSON at byte {}: found {}, expected {}", position_, shown, expected));
}

std::unexpected<Error> JsonSplitter::broken(std::string message) {
  error_ = std::make_unique<Error>(ErrorKind::protocol, std::move(message));
  return fail(*error_);
}

}  // namespace kinf
