// SPDX-License-Identifier: Apache-2.0
// IndexSpec: one `--by` of `kinf index`: which values an object stands under, and perhaps the
// values that are looked for.
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

/// `KEY` or `KEY=VALUE`; KEY is `app` or `label:app`, `annotation:KEY`, a JSONPath such as
/// `.spec.nodeName`, or a built-in one such as `@node`. Threads: immutable.
class IndexSpec {
 public:
  enum class Source { label, annotation, path, built_in, owner, root };

  /// A usage error for what is none of these.
  static Result<IndexSpec> parse(std::string_view text);
  /// All that begin with `@`.
  static std::vector<std::string> built_in_names();

  Source source() const { return source_; }
  /// The label or annotation; empty for the others.
  const std::string& key() const { return key_; }
  /// Spelt out: `label:app`, `.spec.nodeName`, `@node`. The name of the index.
  std::string name() const;
  /// The column's header: `APP`, `NODENAME`, `NODE`.
  std::string header() const;
  /// What is looked for; empty: group by all values.
  const std::optional<ValuePattern>& value() const { return value_; }
  void set_value(ValuePattern value) { value_ = std::move(value); }
  /// Whether a value counts: one that is looked for, or any.
  bool wants(std::string_view value) const { return !value_ || value_->matches(value); }

  /// The facts that an Object always carries do not answer this one.
  bool needs_document() const;
  /// Metadata alone does not answer this one.
  bool needs_whole_object() const;
  /// The answer lies in other objects: in the owners of the owners.
  bool follows_owners() const;
  /// A value might be one that a Secret keeps.
  bool may_show_secrets() const;

  /// The values of one object, each once; none if it has none. Owners, the direct ones, read
  /// `replicaset.apps/web-5d9c7`.
  std::vector<std::string> values(const Object& object) const;
  /// The same with every occurrence of a value.
  std::vector<std::string> occurrences(const Object& object) const;

 private:
  Result<void> take_path(std::string_view text);
  std::vector<std::string> document_values(const Object& object) const;

  Source source_ = Source::label;
  std::string key_;                     ///< of a label or annotation
  std::string text_;                    ///< of a path or built-in one, as it is named
  std::vector<ObjectPath> paths_;       ///< where the values stand
  std::optional<JsonPath> expression_;  ///< a path that is more than names and elements
  std::optional<ValuePattern> value_;
};

/// An owner as the indices name it, as `kubectl -o name` does: `deployment.apps/web`.
std::string owner_name(std::string_view api_version, std::string_view kind, std::string_view name);

}  // namespace kinf
