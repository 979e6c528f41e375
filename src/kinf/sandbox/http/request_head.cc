// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/request_head.h"

#include <algorithm>

#include "kinf/base/ascii.h"

namespace kinf::sandbox {
namespace {

using Checked = std::expected<void, RequestError>;

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Returns true for a token (RFC 9110 section 5.6.2), such as a method or the name of a field.
bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return is_alphanumeric(c) ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

bool is_visible(char c) { return static_cast<unsigned char>(c) > ' ' && c != '\x7f'; }

bool is_field_value(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return is_visible(c) || c == ' ' || c == '\t'; });
}

bool contains_token(std::string_view list, std::string_view token) {
  while (!list.empty()) {
    const std::string_view part = list.substr(0, list.find(','));
    if (equals_ignoring_case(trimmed(part), token)) return true;
    list.remove_prefix(std::min(part.size() + 1, list.size()));
  }
  return false;
}

/// Takes the next line off `text`. Returns nullopt if it does not end with CRLF, or contains CR or
/// LF.
std::optional<std::string_view> take_line(std::string_view& text) {
  const std::size_t end = text.find("\r\n");
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  if (line.find_first_of("\r\n") != std::string_view::npos) return std::nullopt;
  text.remove_prefix(end + 2);
  return line;
}

Checked parse_request_line(std::string_view line, RequestHead& head) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last)
    return refuse(400, "malformed request line");
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!is_token(line.substr(0, first))) return refuse(400, "malformed method");
  if (version.starts_with("HTTP/") && version != "HTTP/1.1" && version != "HTTP/1.0") {
    return refuse(505, "only HTTP/1.1 is supported");
  }
  if (!version.starts_with("HTTP/")) return refuse(400, "malformed HTTP version");
  if (!target.starts_with('/') || !std::ranges::all_of(target, is_visible)) {
    return refuse(400, "malformed request target");
  }
  head.method = line.substr(0, first);
  head.target = target;
  head.minor_version = version.back() - '0';
  return {};
}

Checked parse_field(std::string_view line, RequestHead& head) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
    return refuse(400, "malformed header name");  // also a space before the colon, or a folded line
  }
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (!is_field_value(value)) return refuse(400, "malformed header value");
  head.fields.emplace_back(line.substr(0, colon), value);
  return {};
}

/// Decides how long the body is (RFC 9112 section 6).
Checked find_body(RequestHead& head) {
  const std::size_t lengths = head.count("Content-Length");
  const std::size_t codings = head.count("Transfer-Encoding");
  if (lengths > 1) return refuse(400, "more than one Content-Length");
  if (codings > 1) return refuse(400, "more than one Transfer-Encoding");
  if (lengths == 1 && codings == 1) {
    return refuse(400, "both Content-Length and Transfer-Encoding");
  }
  if (codings == 1) {
    if (head.minor_version == 0) return refuse(400, "Transfer-Encoding with HTTP/1.0");
    if (!equals_ignoring_case(head.value("Transfer-Encoding"), "chunked")) {
      return refuse(501, "unsupported Transfer-Encoding");
    }
    head.is_chunked = true;
  }
  if (lengths == 1) {
    const std::string_view digits = head.value("Content-Length");
    const auto size = parse_number<std::size_t>(digits);
    if (!size) return refuse(400, "malformed Content-Length");
    head.body_size = *size;
  }
  const bool has_body = head.is_chunked || head.body_size > 0;
  if (has_body && (head.method == "GET" || head.method == "HEAD")) {
    return refuse(400, "a body in a request that has none");
  }
  const std::string_view coding = head.value("Content-Encoding");
  if (has_body && !coding.empty() && !equals_ignoring_case(coding, "identity")) {
    return refuse(415, "compressed request bodies are not supported");
  }
  return {};
}

Checked find_options(RequestHead& head) {
  const std::size_t hosts = head.count("Host");
  if (hosts > 1 || (hosts == 0 && head.minor_version == 1)) {
    return refuse(400, hosts > 1 ? "more than one Host" : "missing Host header");
  }
  if (head.count("Expect") > 0) {
    if (!equals_ignoring_case(head.value("Expect"), "100-continue")) {
      return refuse(417, "unsupported expectation");
    }
    head.expects_continue = head.minor_version == 1;
  }
  for (const auto& [name, value] : head.fields) {
    if (!equals_ignoring_case(name, "Connection")) continue;
    head.closes = head.closes || contains_token(value, "close");
  }
  if (head.minor_version == 0) {
    head.closes = head.closes || !contains_token(head.value("Connection"), "keep-alive");
  }
  return {};
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = to_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace

std::string_view RequestHead::value(std::string_view name) const {
  const auto found = std::ranges::find_if(
      fields, [&](const auto& field) { return equals_ignoring_case(field.first, name); });
  return found == fields.end() ? std::string_view() : std::string_view(found->second);
}

std::size_t RequestHead::count(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      fields, [&](const auto& field) { return equals_ignoring_case(field.first, name); }));
}

std::expected<RequestHead, RequestError> parse_request_head(std::string_view text) {
  RequestHead head;
  const auto first = take_line(text);
  if (!first) return refuse(400, "malformed request line");
  Checked fine = parse_request_line(*first, head);
  while (fine && !text.empty()) {
    const auto line = take_line(text);
    if (!line) return refuse(400, "malformed header line");
    fine = parse_field(*line, head);
  }
  if (fine) fine = find_options(head);
  if (fine) fine = find_body(head);
  if (!fine) return std::unexpected(std::move(fine).error());
  return head;
}

std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      result += text[at] == '+' && plus_is_space ? ' ' : text[at];
      continue;
    }
    if (at + 2 >= text.size()) return std::nullopt;
    const int high = hex_value(text[at + 1]);
    const int low = hex_value(text[at + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    result += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return result;
}

}  // namespace kinf::sandbox
