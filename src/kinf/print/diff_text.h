// SPDX-License-Identifier: Apache-2.0
// Differences as text: lines, YAML, a JSON patch, and the fields `diff` and `patch` of a JSON
// event.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/print/table_text.h"
#include "kinf/query/diff.h"

namespace kinf {

struct PrintOptions;

enum class DiffForm {
  lines,  ///< `.status.phase   Pending → Running`
  yaml,   ///< the changed parts as YAML, `-` before old lines and `+` before new ones
  patch,  ///< RFC 6902, one operation per line
};

/// Formats the differences that are printed below the row of a change.
/// Threads: one owner.
class DiffText {
 public:
  explicit DiffText(const PrintOptions& options);

  /// Appends the differences, each line indented by `indent` blanks. Writes only printable
  /// characters. Form `lines` cuts values of more than 80 code points, unless
  /// PrintOptions::no_truncate is set. On a terminal, the forms `lines` and `yaml` wrap lines at
  /// its width. Form `patch` does not, because a wrapped operation would not be valid JSON.
  void append(std::string& out, const ObjectDiff& diff, std::size_t indent);

 private:
  /// `screen` is the width of the terminal, in cells; 0 means no limit.
  void append_lines(std::string& out, const ObjectDiff& diff, std::size_t indent,
                    std::size_t screen);

  /// Appends both values and the end of the line.
  void append_values(std::string& out, std::string_view before, std::string_view after) const;

  DiffForm form_;
  bool colour_;
  std::size_t longest_value_;  ///< in code points
  TerminalWidth terminal_width_;
  /// The width of the paths in form `lines`. Never shrinks, so that later lines are aligned.
  std::size_t path_width_ = 34;
};

/// Returns the old and the new value, each on one line. Shortens values of more than `longest` code
/// points to the part that changed.
std::pair<std::string, std::string> value_texts(const Difference& change, std::size_t longest);

/// Returns the changes that say most: lists that came or went by their items, and no times and
/// generations, unless nothing else changed.
std::vector<Difference> main_changes(const ObjectDiff& diff);

/// Returns a change in one line: `.spec.replicas 1 → 2`. Shortens long values.
std::string change_text(const Difference& change);

/// Appends `[{"path":…,"old":…,"new":…},…]`. Added values have no `old`, removed values have no
/// `new`.
void append_diff_json(std::string& out, const ObjectDiff& diff);
/// Appends `[{"op":…,"path":…},…]`.
void append_patch_json(std::string& out, const ObjectDiff& diff);

}  // namespace kinf
