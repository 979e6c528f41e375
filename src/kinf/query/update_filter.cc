// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/update_filter.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "kinf/api/object_path.h"

namespace kinf {

Result<UpdateFilter> UpdateFilter::parse(std::span<const std::string> changed,
                                         std::span<const std::string> ignored) {
  UpdateFilter filter;
  for (const std::string& path : changed) {
    Result<IndexSpec> spec = IndexSpec::parse(path);
    if (!spec || spec->source() != IndexSpec::Source::path || spec->value()) {
      return fail(ErrorKind::usage, "--changed {}: not a JSONPath such as .data", path);
    }
    filter.changed_.push_back(*std::move(spec));
  }
  Result<IgnoredPaths> paths = IgnoredPaths::parse(ignored);
  if (!paths) return fail(paths);
  filter.ignored_ = *std::move(paths);
  return filter;
}

bool UpdateFilter::changed_needs_whole_object() const {
  return std::ranges::any_of(changed_, &IndexSpec::needs_whole_object);
}

bool UpdateFilter::passes(const Object& old_object, const Object& object) const {
  const bool changed =
      changed_.empty() || std::ranges::any_of(changed_, [&](const IndexSpec& path) {
        return path.occurrences(old_object) != path.occurrences(object);
      });
  if (!changed || ignored_.empty()) return changed;
  Scratch old_scratch;
  Scratch scratch;
  Result<ObjectDiff> found = diff(old_object.json(old_scratch), object.json(scratch));
  if (!found) return true;
  ignored_.remove_ignored(object.kind(), found->changes);
  return !found->changes.empty();
}

namespace {

std::vector<std::string_view> steps_of(std::string_view field) {
  std::vector<std::string_view> steps;
  for (;;) {
    const std::size_t dot = field.find('.');
    steps.push_back(field.substr(0, dot));
    if (dot == std::string_view::npos) return steps;
    field.remove_prefix(dot + 1);
  }
}

}  // namespace

void FieldFilter::add(FieldRequirement requirement) {
  const MutexLock lock(mu_);
  requirements_.push_back(std::move(requirement));
  is_empty_ = false;
}

bool FieldFilter::matches(const Object& object) const {
  if (is_empty_) return true;
  const MutexLock lock(mu_);
  return std::ranges::all_of(requirements_, [&](const FieldRequirement& requirement) {
    const std::string value = object_field(object, steps_of(requirement.field)).value_or("");
    return (value == requirement.value) == requirement.equal;
  });
}

}  // namespace kinf
