// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/list_options.h"

#include <fmt/format.h>

#include <charconv>

namespace kinf::sandbox {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Base 64 for URLs, without padding.
std::string encode(std::string_view bytes) {
  std::string result;
  std::uint32_t pending = 0;
  int bits = 0;
  for (const char c : bytes) {
    pending = (pending << 8) | static_cast<unsigned char>(c);
    for (bits += 8; bits >= 6; bits -= 6) result += kAlphabet[(pending >> (bits - 6)) & 63];
  }
  if (bits > 0) result += kAlphabet[(pending << (6 - bits)) & 63];
  return result;
}

std::optional<std::string> decode(std::string_view text) {
  std::string result;
  std::uint32_t pending = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t digit = kAlphabet.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    pending = (pending << 6) | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      result += static_cast<char>((pending >> bits) & 0xff);
    }
  }
  return result;
}

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

ApiStatus bad_option(std::string field, std::string reason, std::string message) {
  return invalid("meta.k8s.io", "ListOptions", "",
                 {{std::move(reason), std::move(message), std::move(field)}});
}

Answer<VersionMatch> parse_match(const HttpRequest& request, bool is_watch) {
  const std::string match = request.parameter("resourceVersionMatch");
  const bool initial = request.flag("sendInitialEvents");
  if (match.empty()) {
    if (!initial) return VersionMatch::unset;
    return std::unexpected(bad_option(
        "resourceVersionMatch", "FieldValueForbidden",
        "Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  }
  if (match != "Exact" && match != "NotOlderThan") {
    return std::unexpected(bad_option(
        "resourceVersionMatch", "FieldValueNotSupported",
        fmt::format("Unsupported value: \"{}\": supported values: \"Exact\", \"NotOlderThan\"",
                    match)));
  }
  if (is_watch && !initial) {
    return std::unexpected(bad_option(
        "resourceVersionMatch", "FieldValueForbidden",
        "Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is "
        "provided"));
  }
  const std::string version = request.parameter("resourceVersion");
  if (!is_watch && version.empty()) {
    return std::unexpected(bad_option(
        "resourceVersionMatch", "FieldValueForbidden",
        "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided"));
  }
  if (match == "Exact" && (is_watch || version == "0")) {
    return std::unexpected(
        bad_option("resourceVersionMatch", "FieldValueForbidden",
                   is_watch ? "Forbidden: sendInitialEvents requires setting resourceVersionMatch "
                              "to NotOlderThan"
                            : "Forbidden: resourceVersionMatch \"exact\" is forbidden for "
                              "resourceVersion \"0\""));
  }
  return match == "Exact" ? VersionMatch::exact : VersionMatch::not_older_than;
}

}  // namespace

std::string to_text(const ContinueToken& token) {
  const Json json = {{"v", "meta.k8s.io/v1"}, {"rv", token.version}, {"start", token.start}};
  return encode(to_text(json));
}

Answer<ContinueToken> parse_continue_token(std::string_view text_in) {
  const std::optional<std::string> decoded = decode(text_in);
  const std::optional<Json> json = decoded ? parse_json(*decoded) : std::nullopt;
  const Json token = json.value_or(Json());
  const std::string start = text(field(token, "start"));
  if (!field(token, "rv").is_number_integer() || !start.starts_with('/')) {
    return std::unexpected(bad_request(
        "invalid continue token: continue key is not valid: it was not made by this server"));
  }
  return ContinueToken{token["rv"].get<std::int64_t>(), start};
}

Answer<RequestedList> parse_list_request(const HttpRequest& request, bool is_watch) {
  RequestedList result;
  const std::string version = request.parameter("resourceVersion");
  if (!version.empty()) {
    result.version = parse_number<std::uint64_t>(version);
    if (!result.version) {
      return std::unexpected(bad_request(
          fmt::format("invalid resource version: resourceVersion: Invalid value: \"{}\": "
                      "strconv.ParseUint: parsing \"{}\": invalid syntax",
                      version, version)));
    }
  }
  const Answer<VersionMatch> match = parse_match(request, is_watch);
  if (!match) return std::unexpected(match.error());
  result.match = *match;
  result.limit = parse_number<std::size_t>(request.parameter("limit")).value_or(0);
  const std::string token = request.parameter("continue");
  if (!token.empty() && !is_watch) {
    if (!version.empty() && version != "0") {
      return std::unexpected(
          bad_request("specifying resource version is not allowed when using continue"));
    }
    Answer<ContinueToken> parsed = parse_continue_token(token);
    if (!parsed) return std::unexpected(std::move(parsed).error());
    result.token = std::move(*parsed);
  }
  result.bookmarks = request.flag("allowWatchBookmarks");
  result.send_initial_events = is_watch && request.flag("sendInitialEvents");
  result.timeout_seconds =
      parse_number<std::int64_t>(request.parameter("timeoutSeconds")).value_or(0);
  return result;
}

}  // namespace kinf::sandbox
