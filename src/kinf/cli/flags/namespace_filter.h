// SPDX-License-Identifier: Apache-2.0
// NamespaceFilter: the namespaces that the flags select by name: -n, -A, globs and exclusions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/query/value_pattern.h"

namespace kinf {

/// Examples: `shop`, `a,b`, `team-*`, `!kube-*` (all others), `team-*,!team-old`.
/// Threads: immutable.
class NamespaceFilter {
 public:
  /// Returns a filter that selects every namespace.
  static NamespaceFilter all() { return {}; }
  /// Parses the value of -n. An empty string means `default`. Errors: usage.
  static Result<NamespaceFilter> parse(std::string_view text);

  /// Returns true if every namespace is selected.
  bool is_all() const { return included_.empty() && excluded_.empty(); }
  /// Returns true if the filter is a list of names, so that names() is complete.
  bool is_exact() const { return !names_.empty(); }
  /// Returns the names, each once, in the order of the text, without the excluded ones.
  const std::vector<std::string>& names() const { return names_; }
  bool selects(std::string_view ns) const;
  /// Returns the text as the user wrote it.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<std::string> names_;  ///< empty unless is_exact()
  std::vector<ValuePattern> included_;
  std::vector<ValuePattern> excluded_;
};

/// Returns true if `name` is a glob: it contains `*` or `?`.
bool is_glob(std::string_view name);

}  // namespace kinf
