// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/meant_path.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/api/object_path.h"
#include "kinf/client/type_names.h"
#include "kinf/query/jsonpath.h"

namespace kinf {
namespace {

// Similar names are searched in this many objects, and not in huge ones.
constexpr std::size_t kSamples = 20;
constexpr std::size_t kSampleBytes = std::size_t{1} << 20U;
constexpr std::size_t kLetters = 2;

bool has_path(std::span<const ObjectPtr> objects, const JqReads::Path& path) {
  const std::vector<std::string_view> names(path.begin(), path.end());
  return std::ranges::any_of(
      objects, [&](const ObjectPtr& object) { return object_field(*object, names).has_value(); });
}

/// The names beside the first name of a path that an object lacks.
struct Siblings {
  std::size_t depth = 0;  ///< how many names of the path the object has
  std::set<std::string> names;
};

Siblings siblings_in(const Object& object, const JqReads::Path& path) {
  Scratch scratch;
  const std::string_view json = object.json(scratch);
  if (json.size() > kSampleBytes) return {};
  const nlohmann::json document = parse_document(json);
  const nlohmann::json* at = &document;
  Siblings siblings;
  while (siblings.depth < path.size() && at->is_object() && at->contains(path[siblings.depth])) {
    at = &(*at)[path[siblings.depth++]];
  }
  if (siblings.depth == path.size() || !at->is_object()) return siblings;
  for (const auto& [name, value] : at->items()) siblings.names.insert(name);
  return siblings;
}

/// Returns whether `name` may be a mistake for `similar`. A name with a prefix, such as
/// `unavailableReplicas`, is another field.
bool may_mean(std::string_view name, std::string_view similar) {
  return edit_distance(name, similar) <= kLetters && !name.ends_with(similar);
}

}  // namespace

std::optional<JqReads::Path> meant_path(std::span<const ObjectPtr> objects,
                                        const JqReads::Path& path) {
  const std::span<const ObjectPtr> samples = objects.first(std::min(objects.size(), kSamples));
  Siblings known;
  for (const ObjectPtr& object : samples) {
    Siblings siblings = siblings_in(*object, path);
    if (siblings.depth == path.size()) return std::nullopt;
    if (siblings.depth > known.depth) {
      known = std::move(siblings);
    } else if (siblings.depth == known.depth) {
      known.names.merge(siblings.names);
    }
  }
  const std::string& wrong = path[known.depth];
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& name : known.names) {
    if (may_mean(wrong, name)) near.emplace_back(edit_distance(wrong, name), name);
  }
  for (const std::string& name : similar_names(wrong, std::move(near))) {
    JqReads::Path meant = path;
    meant[known.depth] = name;
    if (has_path(samples, meant)) {
      return has_path(objects, path) ? std::nullopt : std::optional(std::move(meant));
    }
  }
  return std::nullopt;
}

}  // namespace kinf
