// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/response_writer.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "kinf/sandbox/http/gzip_encoding.h"

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

/// Writes the pieces of a stream as chunks or, to a client of HTTP/1.0, as they are.
class ChunkSink final : public ByteSink {
 public:
  ChunkSink(ClientStream& client, bool compress, bool in_chunks)
      : client_(client), in_chunks_(in_chunks) {
    if (compress) gzip_.emplace();
  }
  bool write(std::string_view bytes) override {
    return gzip_ ? send(gzip_->piece(bytes)) : send(bytes);
  }
  bool is_open() override { return works_ && client_.is_open(); }
  /// Returns false if the client has disconnected.
  bool finish() {
    if (gzip_ && is_open()) send(gzip_->end());
    works_ = works_ && (!in_chunks_ || write_fully(client_, "0\r\n\r\n"));
    return works_;
  }

 private:
  bool send(std::string_view bytes) {
    if (bytes.empty()) return is_open();  // an empty chunk would end the body
    works_ = works_ &&
             (in_chunks_ ? write_fully(client_, fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes))
                         : write_fully(client_, bytes));
    return is_open();
  }

  ClientStream& client_;
  const bool in_chunks_;
  std::optional<GzipStream> gzip_;
  bool works_ = true;
};

bool write_stream(ClientStream& client, const RequestHead& head, const HttpResponse& response,
                  std::string text, bool compress) {
  const bool in_chunks = head.minor_version == 1;
  text += in_chunks ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n";
  if (!write_fully(client, text)) return false;
  if (head.method == "HEAD") return in_chunks && !head.closes;
  ChunkSink chunks(client, compress, in_chunks);
  response.stream(chunks);
  return chunks.finish() && in_chunks && !head.closes;
}

}  // namespace

bool write_fully(ClientStream& client, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = client.write(bytes.data(), bytes.size());
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool write_response(ClientStream& client, const RequestHead& head, HttpResponse response) {
  const bool is_large = response.body.size() >= kCompressFrom;
  const bool compress = accepts_gzip(head.value("Accept-Encoding")) &&
                        (response.stream ? response.compress_stream : is_large);
  std::string text = head_text(response);
  if (head.closes) text += "Connection: close\r\n";
  if (response.code == 304) return write_fully(client, text + "\r\n") && !head.closes;
  text += "Content-Type: " + response.content_type + "\r\n";
  if (compress) text += "Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n";
  if (response.stream) return write_stream(client, head, response, std::move(text), compress);
  if (compress) response.body = gzip_member(response.body);
  text += fmt::format("Content-Length: {}\r\n\r\n", response.body.size());
  if (head.method != "HEAD") text += response.body;
  return write_fully(client, text) && !head.closes;
}

void write_refusal(ClientStream& client, const RequestError& error) {
  write_fully(client, fmt::format("HTTP/1.1 {} {}\r\nContent-Type: text/plain; charset=utf-8\r\n"
                                  "Content-Length: {}\r\nConnection: close\r\n\r\n{}\n",
                                  error.code, status_text(error.code), error.reason.size() + 1,
                                  error.reason));
}

}  // namespace kinf::sandbox
