// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/response_writer.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace kinf::sandbox {
namespace {

/// Smaller bodies are not compressed (kube-apiserver, responsewriters/writers.go).
constexpr std::size_t kCompressFrom = 128 * 1024;

std::string_view status_text(int code) {
  static constexpr std::pair<int, std::string_view> kTexts[] = {
      {200, "OK"},
      {201, "Created"},
      {202, "Accepted"},
      {304, "Not Modified"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {406, "Not Acceptable"},
      {409, "Conflict"},
      {410, "Gone"},
      {413, "Request Entity Too Large"},
      {415, "Unsupported Media Type"},
      {417, "Expectation Failed"},
      {422, "Unprocessable Entity"},
      {429, "Too Many Requests"},
      {431, "Request Header Fields Too Large"},
      {500, "Internal Server Error"},
      {501, "Not Implemented"},
      {502, "Bad Gateway"},
      {503, "Service Unavailable"},
      {504, "Gateway Timeout"},
      {505, "HTTP Version Not Supported"},
      {507, "Insufficient Storage"},
  };
  for (const auto& [each, text] : kTexts) {
    if (each == code) return text;
  }
  return "Status";
}

std::string head_text(const HttpResponse& response) {
  std::string text = fmt::format("HTTP/1.1 {} {}\r\nCache-Control: no-cache, private\r\n",
                                 response.code, status_text(response.code));
  for (const auto& [name, value] : response.headers) text += name + ": " + value + "\r\n";
  return text;
}

bool is_compressed(const RequestHead& head, const HttpResponse& response) {
  const bool is_worth_it =
      response.stream ? response.compress_stream : response.body.size() >= kCompressFrom;
  return is_worth_it && accepts_gzip(head.value("Accept-Encoding"));
}

bool has_chunks(const RequestHead& head) { return head.minor_version == 1; }

}  // namespace

std::string response_text(const RequestHead& head, const HttpResponse& response) {
  std::string text = head_text(response);
  if (head.closes) text += "Connection: close\r\n";
  if (response.code == 304) return text + "\r\n";
  text += "Content-Type: " + response.content_type + "\r\n";
  const bool compress = is_compressed(head, response);
  if (compress) text += "Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n";
  if (response.stream) {
    return text + (has_chunks(head) ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n");
  }
  const std::string compressed = compress ? gzip_member(response.body) : "";
  const std::string& body = compress ? compressed : response.body;
  text += fmt::format("Content-Length: {}\r\n\r\n", body.size());
  if (head.method != "HEAD") text += body;
  return text;
}

bool keeps_connection(const RequestHead& head, const HttpResponse& response) {
  return !head.closes && (!response.stream || has_chunks(head));
}

std::string refusal_text(const RequestError& error) {
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: text/plain; charset=utf-8\r\n"
      "Content-Length: {}\r\nConnection: close\r\n\r\n{}\n",
      error.code, status_text(error.code), error.reason.size() + 1, error.reason);
}

StreamEncoder::StreamEncoder(const RequestHead& head, const HttpResponse& response,
                             std::string& out)
    : out_(out), in_chunks_(has_chunks(head)) {
  if (is_compressed(head, response)) gzip_.emplace();
}

void StreamEncoder::write(std::string_view piece) {
  if (gzip_) {
    append(gzip_->piece(piece));
  } else {
    append(piece);
  }
}

void StreamEncoder::end() {
  if (gzip_) append(gzip_->end());
  if (in_chunks_) out_ += "0\r\n\r\n";
}

void StreamEncoder::append(std::string_view bytes) {
  if (bytes.empty()) return;  // an empty chunk would end the body
  if (in_chunks_) fmt::format_to(std::back_inserter(out_), "{:x}\r\n", bytes.size());
  out_ += bytes;
  if (in_chunks_) out_ += "\r\n";
}

}  // namespace kinf::sandbox
