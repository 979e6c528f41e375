// SPDX-License-Identifier: Apache-2.0
#include "kinf/http/request_reader.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <cstdint>
#include <utility>

#include "kinf/base/limits.h"

namespace kinf {
namespace {

namespace http = boost::beast::http;
using ParseError = boost::beast::error_code;
using ParsedText = boost::beast::string_view;

constexpr std::size_t kChunkDigits = 8;
constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kHeadEnd = "\r\n\r\n";

std::unexpected<RequestError> refuse(int code, std::string reason) {
  return std::unexpected(RequestError{code, std::move(reason)});
}

/// Returns whether the part of `text` before `mark` is longer than `most` bytes. If `mark` is not
/// in `text`, the last bytes may be the beginning of `mark` and do not count. So the result does
/// not depend on how the text is split into reads.
bool is_longer(std::string_view text, std::string_view mark, std::size_t most) {
  const std::size_t end = text.find(mark);
  return end == std::string_view::npos ? text.size() >= most + mark.size() : end > most;
}

/// Returns whether the head has a folded line, which continues the previous line. Beast allows
/// this.
bool has_folded_line(std::string_view head) {
  return head.find("\r\n ") != std::string_view::npos ||
         head.find("\r\n\t") != std::string_view::npos;
}

/// Returns whether the request line ends with an HTTP version other than 1.0 and 1.1.
bool has_other_version(std::string_view head) {
  const std::string_view line = head.substr(0, head.find(kLineEnd));
  const std::string_view version = line.substr(line.rfind(' ') + 1);
  return version.starts_with("HTTP/") && version != "HTTP/1.1" && version != "HTTP/1.0";
}

/// Returns the refusal of a request that Beast cannot parse.
RequestError refusal_of(const ParseError& error) {
  if (error == http::error::body_limit) return {413, "the body is larger than 3 MiB"};
  return {400, "malformed request: " + error.message()};
}

}  // namespace

/// Parses one request. Each call of put() parses the next part of it.
class RequestReader::Parser final : public http::basic_parser<true> {
 public:
  Parser() {
    header_limit(limits::kRequestHeadBytes + kHeadEnd.size());
    body_limit(limits::kRequestBodyBytes);
  }

  Request request;
  std::optional<RequestError> refusal;  ///< why check_head() refused the head
  bool is_at_chunk = true;              ///< next is the size line of a chunk, or the CRLF before it

 private:
  void on_request_impl(http::verb /*verb*/, ParsedText method, ParsedText target, int version,
                       ParseError& /*error*/) override {
    request.head.method.assign(method.data(), method.size());
    request.head.target.assign(target.data(), target.size());
    request.head.minor_version = version - 10;
  }
  void on_response_impl(int /*code*/, ParsedText /*reason*/, int /*version*/,
                        ParseError& /*error*/) override {}
  void on_field_impl(http::field /*field*/, ParsedText name, ParsedText value,
                     ParseError& /*error*/) override {
    // The fields of a trailer are ignored.
    if (is_header_done()) return;
    request.head.fields.emplace_back(std::string(name.data(), name.size()),
                                     std::string(value.data(), value.size()));
  }
  void on_header_impl(ParseError& error) override {
    refusal = check_head(request.head);
    if (refusal) error = http::error::bad_value;
  }
  void on_body_init_impl(const boost::optional<std::uint64_t>& /*size*/,
                         ParseError& /*error*/) override {}
  std::size_t on_body_impl(ParsedText bytes, ParseError& /*error*/) override {
    request.body.append(bytes.data(), bytes.size());
    return bytes.size();
  }
  void on_chunk_header_impl(std::uint64_t /*size*/, ParsedText /*extension*/,
                            ParseError& /*error*/) override {
    is_at_chunk = false;
  }
  std::size_t on_chunk_body_impl(std::uint64_t left, ParsedText bytes,
                                 ParseError& /*error*/) override {
    request.body.append(bytes.data(), bytes.size());
    is_at_chunk = bytes.size() == left;
    return bytes.size();
  }
  void on_finish_impl(ParseError& /*error*/) override {}
};

RequestReader::RequestReader() = default;
RequestReader::~RequestReader() = default;

std::expected<std::optional<RequestReader::Request>, RequestError> RequestReader::next() {
  const Progress progress = parse();
  buffer_.erase(0, at_);
  at_ = 0;
  if (!progress) return std::unexpected(progress.error());
  if (!*progress) return std::nullopt;
  sent_continue_ = false;
  const std::unique_ptr<Parser> done = std::move(parser_);
  return std::move(done->request);
}

bool RequestReader::take_continue() {
  return parser_ && parser_->request.head.expects_continue && !std::exchange(sent_continue_, true);
}

RequestReader::Progress RequestReader::parse() {
  if (!parser_) {
    const Progress head = read_head();
    if (!head || !*head) return head;
  }
  return read_body();
}

/// Parses the head once it is complete, because Beast checks its limit only within one call of
/// put().
RequestReader::Progress RequestReader::read_head() {
  // Empty lines before a request are ignored (RFC 9112 section 2.2).
  while (rest().starts_with(kLineEnd)) at_ += kLineEnd.size();
  const std::string_view text = rest();
  const std::size_t end = text.find(kHeadEnd);
  if (is_longer(text, kHeadEnd, limits::kRequestHeadBytes))
    return refuse(431, "the headers are larger than 64 KiB");
  if (end == std::string_view::npos) {
    // A head whose lines end with LF alone would never be complete, so refuse it.
    return text.find("\n\n") == std::string_view::npos
               ? Progress(false)
               : Progress(refuse(400, "malformed header line"));
  }
  const std::string_view head = text.substr(0, end + kHeadEnd.size());
  if (has_folded_line(head)) return refuse(400, "malformed header name");
  auto parser = std::make_unique<Parser>();
  ParseError error;
  at_ += parser->put(boost::asio::buffer(head.data(), head.size()), error);
  if (parser->refusal) return std::unexpected(*parser->refusal);
  if (error == http::error::bad_version && has_other_version(head)) {
    return refuse(505, "only HTTP/1.1 is supported");
  }
  if (error) return std::unexpected(refusal_of(error));
  parser_ = std::move(parser);
  return true;
}

RequestReader::Progress RequestReader::read_body() {
  while (!parser_->is_done()) {
    const bool is_line = parser_->request.head.is_chunked && parser_->is_at_chunk;
    if (is_line) {
      const Progress line = check_chunk_line();
      if (!line || !*line) return line;
    }
    const std::string_view text = rest();
    if (text.empty()) return false;
    ParseError error;
    at_ += parser_->put(boost::asio::buffer(text.data(), text.size()), error);
    // The line is complete. Beast needs more only if a quoted string in it has no end.
    if (error == http::error::need_more && is_line) return refuse(400, "malformed chunk");
    if (error == http::error::need_more) return false;
    if (error) return std::unexpected(refusal_of(error));
  }
  return true;
}

/// Checks the line `1a` or `1a;extension` before a chunk. After the line of the last chunk, waits
/// until the trailer is complete. Beast does not limit the length of either.
RequestReader::Progress RequestReader::check_chunk_line() const {
  std::string_view text = rest();
  if (!parser_->request.body.empty()) {
    if (!kLineEnd.starts_with(text.substr(0, kLineEnd.size()))) {
      return refuse(400, "malformed chunk");  // the previous chunk is longer than its size
    }
    text.remove_prefix(std::min(text.size(), kLineEnd.size()));
  }
  if (is_longer(text, kLineEnd, limits::kChunkLineBytes)) return refuse(400, "malformed chunk");
  const std::size_t end = text.find(kLineEnd);
  if (end == std::string_view::npos) return false;
  // Refuse a CR or LF inside the line: other servers would end the line there.
  if (text.substr(0, end).find_first_of(kLineEnd) != std::string_view::npos) {
    return refuse(400, "malformed chunk");
  }
  const std::string_view digits = text.substr(0, std::min(end, text.find(';')));
  const bool is_size = !digits.empty() && digits.size() <= kChunkDigits &&
                       digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  if (!is_size) return refuse(400, "malformed chunk");
  if (digits.find_first_not_of('0') != std::string_view::npos) return true;
  const std::string_view trailer = text.substr(end);
  if (is_longer(trailer, kHeadEnd, limits::kChunkLineBytes)) {
    return refuse(431, "the trailer is larger than 4 KiB");
  }
  return trailer.find(kHeadEnd) != std::string_view::npos;
}

}  // namespace kinf
