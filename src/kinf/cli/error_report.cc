// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/error_report.h"

#include <fmt/format.h>

#include "kinf/api/api_status.h"
#include "kinf/base/log.h"

namespace kinf {
namespace {

/// Replaces control characters, so that text from a server or file cannot control the terminal.
std::string harmless(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      result += c;
    } else if (c == '\n' || c == '\t') {
      result += ' ';
    } else {
      result += fmt::format("\\x{:02x}", byte);
    }
  }
  return result;
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

}  // namespace kinf
