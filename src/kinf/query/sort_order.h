// SPDX-License-Identifier: Apache-2.0
// SortOrder: the order of objects by the values at one or more JSONPaths (--sort-by).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/query/jsonpath.h"

namespace kinf {

/// Orders objects by the values at JSONPaths. Compares as kubectl does
/// (kubectl/pkg/cmd/get/sorter.go): numbers by value, strings that are Kubernetes quantities
/// (`500m`, `1Gi`) by amount, and other strings by their bytes. Objects without a value come first.
/// Unlike kubectl's, the sort is stable and accepts values of different types, in this order:
/// booleans, numbers, quantities, other strings.
/// Threads: immutable.
class SortOrder {
 public:
  /// Creates an order without paths, which keeps the order of the objects.
  SortOrder() = default;
  /// Parses paths separated by commas, such as `.status.phase,.metadata.name`. Braces and the
  /// leading dot may be omitted. A path after `-` sorts in reverse. Fails with a usage error.
  static Result<SortOrder> parse(std::string_view text);

  bool empty() const { return paths_.empty(); }
  /// Returns whether the order is known to depend only on the objects' metadata.
  bool reads_only_metadata() const;
  /// Returns whether a path is known to read a field outside the objects' metadata.
  bool reads_beyond_metadata() const;

  /// Returns the indexes of `objects` in sorted order. Null objects come first. Fails with a
  /// protocol error, in kubectl's words, if one of the paths has no value in any of the objects.
  Result<std::vector<std::size_t>> positions(const std::vector<const Object*>& objects) const;

 private:
  struct Path {
    std::string text;
    JsonPath expression;
    bool reverse = false;
  };
  std::vector<Path> paths_;
};

/// Splits `text` at the commas outside of brackets and quotes.
std::vector<std::string_view> split_paths(std::string_view text);

}  // namespace kinf
