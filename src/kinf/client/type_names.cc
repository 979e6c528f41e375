// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/type_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <ranges>

#include "kinf/base/ascii.h"
#include "kinf/base/hints.h"
#include "kinf/client/discovery.h"

namespace kinf {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= kFarNames) return kFarNames;
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  std::size_t nearest_of_last = 0;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = to_lower(a[i - 1]) == to_lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && to_lower(a[i - 1]) == to_lower(b[j - 2]) &&
                           to_lower(a[i - 2]) == to_lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    // Each row is computed from the two rows before it, so no later value can be below the smaller
    // of the last two rows' minima.
    const std::size_t nearest = *std::ranges::min_element(row);
    if (std::min(nearest, nearest_of_last) >= kFarNames) return kFarNames;
    nearest_of_last = nearest;
    std::swap(before, last);
    std::swap(last, row);
  }
  return std::min(last[b.size()], kFarNames);
}

std::vector<std::string> similar_names(std::string_view wanted,
                                       std::vector<std::pair<std::size_t, std::string>> names) {
  constexpr std::size_t kSuggestions = 3;
  const std::size_t allowed = wanted.size() <= 3 ? 1 : wanted.size() <= 7 ? 2 : 3;
  std::erase_if(names, [&](const auto& name) { return name.first > allowed; });
  std::ranges::stable_sort(names, {}, [](const auto& name) { return name.first; });
  std::vector<std::string> shown;
  for (auto& [distance, name] : names) {
    const bool is_new = std::ranges::find(shown, name) == shown.end();
    if (is_new && shown.size() < kSuggestions) shown.push_back(std::move(name));
  }
  return shown;
}

std::string similar_names_hint(std::string_view wanted,
                               std::vector<std::pair<std::size_t, std::string>> names) {
  const std::vector<std::string> shown = similar_names(wanted, std::move(names));
  if (shown.empty()) return {};
  std::string joined = shown.front();
  for (std::size_t i = 1; i < shown.size(); ++i) {
    joined += (i + 1 == shown.size() ? " or " : ", ") + shown[i];
  }
  return "did you mean " + joined + "?  ";
}

namespace {

bool is_version(std::string_view text) {
  return text.size() >= 2 && text[0] == 'v' && text[1] >= '0' && text[1] <= '9';
}

bool has_plural(const ApiResource& type, std::string_view name) {
  return equals_ignoring_case(type.type.gvr.resource, name);
}

bool has_short_name(const ApiResource& type, std::string_view name) {
  return std::ranges::any_of(type.short_names, [&](const std::string& known) {
    return equals_ignoring_case(known, name);
  });
}

bool is_singular_or_kind(const ApiResource& type, std::string_view name) {
  return equals_ignoring_case(type.type.kind, name) ||
         (!type.type.singular.empty() && equals_ignoring_case(type.type.singular, name));
}

/// Finds the first eligible type called `name`: searches plurals, then short names, then singulars
/// and kinds.
template <class Eligible>
const ApiResource* find_where(std::span<const ApiResource> types, std::string_view name,
                              Eligible eligible) {
  for (const auto has_name : {has_plural, has_short_name, is_singular_or_kind}) {
    for (const ApiResource& type : types) {
      if (eligible(type) && has_name(type, name)) return &type;
    }
  }
  return nullptr;
}

std::size_t distance_to(std::string_view name, const ApiResource& type) {
  std::size_t best = edit_distance(name, type.type.gvr.resource);
  if (!type.type.singular.empty()) best = std::min(best, edit_distance(name, type.type.singular));
  return std::min(best, edit_distance(name, type.type.kind));
}

std::string with_short_name(const ApiResource& type) {
  const std::string& name = type.type.gvr.resource;
  return type.short_names.empty() ? name : fmt::format("{} ({})", name, type.short_names.front());
}

}  // namespace

bool ApiResource::has_verb(std::string_view verb) const {
  return std::ranges::find(verbs, verb) != verbs.end();
}

TypeName split_type_name(std::string_view name) {
  TypeName split;
  const std::size_t dot = name.find('.');
  split.type = name.substr(0, dot);
  if (dot == std::string_view::npos) return split;
  split.group = name.substr(dot + 1);
  const std::size_t end = std::min(split.group.find('.'), split.group.size());
  if (!is_version(split.group.substr(0, end))) return split;
  split.version = split.group.substr(0, end);
  split.group_behind_version = split.group.substr(std::min(end + 1, split.group.size()));
  return split;
}

const ApiResource* find_type(std::span<const ApiResource> types, std::string_view name) {
  return find_where(types, name, [](const ApiResource&) { return true; });
}

const ApiResource* find_type_in_group(std::span<const ApiResource> types, std::string_view name,
                                      std::string_view group) {
  const ApiResource* found = find_where(
      types, name, [&](const ApiResource& type) { return type.type.gvr.group == group; });
  if (found != nullptr || group.empty()) return found;
  return find_where(
      types, name, [&](const ApiResource& type) { return type.type.gvr.group.starts_with(group); });
}

Error unknown_type(std::string_view name,
                   std::initializer_list<std::span<const ApiResource>> types) {
  Error error(ErrorKind::usage,
              fmt::format("the server doesn't have a resource type \"{}\"", name));
  error.hint =
      hint_for("run `kinf api-resources` to list all types", "Discovery::all() returns all types");
  constexpr std::size_t kNameBytes = 64;  // a longer name is not a typing error
  const std::string_view wanted = split_type_name(name).type;
  if (wanted.size() > kNameBytes) return error;
  std::vector<std::pair<std::size_t, std::string>> names;
  for (const ApiResource& type : types | std::views::join) {
    if (type.type.gvr.resource.size() > 2 * kNameBytes || !type.has_verb("list")) continue;
    const std::size_t distance = distance_to(wanted, type);
    if (distance < kFarNames) names.emplace_back(distance, with_short_name(type));
  }
  error.hint.insert(0, similar_names_hint(wanted, std::move(names)));
  return error;
}

}  // namespace kinf
