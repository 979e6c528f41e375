// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/object_key.h"

#include <fmt/format.h>

namespace kinf {

std::string object_key(std::string_view ns, std::string_view name) {
  std::string key;
  key.reserve(ns.size() + 1 + name.size());
  if (!ns.empty()) key.append(ns).append("/");
  return key.append(name);
}

std::string to_string(const ObjectKey& key) { return object_key(key.ns, key.name); }

Result<ObjectKey> parse_object_key(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return ObjectKey{"", std::string(text)};
  if (text.find('/', slash + 1) != std::string_view::npos) {
    return fail(ErrorKind::usage, fmt::format("unexpected key format: \"{}\"", text));
  }
  return ObjectKey{std::string(text.substr(0, slash)), std::string(text.substr(slash + 1))};
}

}  // namespace kinf
