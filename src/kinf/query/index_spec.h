// SPDX-License-Identifier: Apache-2.0
// IndexSpec: one `--by` of `kinf index`: which values an object stands under, and perhaps the one
// value that is looked for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/base/error.h"

namespace kinf {

/// `KEY` or `KEY=VALUE`; KEY is `app` or `label:app`, `annotation:KEY`, `@namespace`, `@node` or
/// `@owner`. Threads: immutable.
class IndexSpec {
 public:
  enum class Source { label, annotation, ns, node, owner };

  /// A usage error for what is none of these.
  static Result<IndexSpec> parse(std::string_view text);

  Source source() const { return source_; }
  /// The label or annotation; empty for the built-in ones.
  const std::string& key() const { return key_; }
  /// Spelt out: `label:app`, `@node`. The name of the index.
  std::string name() const;
  /// The column's header: `APP`, `NODE`.
  std::string header() const;
  /// What is looked for; empty: group by all values.
  const std::optional<std::string>& value() const { return value_; }
  void set_value(std::string value) { value_ = std::move(value); }

  /// The facts that an Object always carries do not answer this one.
  bool needs_document() const { return source_ == Source::annotation || source_ == Source::node; }
  /// Metadata alone does not answer this one.
  bool needs_whole_object() const { return source_ == Source::node; }

  /// The values of one object, none if it has none. Owners read `replicaset.apps/web-5d9c7`.
  std::vector<std::string> values(const Object& object) const;

 private:
  Source source_ = Source::label;
  std::string key_;
  std::optional<std::string> value_;
};

}  // namespace kinf
