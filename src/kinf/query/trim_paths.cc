// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/trim_paths.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinf/query/index_spec.h"

namespace kinf {
namespace {

ObjectPath members(std::initializer_list<const char*> names) {
  ObjectPath path;
  for (const char* name : names) path.push_back({PathStep::Kind::member, name, 0});
  return path;
}

Result<ObjectPath> parse_path(std::string_view flag, const std::string& text) {
  const Result<IndexSpec> spec = IndexSpec::parse(text);
  const bool is_path = spec && !spec->value() && spec->path() != nullptr &&
                       (spec->source() == IndexSpec::Source::path ||
                        spec->source() == IndexSpec::Source::annotation);
  const auto is_position = [](const PathStep& step) {
    return step.kind == PathStep::Kind::element;
  };
  if (!is_path || std::ranges::any_of(*spec->path(), is_position)) {
    return fail(ErrorKind::usage,
                fmt::format("{} {}: not a path such as .spec.containers[*].env", flag, text));
  }
  return *spec->path();
}

/// Returns whether an object without the field at `path` could not be identified.
bool is_needed(const ObjectPath& path) {
  const ObjectPath needed[] = {
      members({"apiVersion"}),       members({"kind"}),
      members({"metadata", "name"}), members({"metadata", "namespace"}),
      members({"metadata", "uid"}),  members({"metadata", "resourceVersion"})};
  return std::ranges::any_of(needed, [&](const ObjectPath& field) {
    return path.size() <= field.size() && std::equal(path.begin(), path.end(), field.begin());
  });
}

}  // namespace

Result<std::shared_ptr<const ObjectTrim>> parse_trim(std::span<const std::string> drop,
                                                     std::span<const std::string> keep,
                                                     bool keep_managed_fields) {
  if (drop.empty() && keep.empty()) return nullptr;
  const ObjectPath managed_fields = members({"metadata", "managedFields"});
  std::vector<ObjectPath> dropped;
  std::vector<ObjectPath> kept;
  for (const std::string& text : drop) {
    Result<ObjectPath> path = parse_path("--drop", text);
    if (!path) return std::unexpected(std::move(path).error());
    if (is_needed(*path)) {
      return fail(ErrorKind::usage, fmt::format("--drop {}: kinf needs this field", text));
    }
    dropped.push_back(*std::move(path));
  }
  for (const std::string& text : keep) {
    Result<ObjectPath> path = parse_path("--keep", text);
    if (!path) return std::unexpected(std::move(path).error());
    kept.push_back(*std::move(path));
  }
  if (!keep_managed_fields) {
    dropped.push_back(managed_fields);
  } else if (!kept.empty()) {
    kept.push_back(managed_fields);
  }
  return std::make_shared<const ObjectTrim>(dropped, kept);
}

}  // namespace kinf
