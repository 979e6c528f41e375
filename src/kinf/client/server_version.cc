// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/server_version.h"

#include <charconv>
#include <nlohmann/json.hpp>

#include "kinf/base/limits.h"
#include "kinf/client/http_lister_watcher.h"

namespace kinf {
std::optional<ServerVersion> parse_server_version(std::string_view document) {
  if (document.size() > limits::kServerVersionBytes) return std::nullopt;
  const auto json = nlohmann::json::parse(document, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto found = json.find("gitVersion");
  if (found == json.end() || !found->is_string()) return std::nullopt;
  const auto& text = found->get_ref<const std::string&>();
  const char* end = text.data() + text.size();
  ServerVersion version;
  if (!text.starts_with('v')) return std::nullopt;
  const auto [dot, bad_major] = std::from_chars(text.data() + 1, end, version.major);
  if (bad_major != std::errc() || dot == end || *dot != '.') return std::nullopt;
  if (std::from_chars(dot + 1, end, version.minor).ec != std::errc()) return std::nullopt;
  return version;
}

namespace {

constexpr ServerVersion kConsistentReads{1, 31};
constexpr ServerVersion kSnapshots{1, 34};

}  // namespace

ListChoice cheapest_list(const std::optional<ServerVersion>& version,
                         Representation representation) {
  if (!version || *version >= kSnapshots) return {NewestFromMemory::pages, false};
  return {*version >= kConsistentReads ? NewestFromMemory::whole : NewestFromMemory::none,
          representation == Representation::object};
}

}  // namespace kinf
