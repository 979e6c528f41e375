// SPDX-License-Identifier: Apache-2.0
// JqReads: which members of its input a jq program can read. A jq value costs ten times as much as
// its JSON text, so parts that no program reads are not built.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace kinf {

/// A set of paths of one or two names: `status` with everything in it, or only `status.phase`.
/// Threads: immutable after construction, except merge().
class JqReads {
 public:
  /// The second names that are read. Empty: everything is read.
  using Names = std::set<std::string, std::less<>>;

  /// Reads everything.
  JqReads() = default;
  /// Returns what `program` reads of its input and of `$old`, or more. Understands paths
  /// (`.status.phase`, `$old.spec`), literals, operators, parentheses, brackets, `any(…; …)`,
  /// `all(…; …)`, and everything after a pipe that starts with these. A program with anything else
  /// reads everything. `program` must be a program that jq compiles.
  static JqReads of(std::string_view program);

  bool everything() const { return everything_; }
  /// Returns what is read of the top-level member `name`; null if it is not read. Call it only if
  /// not everything() is read.
  const Names* find(std::string_view name) const;
  /// Returns whether only the member `name`, or a part of it, is read.
  bool only(std::string_view name) const;
  /// Returns whether the members `outer` are read only for the member `inner` in them. Other
  /// members may be read.
  bool only_below(std::span<const std::string_view> outer, std::string_view inner) const;
  /// Returns whether the program certainly names a member that PartialObjectMetadata does not have,
  /// such as `.spec` or `$old.spec`.
  bool beyond_metadata() const { return beyond_metadata_; }
  /// Adds what `other` reads.
  void merge(const JqReads& other);

 private:
  class Scanner;
  void add(std::string_view name, std::string_view inner);

  bool everything_ = true;
  bool beyond_metadata_ = false;
  std::map<std::string, Names, std::less<>> members_;
};

}  // namespace kinf
