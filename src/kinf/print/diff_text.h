// SPDX-License-Identifier: Apache-2.0
// Differences as text: lines, YAML, a JSON patch, and the fields `diff` and `patch` of a JSON
// event.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "kinf/print/table_text.h"
#include "kinf/query/diff.h"

namespace kinf {

enum class DiffForm {
  lines,  ///< `.status.phase   Pending → Running`
  yaml,   ///< the changed parts as YAML, `-` before old lines and `+` before new ones
  patch,  ///< RFC 6902, one operation per line
};

/// Formats the differences that are printed below the row of a change.
/// Threads: one owner.
class DiffText {
 public:
  explicit DiffText(DiffForm form, bool colour = false, TerminalWidth terminal_width = {})
      : form_(form), colour_(colour), terminal_width_(std::move(terminal_width)) {}

  /// Appends the differences, each line indented by `indent` blanks. Writes only printable
  /// characters. Form `lines` cuts long values. On a terminal, the forms `lines` and `yaml` cut
  /// lines to its width. Form `patch` does not, because a cut operation would not be valid JSON.
  void append(std::string& out, const ObjectDiff& diff, std::size_t indent);

 private:
  /// `room` is the maximum width of a line after the indentation, in cells; 0 means no limit.
  void append_lines(std::string& out, const ObjectDiff& diff, std::size_t indent, std::size_t room);

  DiffForm form_;
  bool colour_;
  TerminalWidth terminal_width_;
  /// The width of the paths in form `lines`. Never shrinks, so that later lines are aligned.
  std::size_t path_width_ = 34;
};

/// Returns the old and the new value, each on one line. Shortens values of more than `longest` code
/// points to the part that changed.
std::pair<std::string, std::string> value_texts(const Difference& change, std::size_t longest);

/// Appends `[{"path":…,"old":…,"new":…},…]`. Added values have no `old`, removed values have no
/// `new`.
void append_diff_json(std::string& out, const ObjectDiff& diff);
/// Appends `[{"op":…,"path":…},…]`.
void append_patch_json(std::string& out, const ObjectDiff& diff);

}  // namespace kinf
