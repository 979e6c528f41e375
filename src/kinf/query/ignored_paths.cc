// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/ignored_paths.h"

#include <algorithm>

#include "kinf/query/json_reader.h"

namespace kinf {

void IgnoredPaths::add(std::string_view path, std::string_view kind) {
  patterns_.push_back({*DiffPattern::parse(path), kind});
}

Result<IgnoredPaths> IgnoredPaths::parse(std::span<const std::string> texts) {
  IgnoredPaths ignored;
  if (texts.empty()) return ignored;
  ignored.add(".metadata.resourceVersion");
  ignored.add(".metadata.managedFields");
  for (const std::string& text : texts) {
    if (text == "noise") {
      ignored.add(".metadata.generation");
      ignored.add(R"(.metadata.annotations.kubectl\.kubernetes\.io/last-applied-configuration)");
      ignored.add(".spec.renewTime", "Lease");
      ignored.add(".status.conditions[*].lastHeartbeatTime", "Node");
      continue;
    }
    Result<DiffPattern> pattern = DiffPattern::parse(text);
    if (!pattern) {
      return fail(ErrorKind::usage, "--ignore {}, and not noise",
                  std::move(pattern).error().message);
    }
    ignored.patterns_.push_back({*std::move(pattern), {}});
  }
  return ignored;
}

bool IgnoredPaths::covers(std::string_view kind, const DiffPath& path) const {
  return std::ranges::any_of(patterns_, [&](const Entry& entry) {
    return (entry.kind.empty() || entry.kind == kind) && entry.pattern.covers(path);
  });
}

bool IgnoredPaths::is_below(std::string_view kind, const DiffPath& path) const {
  return std::ranges::any_of(patterns_, [&](const Entry& entry) {
    return (entry.kind.empty() || entry.kind == kind) && entry.pattern.is_below(path);
  });
}

/// Returns whether an added or removed value is ignored. A JSON object that was added or removed as
/// a whole is ignored if all of its members are.
bool IgnoredPaths::ignores_all(std::string_view kind, DiffPath& path,
                               std::string_view value) const {
  if (covers(kind, path)) return true;
  if (value.front() != '{' || !is_below(kind, path)) return false;
  JsonReader members(value);
  JsonReader::Piece member;
  bool any = false;
  while (members.next(member)) {
    any = true;
    path.push_back({DiffStep::Kind::member, json_string(member.key).value_or(""), 0, 0});
    const bool ignored = ignores_all(kind, path, member.value);
    path.pop_back();
    if (!ignored) return false;
  }
  return any && members.is_at_end();
}

bool IgnoredPaths::ignores(std::string_view kind, const Difference& change) const {
  if (!change.old_value.empty() && !change.new_value.empty()) return covers(kind, change.path);
  DiffPath path = change.path;
  return ignores_all(kind, path, change.old_value.empty() ? change.new_value : change.old_value);
}

void IgnoredPaths::remove_ignored(std::string_view kind, std::vector<Difference>& changes) const {
  if (patterns_.empty()) return;
  std::erase_if(changes, [&](const Difference& change) { return ignores(kind, change); });
}

}  // namespace kinf
