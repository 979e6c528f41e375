// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/json_splitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "kinf/api/object.h"

namespace kinf {
namespace {

constexpr std::size_t kSmallBuffer = std::size_t{64} << 10;

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

bool ends_literal(char c) {
  return is_blank(c) || c == ',' || c == ']' || c == '}' || c == ':' || c == '"' || c == '{' ||
         c == '[';
}

}  // namespace

void JsonSplitter::feed(std::string_view bytes) {
  if (error_ != nullptr || bytes.empty()) return;
  make_room(bytes.size());
  std::memcpy(at(received_), bytes.data(), bytes.size());
  received_ += bytes.size();
}

/// Moves what is still needed to the front, into a larger buffer if it must be, into a small one
/// if a large one is no longer worth keeping.
void JsonSplitter::make_room(std::size_t size) {
  std::uint64_t keep = token_ == Token::none ? position_ : begin_;
  keep = std::min(keep, held_);
  const auto kept = static_cast<std::size_t>(received_ - keep);
  const std::size_t needed = kept + size;
  const bool wasteful = capacity_ > 16 * kSmallBuffer && needed < capacity_ / 8;
  const auto tail = capacity_ - static_cast<std::size_t>(received_ - origin_);
  if (buffer_ != nullptr && size <= tail && !wasteful) return;
  if (buffer_ != nullptr && needed <= capacity_ / 2 && !wasteful) {
    std::memmove(buffer_.get(), at(keep), kept);
  } else {
    const std::size_t capacity = std::max(kSmallBuffer, 2 * needed);
    auto larger = std::make_unique_for_overwrite<char[]>(capacity + Object::kPadding);
    if (kept > 0) std::memcpy(larger.get(), at(keep), kept);
    std::memset(larger.get() + capacity, 0, Object::kPadding);
    buffer_ = std::move(larger);
    capacity_ = capacity;
  }
  origin_ = keep;
}

bool JsonSplitter::between_values() const {
  if (depth_ > 0 || token_ != Token::none) return false;
  const std::string_view unread = text(position_, received_);
  return std::ranges::all_of(unread, is_blank);
}

Result<JsonSplitter::Found> JsonSplitter::next(bool enter) {
  if (error_ != nullptr) return std::unexpected(*error_);
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
      case Expect::value:
        break;
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
  if (depth_ == kMaxEntered) return broken("values are nested too deep");
  ++depth_;
  levels_[depth_] = {object, object ? Expect::key_or_end : Expect::value_or_end};
  end_ = ++position_;
  return object ? Found::object : Found::array;
}

/// The byte behind the token begun, null if it has not come yet.
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
  position_ = end_ = origin_ + static_cast<std::uint64_t>(end - buffer_.get());
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

void JsonSplitter::value_done() { expect() = depth_ == 0 ? Expect::value : Expect::comma_or_end; }

bool JsonSplitter::skip_whitespace() {
  while (position_ != received_ && is_blank(*at(position_))) ++position_;
  return position_ != received_;
}

Result<JsonSplitter::Found> JsonSplitter::wait_for_more() {
  const std::uint64_t oldest = std::min(token_ == Token::none ? position_ : begin_, held_);
  if (position_ - oldest > max_bytes_) return too_large();
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
      fmt::format("broken JSON at byte {}: found {}, expected {}", position_, shown, expected));
}

std::unexpected<Error> JsonSplitter::broken(std::string message) {
  error_ = std::make_unique<Error>(ErrorKind::protocol, std::move(message));
  return std::unexpected(*error_);
}

}  // namespace kinf
