// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/runtime/error_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinf/api/api_status.h"
#include "kinf/base/limits.h"
#include "kinf/base/log.h"
#include "kinf/base/number_text.h"
#include "kinf/base/visible_text.h"

namespace kinf {
namespace {

/// Leaves out the middle of a text that is longer than limits::kMessageBytes, such as one that
/// repeats an argument or lists thousands of names. The reason is often at its end.
std::string shortened(std::string_view text) {
  if (text.size() <= limits::kMessageBytes) return std::string(text);
  const auto is_inside = [&](std::size_t at) {  // of a character of several bytes
    return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80;
  };
  std::size_t begin = limits::kMessageBytes / 2;
  while (begin > 0 && is_inside(begin)) --begin;
  std::size_t end = text.size() - limits::kMessageBytes / 4;
  while (end < text.size() && is_inside(end)) ++end;
  return fmt::format("{}… ({} bytes left out) …{}", text.substr(0, begin), end - begin,
                     text.substr(end));
}

/// Returns the text on one line, shortened, without characters that control the terminal.
std::string harmless(std::string_view text) {
  std::string line = shortened(text);
  std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return visible_line(line);
}

std::string server_text(const ApiStatus& status, const std::string& otherwise) {
  const std::string reason = status.reason.empty() ? "" : " (" + status.reason + ")";
  return "Error from server" + reason + ": " +
         (status.message.empty() ? otherwise : status.message);
}

}  // namespace

std::string error_text(const Error& error) {
  std::string text;
  if (error.status == nullptr) {
    text = "error: " + error.message;
  } else if (error.status->reason == "Unauthorized") {
    text = "error: You must be logged in to the server (Unauthorized)";
  } else {
    text = server_text(*error.status, error.message);
  }
  text = harmless(text);
  if (!error.hint.empty()) text += "\nhint: " + harmless(error.hint);
  return text;
}

void report(const Error& error) { report(error, {}); }

void report(const Error& error, std::string_view context) {
  const std::string prefix = context.empty() ? "" : harmless(context) + ": ";
  log::error(prefix + error_text(error));
}

void log_left_out(std::string_view cluster, const std::vector<std::string>& types) {
  if (types.empty()) return;
  log::notice("{}{}cannot be listed, left out: {}", cluster, cluster.empty() ? "" : ": ",
              first_names(types));
}

}  // namespace kinf
