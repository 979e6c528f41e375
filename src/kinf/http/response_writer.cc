// SPDX-License-Identifier: Apache-2.0
#include "kinf/http/response_writer.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <boost/beast/http/status.hpp>
#include <iterator>
#include <new>

#include "kinf/base/ascii.h"

namespace kinf {
namespace {

constexpr int kGzipFormat = 16;  ///< added to the window bits: a gzip header, not a zlib header
constexpr int kDefaultMemory = 8;

/// Smaller bodies are not compressed (kube-apiserver, responsewriters/writers.go).
constexpr std::size_t kCompressFrom = 128 * 1024;

std::string_view status_text(int code) {
  if (code == 413) return "Request Entity Too Large";  // Go's text for 413
  const auto status = boost::beast::http::int_to_status(static_cast<unsigned>(code));
  if (status == boost::beast::http::status::unknown) return "Status";
  const auto text = boost::beast::http::obsolete_reason(status);
  return {text.data(), text.size()};
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

bool accepts_gzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    if (trimmed(take_until(accept_encoding, ",")) == "gzip") return true;
  }
  return false;
}

void GzipStream::End::operator()(z_stream_s* stream) const {
  ::deflateEnd(stream);
  delete stream;
}

GzipStream::GzipStream() : stream_(new z_stream_s{}) {
  if (::deflateInit2(stream_.get(), Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + kGzipFormat,
                     kDefaultMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();  // with these arguments, zlib fails only without memory
  }
}

std::string GzipStream::piece(std::string_view bytes) { return deflated(bytes, Z_SYNC_FLUSH); }

std::string GzipStream::end() { return deflated({}, Z_FINISH); }

std::string GzipStream::deflated(std::string_view bytes, int flush) {
  // zlib counts in 32 bits. Pieces are smaller than 4 GiB, because they are built in memory.
  stream_->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream_->avail_in = static_cast<uInt>(bytes.size());
  std::string result;
  std::array<char, 16384> buffer;
  do {
    stream_->next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_->avail_out = static_cast<uInt>(buffer.size());
    ::deflate(stream_.get(), flush);
    result.append(buffer.data(), buffer.size() - stream_->avail_out);
  } while (stream_->avail_out == 0);
  return result;
}

std::string gzip_member(std::string_view bytes) {
  GzipStream stream;
  std::string result = stream.piece(bytes);
  return result + stream.end();
}

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

}  // namespace kinf
