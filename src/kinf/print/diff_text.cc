// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/diff_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>

#include "kinf/base/display_width.h"
#include "kinf/base/json_string.h"
#include "kinf/base/unicode.h"
#include "kinf/base/visible_text.h"
#include "kinf/print/event_printer.h"
#include "kinf/print/json_tree.h"
#include "kinf/print/yaml_text.h"
#include "kinf/query/json_patch.h"

namespace kinf {
namespace {

/// The maximum width of the path column. A longer path moves only the values in its own line.
constexpr std::size_t kWidestPath = 60;
/// The maximum length of a value in a line, in code points.
constexpr std::size_t kWidestValue = 80;
/// The maximum length of a value behind its path, in code points.
constexpr std::size_t kShownValueWidth = 40;
/// How many code points of a long value are shown before the place where it changed.
constexpr std::size_t kContext = 16;

/// The number of spaces after a path.
constexpr std::size_t kPathGap = 3;
/// The width of the arrow between two values, with its spaces.
constexpr std::size_t kArrow = 3;
/// The indentation of values below their path, relative to the path.
constexpr std::size_t kValueIndent = 4;

/// Returns the length of the common start of both texts, in bytes. Does not split a code point.
std::size_t common_prefix(std::string_view a, std::string_view b) {
  std::size_t size = 0;
  while (size < a.size() && size < b.size()) {
    const std::size_t step = decode_rune(a, size).size;
    if (a.substr(size, step) != b.substr(size, step)) break;
    size += step;
  }
  return size;
}

/// Returns `text` from `begin` on, cut to `longest` code points, with `…` where text is missing.
std::string cut(std::string_view text, std::size_t begin, std::size_t longest) {
  std::string out = begin > 0 ? "…" : "";
  std::size_t at = begin;
  std::size_t left = longest;
  while (at < text.size() && left > 0) {
    at += decode_rune(text, at).size;
    --left;
  }
  out += text.substr(begin, at - begin);
  if (at < text.size()) out += "…";
  return out;
}

/// If `value` is an entry of `conditions`, returns its status, which is more informative than the
/// whole entry. Otherwise returns an empty text.
std::string_view condition_status(const Difference& change, std::string_view value) {
  const DiffPath& path = change.path;
  if (path.size() < 2 || path[path.size() - 2].name != "conditions" || path.back().key == nullptr) {
    return {};
  }
  const Result<JsonTree> tree = JsonTree::parse(value);
  if (!tree || tree->root().kind != JsonTree::Kind::object) return {};
  for (const JsonTree::Node* member : tree->children(tree->root())) {
    if (member->key == "\"status\"" && member->kind == JsonTree::Kind::string) return member->text;
  }
  return {};
}

/// Returns a value as one line, without cutting it. `value` is JSON text; if it is empty, returns
/// `<none>`.
std::string line_text(const Difference& change, std::string_view value) {
  if (value.empty()) return "<none>";
  if (const std::string_view status = condition_status(change, value); !status.empty()) {
    value = status;
  }
  if (value == "\"\"") return "\"\"";
  if (value.front() == '"') return visible_line(json_unquoted(value));
  std::string one_line;
  append_one_line(one_line, value);
  return visible_line(one_line);
}

/// Appends a text as lines that fit the terminal.
void append_wrapped(std::string& out, std::string_view text, Colour colour, std::size_t indent,
                    std::size_t screen) {
  if (indent > screen / 2) indent = 0;
  for (const std::string_view line : wrapped_at(text, screen - indent)) {
    out.append(indent, ' ');
    append_coloured(out, line, colour);
    out += '\n';
  }
}

/// Returns true for times and generations, which change only together with other fields.
bool accompanies(const Difference& change) {
  if (change.path.empty()) return false;  // the whole document
  const std::string& name = change.path.back().name;
  return name == "lastTransitionTime" || name == "lastUpdateTime" || name == "observedGeneration";
}

std::size_t rest(std::size_t room, std::size_t used) { return room > used ? room - used : 0; }

/// Appends the changed parts of a document as YAML. Consecutive changes share the lines of their
/// common parents.
class YamlDiff {
 public:
  /// `room` is the maximum width of a line after the indentation, in cells; 0 means no limit.
  YamlDiff(std::string& out, std::size_t indent, std::size_t room, bool colour)
      : out_(out), indent_(indent), room_(room), colour_(colour) {}

  void append(const Difference& change) {
    const std::span<const DiffStep> path = change.path;
    std::size_t common = 0;
    while (common + 1 < path.size() && common + 1 < last_.size() &&
           path_text(path.subspan(common, 1)) == path_text(last_.subspan(common, 1))) {
      ++common;
    }
    for (std::size_t i = common; i + 1 < path.size(); ++i) {
      append_around(path[i], depth_of(path, i));
    }
    const std::size_t depth = path.empty() ? 0 : depth_of(path, path.size() - 1);
    if (!change.old_value.empty()) append_value('-', path, depth, change.old_value);
    if (!change.new_value.empty()) append_value('+', path, depth, change.new_value);
    last_ = path;
  }

 private:
  /// Returns the indentation of the step with index `at`. The items of a list are indented like the
  /// key of the list.
  static std::size_t depth_of(std::span<const DiffStep> path, std::size_t at) {
    std::size_t depth = 0;
    for (std::size_t i = 0; i < at; ++i) {
      if (path[i + 1].kind == DiffStep::Kind::member) depth += 2;
    }
    return depth;
  }

  void append_line(char mark, std::size_t depth, std::string_view text) {
    out_.append(indent_, ' ');
    std::string line(1, mark);
    line.append(depth + 1, ' ').append(text);
    const Colour colour = mark == '-' ? Colour::red : Colour::green;
    std::string_view text_left = line;
    std::string_view first = start_of(text_left, room_);
    // Lines after the first are indented like a value below its key.
    std::string head(1, mark);
    head.append(std::min(depth + 3, room_ / 2), ' ');
    while (room_ > head.size() && first.size() < text_left.size()) {
      append_marked(first, mark, colour);
      text_left.remove_prefix(first.size());
      first = start_of(text_left, room_ - head.size());
      if (first.empty()) break;  // the next character is wider than the room
      out_.append(indent_, ' ').append(head);
    }
    append_marked(text_left, mark, colour);
  }

  void append_marked(std::string_view line, char mark, Colour colour) {
    append_coloured(out_, line, colour_ && mark != ' ' ? colour : Colour::none);
    out_ += '\n';
  }

  static std::string scalar(std::string_view text) {
    std::string out;
    append_yaml_string(out, text, 0, false);
    return out;
  }

  /// Appends the line of a parent of the changed value.
  void append_around(const DiffStep& step, std::size_t depth) {
    if (step.kind == DiffStep::Kind::member) {
      append_line(' ', depth, scalar(step.name) + ":");
    } else if (step.key == nullptr) {
      append_line(' ', depth, fmt::format("- # {}", path_text(std::span(&step, 1))));
    } else {
      const std::size_t split =
          step.key->second.empty() ? std::string::npos : step.name.rfind(step.key->separator);
      const std::string first = step.name.substr(0, split);
      append_line(' ', depth,
                  fmt::format("- {}: {}", step.key->first,
                              step.key->is_number ? visible_line(first) : scalar(first)));
      if (split != std::string::npos) {
        append_line(' ', depth + 2,
                    fmt::format("{}: {}", step.key->second, scalar(step.name.substr(split + 1))));
      }
    }
  }

  void append_value(char mark, std::span<const DiffStep> path, std::size_t depth,
                    std::string_view value) {
    std::string text;
    YamlPlace place = YamlPlace::document;
    std::size_t indent = 0;
    const Result<JsonTree> tree = JsonTree::parse(value);
    if (!path.empty()) {
      const bool is_member = path.back().kind == DiffStep::Kind::member;
      const bool is_list = tree && tree->root().kind == JsonTree::Kind::array;
      text = is_member ? scalar(path.back().name) + ":" : "-";
      place = is_member ? YamlPlace::behind_key : YamlPlace::behind_dash;
      indent = is_member && is_list ? 0 : 2;
    }
    if (tree) {
      append_yaml(text, *tree, tree->root(), indent, place);
    } else {
      text += " " + visible_line(value) + "\n";
    }
    for (std::string_view rest = text; !rest.empty();) {
      const std::size_t end = rest.find('\n');
      append_line(mark, depth, rest.substr(0, end));
      rest.remove_prefix(end + 1);
    }
  }

  std::string& out_;
  const std::size_t indent_;
  const std::size_t room_;
  const bool colour_;
  std::span<const DiffStep> last_;
};

/// Appends a member with the JSON text `value`. Appends nothing if `value` is empty.
void append_value_member(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  append_json_name(out, name);
  append_one_line(out, value);
}

void append_operation(std::string& out, const PatchOperation& operation) {
  out += '{';
  append_json_member(out, "op", operation_word(operation.kind));
  if (!operation.from.empty()) append_json_member(out, "from", operation.from);
  append_json_member(out, "path", operation.pointer);
  append_value_member(out, "value", operation.value);
  out += '}';
}

}  // namespace

std::pair<std::string, std::string> value_texts(const Difference& change, std::size_t longest) {
  const std::size_t context = std::min(kContext, longest / 3);
  const std::string old_text = line_text(change, change.old_value);
  const std::string new_text = line_text(change, change.new_value);
  std::size_t begin = 0;
  if (std::max(code_points(old_text), code_points(new_text)) > longest) {
    const std::size_t same = common_prefix(old_text, new_text);
    if (code_points(std::string_view(old_text).substr(0, same)) > 2 * context) {
      // Begin `context` code points before the change.
      begin = same;
      for (std::size_t back = 0; back < context; ++back) {
        do {
          --begin;
        } while ((static_cast<unsigned char>(old_text[begin]) & 0xC0) == 0x80);
      }
    }
  }
  return {cut(old_text, begin, longest), cut(new_text, begin, longest)};
}

std::vector<Difference> main_changes(const ObjectDiff& diff) {
  std::vector<Difference> changes;
  for (const Difference& change : diff.changes) {
    std::ranges::move(expanded(change), std::back_inserter(changes));
  }
  if (!std::ranges::all_of(changes, accompanies)) std::erase_if(changes, accompanies);
  return changes;
}

std::string change_text(const Difference& change) {
  const auto [before, after] = value_texts(change, kShownValueWidth);
  return fmt::format("{} {} → {}", path_text(change.path), before, after);
}

DiffText::DiffText(const PrintOptions& options)
    : form_(options.diff.value_or(DiffForm::lines)),
      colour_(options.colour),
      longest_value_(options.no_truncate ? std::numeric_limits<std::size_t>::max() : kWidestValue),
      terminal_width_(options.terminal_width) {}

void DiffText::append(std::string& out, const ObjectDiff& diff, std::size_t indent) {
  const std::size_t screen = terminal_width_ ? terminal_width_() : 0;
  switch (form_) {
    case DiffForm::lines: append_lines(out, diff, indent, screen); break;
    case DiffForm::yaml: {
      YamlDiff yaml(out, indent, rest(screen, indent), colour_);
      for (const Difference& change : diff.changes) yaml.append(change);
      break;
    }
    case DiffForm::patch:
      for (const PatchOperation& operation : json_patch(diff)) {
        std::string line;
        append_operation(line, operation);
        out.append(indent, ' ').append(visible_line(line)).append("\n");
      }
      break;
  }
}

void DiffText::append_values(std::string& out, std::string_view before,
                             std::string_view after) const {
  append_coloured(out, before, colour_ ? Colour::red : Colour::none);
  out += " → ";
  append_coloured(out, after, colour_ ? Colour::green : Colour::none);
  out += '\n';
}

void DiffText::append_lines(std::string& out, const ObjectDiff& diff, std::size_t indent,
                            std::size_t screen) {
  std::vector<Difference> changes;
  for (const Difference& change : diff.changes) {
    std::ranges::move(expanded(change), std::back_inserter(changes));
  }
  std::vector<std::string> paths;
  for (const Difference& change : changes) {
    paths.push_back(visible_line(path_text(change.path)));
    const std::size_t width = display_width(paths.back());
    if (width <= kWidestPath) path_width_ = std::max(path_width_, width);
  }
  const std::size_t column =
      screen > 0 ? std::min(path_width_, rest(screen, indent) / 2) : path_width_;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const auto [old_text, new_text] = value_texts(changes[i], longest_value_);
    const std::size_t width = std::max(display_width(paths[i]), column);
    out.append(indent, ' ').append(paths[i]);
    const std::size_t begin = indent + width + kPathGap;
    const std::size_t values = display_width(old_text) + kArrow + display_width(new_text);
    if (screen == 0 || begin + values <= screen) {
      out.append(width - display_width(paths[i]) + kPathGap, ' ');
      append_values(out, old_text, new_text);
      continue;
    }
    out += '\n';
    const std::size_t below = indent + kValueIndent;
    if (below + values <= screen) {
      append_values(out.append(below, ' '), old_text, new_text);
      continue;
    }
    append_wrapped(out, old_text, colour_ ? Colour::red : Colour::none, below, screen);
    append_wrapped(out, "→ " + new_text, colour_ ? Colour::green : Colour::none, below, screen);
  }
}

void append_diff_json(std::string& out, const ObjectDiff& diff) {
  out += '[';
  for (const Difference& change : diff.changes) {
    if (&change != diff.changes.data()) out += ',';
    out += '{';
    append_json_member(out, "path", path_text(change.path));
    append_value_member(out, "old", change.old_value);
    append_value_member(out, "new", change.new_value);
    out += '}';
  }
  out += ']';
}

void append_patch_json(std::string& out, const ObjectDiff& diff) {
  out += '[';
  bool first = true;
  for (const PatchOperation& operation : json_patch(diff)) {
    if (!std::exchange(first, false)) out += ',';
    append_operation(out, operation);
  }
  out += ']';
}

}  // namespace kinf
