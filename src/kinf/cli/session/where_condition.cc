// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/where_condition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/api/object_path.h"
#include "kinf/base/log.h"
#include "kinf/cli/selection/watch_plan.h"
#include "kinf/client/type_names.h"
#include "kinf/print/event_printer.h"
#include "kinf/print/secret_mask.h"
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

Selection::Condition where_condition(const PlannedInformer& planned,
                                     const std::shared_ptr<Where>& where,
                                     const std::stop_token& stop,
                                     std::function<void(const Error&)> on_end) {
  const std::string resource = planned.type->gvr.group_resource();
  const bool is_secret = is_secret_type(*planned.type);
  return [where, resource, is_secret, stop, on_end = std::move(on_end)](const Object& object,
                                                                        const Object* old) {
    const Result<bool> matches =
        where->matches(object, old, resource + " " + object.key(), is_secret, stop);
    if (!matches) on_end(matches.error());
    return matches && *matches;
  };
}

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

void name_mistyped_fields(std::span<const JqReads::Path> paths, std::span<const ObjectPtr> objects,
                          const WatchPlan& plan) {
  std::string noun = plan.cluster.empty() ? "no " : plan.cluster + ": no ";
  noun += plan.types.size() == 1 ? typed_name(*plan.types.front(), "") : "object";
  if (noun.ends_with('/')) noun.pop_back();
  const std::set<JqReads::Path> different(paths.begin(), paths.end());
  for (const JqReads::Path& path : different) {
    if (const auto meant = meant_path(objects, path)) {
      log::notice("{} has .{}; did you mean .{}?", noun, fmt::join(path, "."),
                  fmt::join(*meant, "."));
    }
  }
}

}  // namespace kinf
