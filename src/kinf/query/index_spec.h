// SPDX-License-Identifier: Apache-2.0
// IndexSpec: one `--by` of `kinf index`. It says by which values objects are indexed, and
// optionally which values are asked for.
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

/// `KEY` or `KEY=VALUE`. KEY is a label (`app` or `label:app`), `annotation:KEY`, a JSONPath such
/// as
/// `.spec.nodeName`, or a built-in index such as `@node`. Threads: immutable after parse() and
/// set_value().
class IndexSpec {
 public:
  enum class Source { label, annotation, path, built_in, owner, root };

  /// Errors: usage, with a hint that lists the choices.
  static Result<IndexSpec> parse(std::string_view text);
  /// Returns the names of all built-in indices, sorted; each begins with `@`.
  static std::vector<std::string> built_in_names();

  Source source() const { return source_; }
  /// The key of the label or annotation; empty for other sources.
  const std::string& key() const { return key_; }
  /// Returns the full name of the index: `label:app`, `.spec.nodeName`, `@node`.
  std::string name() const;
  /// Returns the header of its column: `APP`, `NODENAME`, `NODE`.
  std::string header() const;
  /// The value that is asked for; nullopt: all values.
  const std::optional<ValuePattern>& value() const { return value_; }
  void set_value(ValuePattern value) { value_ = std::move(value); }
  /// Whether a value matches what is asked for.
  bool wants(std::string_view value) const { return !value_ || value_->matches(value); }

  /// Whether the values are in the document, not among the fields that each Object keeps decoded.
  bool needs_document() const;
  /// Whether the values are outside metadata.
  bool needs_whole_object() const;
  /// Whether the values are found in other objects: in the owners of the owners.
  bool follows_owners() const;
  /// Whether a value can come from the data of a Secret.
  bool may_show_secrets() const;

  /// Returns the values of one object, each once. Owners, only the direct ones, look like
  /// `replicaset.apps/web-5d9c7`.
  std::vector<std::string> values(const Object& object) const;
  /// Returns the same with every occurrence of a value.
  std::vector<std::string> occurrences(const Object& object) const;

 private:
  Result<void> take_path(std::string_view text);
  std::vector<std::string> document_values(const Object& object) const;

  Source source_ = Source::label;
  std::string key_;                     ///< of a label or annotation
  std::string text_;                    ///< the path or built-in name, as written
  std::vector<ObjectPath> paths_;       ///< where the values are
  std::optional<JsonPath> expression_;  ///< a path with more than names and elements
  std::optional<ValuePattern> value_;
};

/// Returns the name of an owner as `kubectl -o name` writes it: `deployment.apps/web`.
std::string owner_name(std::string_view api_version, std::string_view kind, std::string_view name);

}  // namespace kinf
