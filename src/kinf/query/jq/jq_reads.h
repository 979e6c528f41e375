// SPDX-License-Identifier: Apache-2.0
// JqReads: the set of input members that a jq program can read. Building a jq value from JSON is
// slow (250 µs for a pod of 6 KB), so kinf does not build the parts that no program reads.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kinf {

/// A set of paths of one or two names, such as `status` (with all its members) or `status.phase`.
/// Threads: immutable after construction, except merge().
class JqReads {
 public:
  /// The members of one top-level member that are read. Empty means all of them.
  using Names = std::set<std::string, std::less<>>;
  /// The names of a path, such as `status` and `phase`.
  using Path = std::vector<std::string>;

  /// Creates the set for a program that reads everything.
  JqReads() = default;
  /// Returns at least everything that `program` reads from its input and from `$old`. Understands
  /// paths (`.status.phase`, `$old.spec`), literals, operators, parentheses, brackets, `any(…; …)`
  /// and `all(…; …)`. After a pipe, accepts most filters, because they read only the results of the
  /// filter before it. Any other program counts as reading everything. `program` must be a program
  /// that jq can compile.
  static JqReads of(std::string_view program);

  bool everything() const { return everything_; }
  /// Returns which members of the top-level member `name` are read, or null if `name` is not read.
  /// Call it only if everything() is false.
  const Names* find(std::string_view name) const;
  /// Returns whether only the member `name`, or a part of it, is read.
  bool only(std::string_view name) const;
  /// Returns whether nothing except the member `inner` is read from the top-level members in
  /// `outer`. Other top-level members may be read completely.
  bool only_below(std::span<const std::string_view> outer, std::string_view inner) const;
  /// Returns whether the program is known to name a member that PartialObjectMetadata does not
  /// have, such as `.spec` or `$old.spec`.
  bool beyond_metadata() const { return beyond_metadata_; }
  /// Returns paths of the input that the program names, each up to the first bracket or quote. May
  /// lack some, if everything() is true even all.
  const std::vector<Path>& paths() const { return paths_; }
  /// Adds the members that `other` reads.
  void merge(const JqReads& other);

 private:
  class Scanner;
  void add(std::string_view name, std::string_view inner);

  bool everything_ = true;
  bool beyond_metadata_ = false;
  std::map<std::string, Names, std::less<>> members_;
  std::vector<Path> paths_;
};

}  // namespace kinf
