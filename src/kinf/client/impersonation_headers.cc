// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/impersonation_headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace kinf {
namespace {

/// Returns whether `c` is an RFC 9110 token character other than `%`, which is the escape
/// character.
bool is_name_char(unsigned char c) {
  return std::isalnum(c) != 0 || std::string_view("!#$&'*+-.^_`|~").contains(static_cast<char>(c));
}

std::string escaped_name(std::string_view key) {
  std::string out;
  for (const char c : key) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && is_name_char(byte)) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", byte);
    }
  }
  return out;
}

}  // namespace

bool is_header_value(std::string_view value) {
  return std::ranges::none_of(value, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < ' ' && c != '\t') || byte == 0x7f;
  });
}

Result<std::vector<std::string>> impersonation_headers(const Impersonation& impersonation) {
  std::vector<std::string> headers;
  if (impersonation.user.empty()) return headers;
  bool clean = true;
  const auto add = [&](std::string_view name, const std::string& value) {
    clean = clean && is_header_value(value);
    headers.push_back(fmt::format("{}: {}", name, value));
  };
  add("Impersonate-User", impersonation.user);
  if (!impersonation.uid.empty()) add("Impersonate-Uid", impersonation.uid);
  for (const std::string& group : impersonation.groups) add("Impersonate-Group", group);
  for (const auto& [key, values] : impersonation.extra) {
    for (const std::string& value : values) {
      add("Impersonate-Extra-" + escaped_name(key), value);
    }
  }
  if (!clean) {
    return fail(ErrorKind::usage, "impersonation: a name contains control characters");
  }
  return headers;
}

}  // namespace kinf
