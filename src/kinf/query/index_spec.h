// SPDX-License-Identifier: Apache-2.0
// IndexSpec: the value of one `--by` flag of `kinf index`. It defines the values by which objects
// are indexed and, optionally, a pattern that selects some of these values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/api/object_path.h"
#include "kinf/base/error.h"
#include "kinf/query/jsonpath.h"
#include "kinf/query/value_pattern.h"

namespace kinf {

/// The value of one `--by` flag. The text of the flag is `KEY` or `KEY=VALUE`. KEY is a label
/// (`app` or `label:app`), `annotation:KEY`, a JSONPath such as `.spec.nodeName`, or a built-in
/// index such as `@node`.
/// Threads: immutable after parse() and set_value().
class IndexSpec {
 public:
  enum class Source { label, annotation, path, built_in, owner, root };

  /// Parses a `--by` flag. Fails with a usage error whose hint lists the choices.
  static Result<IndexSpec> parse(std::string_view text);
  /// Returns the names of all built-in indices, sorted; all start with `@`.
  static std::vector<std::string> built_in_names();

  Source source() const { return source_; }
  /// Returns the key of the label or annotation; empty for other sources.
  const std::string& key() const { return key_; }
  /// Returns whether both specs have the same key, even if it is written in another way: `app` and
  /// `label:app`, or `.spec.nodeName` and `.spec['nodeName']`.
  bool has_key_of(const IndexSpec& other) const;
  /// Returns the full name of the index, such as `label:app`, `.spec.nodeName` or `@node`.
  std::string name() const;
  /// Returns the column header, such as `APP`, `NODENAME` or `NODE`.
  std::string header() const;
  /// Returns the pattern that values must match; nullopt if all values match.
  const std::optional<ValuePattern>& value() const { return value_; }
  void set_value(ValuePattern value) { value_ = std::move(value); }
  /// Returns whether `value` matches the pattern.
  bool wants(std::string_view value) const { return !value_ || value_->matches(value); }

  /// Returns the path of the values if there is exactly one, and it has only names and list
  /// elements. Otherwise returns null.
  const ObjectPath* path() const { return paths_.size() == 1 ? &paths_.front() : nullptr; }
  /// Returns whether the values must be read from the JSON document, not from the decoded fields of
  /// Object.
  bool needs_document() const { return !paths_.empty() || expression_.has_value(); }
  /// Returns whether values may be outside the object's metadata.
  bool needs_whole_object() const;
  /// Returns whether the values depend on other objects, namely the owners of the object's owners:
  /// `@root`, and `@owner=VALUE`.
  bool follows_owners() const;
  /// Returns whether a value may come from the data of a Secret.
  bool may_show_secrets() const;

  /// Returns the values of one object without duplicates. An owner is written as
  /// `replicaset.apps/web-5d9c7`; only direct owners are returned.
  std::vector<std::string> values(const Object& object) const;
  /// Returns the values of one object with duplicates.
  std::vector<std::string> occurrences(const Object& object) const;

 private:
  Result<void> take_path(std::string_view text);
  std::vector<std::string> document_values(const Object& object) const;

  Source source_ = Source::label;
  std::string key_;                     ///< key of the label or annotation
  std::string text_;                    ///< the path or the built-in name, as the user wrote it
  std::vector<ObjectPath> paths_;       ///< paths that have only names and list elements
  std::optional<JsonPath> expression_;  ///< set if the path has more, such as a filter
  std::optional<ValuePattern> value_;
};

/// Converts a JSONPath to an ObjectPath. Returns nullopt unless it is a single action of names and
/// list elements.
std::optional<ObjectPath> as_object_path(const std::vector<jsonpath::Node>& nodes);

/// Returns the name of an owner as in `kubectl -o name`, such as `deployment.apps/web`.
std::string owner_name(std::string_view api_version, std::string_view kind, std::string_view name);

}  // namespace kinf
