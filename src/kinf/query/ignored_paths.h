// SPDX-License-Identifier: Apache-2.0
// IgnoredPaths: the paths of `--ignore`. Changes at these paths are ignored.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/query/diff.h"

namespace kinf {

/// Threads: immutable.
class IgnoredPaths {
 public:
  /// Parses paths as DiffPattern does. `noise` stands for metadata.resourceVersion, managedFields,
  /// generation and the last-applied annotation, spec.renewTime of a Lease, and the heartbeats of a
  /// Node. Fails with a usage error for anything else.
  static Result<IgnoredPaths> parse(std::span<const std::string> texts);

  bool empty() const { return patterns_.empty(); }
  /// Removes the ignored changes of an object of `kind` from `changes`. Unless empty(), also
  /// removes the changes of resourceVersion and managedFields, because each update changes those
  /// fields.
  void remove_ignored(std::string_view kind, std::vector<Difference>& changes) const;

 private:
  struct Entry {
    DiffPattern pattern;
    std::string_view kind;  ///< the kind of the objects; empty means any kind
  };

  void add(std::string_view path, std::string_view kind = {});
  bool ignores(std::string_view kind, const Difference& change) const;
  bool ignores_all(std::string_view kind, DiffPath& path, std::string_view value) const;
  bool covers(std::string_view kind, const DiffPath& path) const;
  bool is_below(std::string_view kind, const DiffPath& path) const;

  std::vector<Entry> patterns_;
};

}  // namespace kinf
