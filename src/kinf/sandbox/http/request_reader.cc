// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/request_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace kinf::sandbox {
namespace {

/// The longest line before a chunk, or in a trailer, in bytes.
constexpr std::size_t kMaxLine = 4096;
constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kHeadEnd = "\r\n\r\n";

/// Returns true if the part of `text` before `mark` is longer than `most`. While the mark is not
/// complete, the last bytes may belong to it, so that the pieces of the text do not matter.
bool is_longer(std::string_view text, std::string_view mark, std::size_t most) {
  const std::size_t end = text.find(mark);
  return end == std::string_view::npos ? text.size() >= most + mark.size() : end > most;
}

std::unexpected<RequestError> too_large() { return refuse(413, "the body is larger than 3 MiB"); }

/// Another server may take a CR or LF alone for the end of the line.
bool has_line_end(std::string_view line) {
  return line.find_first_of("\r\n") != std::string_view::npos;
}

/// Parses `1a` or `1a;extension`. Returns nullopt if it is not a size, or has more than 8 digits.
std::optional<std::size_t> chunk_size(std::string_view line) {
  if (has_line_end(line)) return std::nullopt;
  const std::string_view digits = line.substr(0, line.find(';'));
  std::size_t size = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size, 16);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.size() > 8) {
    return std::nullopt;
  }
  return size;
}

}  // namespace

std::expected<std::optional<RequestReader::Request>, RequestError> RequestReader::next() {
  auto request = parse();
  buffer_.erase(0, at_);
  at_ = 0;
  return request;
}

bool RequestReader::take_continue() {
  return head_ && head_->expects_continue && !std::exchange(sent_continue_, true);
}

std::expected<std::optional<RequestReader::Request>, RequestError> RequestReader::parse() {
  if (!head_) {
    const Progress head = read_head();
    if (!head) return std::unexpected(head.error());
    if (!*head) return std::nullopt;
  }
  const Progress body = head_->is_chunked ? read_chunks() : read_body();
  if (!body) return std::unexpected(body.error());
  if (!*body) return std::nullopt;
  Request request{*std::move(head_), std::move(body_)};
  head_.reset();
  body_.clear();
  in_trailer_ = false;
  sent_continue_ = false;
  return request;
}

RequestReader::Progress RequestReader::read_head() {
  // Empty lines before a request are ignored (RFC 9112 section 2.2).
  while (rest().starts_with(kLineEnd)) at_ += kLineEnd.size();
  const std::string_view text = rest();
  const std::size_t end = text.find(kHeadEnd);
  if (is_longer(text, kHeadEnd, kMaxHead)) return refuse(431, "the headers are larger than 64 KiB");
  if (end == std::string_view::npos) {
    // A head whose lines end with LF alone would never be complete.
    return text.find("\n\n") == std::string_view::npos
               ? Progress(false)
               : Progress(refuse(400, "malformed header line"));
  }
  auto head = parse_request_head(text.substr(0, end + 2));
  if (!head) return std::unexpected(std::move(head).error());
  if (head->body_size > kMaxBody) return too_large();
  head_ = *std::move(head);
  at_ += end + 4;
  return true;
}

RequestReader::Progress RequestReader::read_body() {
  if (rest().size() < head_->body_size) return false;
  body_ = rest().substr(0, head_->body_size);
  at_ += head_->body_size;
  return true;
}

RequestReader::Progress RequestReader::read_chunks() {
  while (!in_trailer_) {
    const Progress progress = read_chunk();
    if (!progress || !*progress) return progress;
  }
  return read_trailer();
}

/// Moves one chunk to the body. Returns false if it is not complete.
RequestReader::Progress RequestReader::read_chunk() {
  const std::string_view text = rest();
  const std::size_t end = text.find(kLineEnd);
  if (is_longer(text, kLineEnd, kMaxLine)) return refuse(400, "malformed chunk");
  if (end == std::string_view::npos) return false;
  const auto size = chunk_size(text.substr(0, end));
  if (!size) return refuse(400, "malformed chunk");
  if (body_.size() + *size > kMaxBody) return too_large();
  const std::size_t data = end + 2;
  if (*size == 0) {
    at_ += data;
    trailer_ = 0;
    in_trailer_ = true;
    return true;
  }
  if (text.size() < data + *size + 2) return false;
  if (text.substr(data + *size, 2) != "\r\n") return refuse(400, "malformed chunk");
  body_ += text.substr(data, *size);
  at_ += data + *size + 2;
  return true;
}

/// Skips the trailer up to its empty line.
RequestReader::Progress RequestReader::read_trailer() {
  for (;;) {
    const std::string_view text = rest();
    const std::size_t end = text.find(kLineEnd);
    if (is_longer(text, kLineEnd, kMaxLine - std::min(trailer_, kMaxLine))) {
      return refuse(431, "the trailer is larger than 4 KiB");
    }
    if (end == std::string_view::npos) return false;
    if (has_line_end(text.substr(0, end))) return refuse(400, "malformed trailer");
    at_ += end + 2;
    trailer_ += end + 2;
    if (end == 0) return true;
  }
}

}  // namespace kinf::sandbox
