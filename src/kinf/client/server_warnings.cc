// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/server_warnings.h"

#include <set>

#include "kinf/base/log.h"
#include "kinf/base/sync.h"
#include "kinf/base/visible_text.h"

namespace kinf {
namespace {

constexpr std::size_t kMostTexts = 100;  // limits the memory if a server always sends new texts

struct SaidBefore {
  Mutex mu;
  std::set<std::string> texts KINF_GUARDED_BY(mu);
};

bool is_new(const std::string& text) {
  static SaidBefore said;
  MutexLock lock(said.mu);
  return said.texts.size() < kMostTexts && said.texts.insert(text).second;
}

}  // namespace

std::string parse_warning(std::string_view header) {
  const std::size_t open = header.find('"');
  if (!header.starts_with("299 ") || open == std::string_view::npos) return {};
  std::string text;
  for (std::size_t i = open + 1; i < header.size() && header[i] != '"'; ++i) {
    if (header[i] == '\\' && i + 1 < header.size()) ++i;
    text += header[i];
  }
  return visible_text(text);
}

void show_server_warning(std::string_view header) {
  const std::string text = parse_warning(header);
  if (!text.empty() && is_new(text)) log::notice("server warning: {}", text);
}

}  // namespace kinf
