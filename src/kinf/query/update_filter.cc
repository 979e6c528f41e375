// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/update_filter.h"

#include <fmt/format.h>

#include <algorithm>

namespace kinf {

Result<UpdateFilter> UpdateFilter::parse(std::span<const std::string> changed,
                                         std::span<const std::string> ignored) {
  UpdateFilter filter;
  for (const std::string& path : changed) {
    Result<IndexSpec> spec = IndexSpec::parse(path);
    if (!spec || spec->source() != IndexSpec::Source::path || spec->value()) {
      return fail(ErrorKind::usage,
                  fmt::format("--changed {}: not a JSONPath such as .data", path));
    }
    filter.changed_.push_back(*std::move(spec));
  }
  Result<IgnoredPaths> paths = IgnoredPaths::parse(ignored);
  if (!paths) return std::unexpected(std::move(paths).error());
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

}  // namespace kinf
