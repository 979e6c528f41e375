// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/diff_path.h"

#include <fmt/format.h>

#include <algorithm>

namespace kinf {
namespace {

/// In a name behind a dot these would end it; in brackets only the last two do.
constexpr std::string_view kSpecialInName = ".[]\\'\"*";
constexpr std::string_view kSpecialInBrackets = "]\\'\"*";

void append_escaped(std::string& out, std::string_view name, std::string_view special) {
  for (const char c : name) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
}

std::unexpected<Error> refusal(std::string_view text) {
  return fail(ErrorKind::usage,
              fmt::format("{}: not a path such as .status.conditions[Ready].status", text));
}

}  // namespace

std::string path_text(std::span<const DiffStep> path) {
  std::string text;
  for (const DiffStep& step : path) {
    switch (step.kind) {
      case DiffStep::Kind::member:
        text += '.';
        append_escaped(text, step.name, kSpecialInName);
        break;
      case DiffStep::Kind::item:
        text += '[';
        append_escaped(text, step.name, kSpecialInBrackets);
        text += ']';
        break;
      case DiffStep::Kind::position:
        text += fmt::format("[{}]", step.new_index == kNoIndex ? step.old_index : step.new_index);
        break;
    }
  }
  return text.empty() ? "." : text;
}

Result<DiffPattern> DiffPattern::parse(std::string_view text) {
  DiffPattern pattern;
  std::size_t at = 0;
  // Takes characters up to one of `ends`; a backslash takes the meaning from the next.
  const auto name_until = [&](std::string_view ends) {
    std::string name;
    for (; at < text.size() && ends.find(text[at]) == std::string_view::npos; ++at) {
      if (text[at] == '\\' && at + 1 < text.size()) ++at;
      name += text[at];
    }
    return name;
  };
  while (at < text.size()) {
    Step step;
    if (text[at] == '.') {
      ++at;
      step.is_any = text.substr(at, 1) == "*";
      step.name = name_until(".[");
      if (step.is_any && step.name != "*") return refusal(text);
    } else if (text[at] == '[') {
      ++at;
      const char quote = at < text.size() ? text[at] : '\0';
      if (quote == '\'' || quote == '"') {
        ++at;
        step.name = name_until(std::string_view(&quote, 1));
        ++at;
      } else {
        step.is_any = text.substr(at, 2) == "*]";
        step.name = name_until("]");
      }
      if (at >= text.size() || text[at] != ']') return refusal(text);
      ++at;
    } else {
      return refusal(text);
    }
    if (step.name.empty()) return refusal(text);
    pattern.steps_.push_back(std::move(step));
  }
  if (pattern.steps_.empty()) return refusal(text);
  return pattern;
}

bool DiffPattern::matches(const Step& step, const DiffStep& at) {
  if (step.is_any) return true;
  if (at.kind == DiffStep::Kind::member) return step.name == at.name;
  if (at.kind == DiffStep::Kind::item && step.name == at.name) return true;
  const auto is_number = [&](std::size_t index) {
    return index != kNoIndex && step.name == fmt::format_int(index).c_str();
  };
  return is_number(at.old_index) || is_number(at.new_index);
}

bool DiffPattern::covers(std::span<const DiffStep> path) const {
  return steps_.size() <= path.size() &&
         std::equal(steps_.begin(), steps_.end(), path.begin(), matches);
}

bool DiffPattern::is_below(std::span<const DiffStep> path) const {
  return steps_.size() > path.size() &&
         std::equal(path.begin(), path.end(), steps_.begin(),
                    [](const DiffStep& at, const Step& step) { return matches(step, at); });
}

}  // namespace kinf
