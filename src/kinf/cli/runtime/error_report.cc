// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/runtime/error_report.h"

#include <algorithm>

#include "kinf/api/api_status.h"
#include "kinf/base/log.h"
#include "kinf/base/visible_text.h"

namespace kinf {
namespace {

/// Returns the text on one line, without characters that control the terminal.
std::string harmless(std::string_view text) {
  std::string line(text);
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

}  // namespace kinf
