// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/jq/jq_hint.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "kinf/base/unicode.h"

namespace kinf {
namespace {

constexpr int kRepairs = 4;
constexpr std::string_view kUndefined = "/0 is not defined";

enum class RepairKind { quotes, dot, comparison };

struct Repair {
  RepairKind kind;
  std::string program;
};

/// Returns the first position outside of strings for which `matches` returns true; npos if there
/// is none.
template <class Matches>
std::size_t find_outside_strings(std::string_view program, Matches matches) {
  bool in_string = false;
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (in_string && program[i] == '\\') {
      ++i;
    } else if (program[i] == '"') {
      in_string = !in_string;
    } else if (!in_string && matches(i)) {
      return i;
    }
  }
  return std::string_view::npos;
}

std::size_t find_word(std::string_view program, std::string_view word) {
  const auto is_in_word = [&](std::size_t at) {
    return at < program.size() && is_word_rune(static_cast<unsigned char>(program[at]));
  };
  return find_outside_strings(program, [&](std::size_t i) {
    if (!program.substr(i).starts_with(word) || is_in_word(i + word.size())) return false;
    return i == 0 || (!is_in_word(i - 1) && !std::string_view(".$@").contains(program[i - 1]));
  });
}

/// Returns the last character of `text` that is not a blank; a blank if there is none.
char last_of(std::string_view text) {
  const std::size_t at = text.find_last_not_of(" \t\n");
  return at == std::string_view::npos ? ' ' : text[at];
}

bool begins_with_comparison(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
  return text.starts_with("==") || text.starts_with("!=") || text.starts_with('<') ||
         text.starts_with('>') || text.starts_with('=');
}

/// Mends a word that is not defined. It is a field without its dot if a path follows, or if it is
/// compared with something and begins like the fields of Kubernetes. It is a string without quotes
/// if it is compared with something, or is an argument.
std::optional<Repair> repair_word(std::string_view program, std::string_view word) {
  const std::size_t at = word.empty() ? word.npos : find_word(program, word);
  if (at == word.npos) return std::nullopt;
  const std::string_view before = program.substr(0, at);
  const std::string_view behind = program.substr(at + word.size());
  const bool has_path = behind.starts_with('.') || behind.starts_with('[');
  const bool is_left = begins_with_comparison(behind);
  const bool is_right = std::string_view("=<>(,").contains(last_of(before));
  const bool is_lower = word[0] >= 'a' && word[0] <= 'z';
  const bool is_argument = last_of(before) == '(' || last_of(before) == ',';
  if (has_path || (is_left && is_lower && (!is_right || is_argument))) {
    return Repair{RepairKind::dot, fmt::format("{}.{}{}", before, word, behind)};
  }
  if (!is_left && !is_right) return std::nullopt;
  return Repair{RepairKind::quotes, fmt::format("{}\"{}\"{}", before, word, behind)};
}

std::optional<Repair> repair(const std::string& program, std::string_view problem) {
  if (problem == kAssigns) {
    std::string compares = program;
    compares.insert(find_assignment(program), "=");
    return Repair{RepairKind::comparison, compares};
  }
  if (!problem.ends_with(kUndefined)) return std::nullopt;
  problem.remove_suffix(kUndefined.size());
  return repair_word(program, problem);
}

}  // namespace

std::size_t find_assignment(std::string_view program) {
  return find_outside_strings(program, [&](std::size_t i) {
    const char before = i > 0 ? program[i - 1] : ' ';
    return program[i] == '=' && program.substr(i + 1, 1) != "=" &&
           !std::string_view("=!<>|+-*/%").contains(before);
  });
}

std::string jq_hint(std::string_view program, std::string problem, const ProblemOf& problem_of) {
  std::string mended(program);
  std::optional<RepairKind> kind;
  bool is_mixed = false;
  for (int i = 0; i < kRepairs && !problem.empty(); ++i) {
    std::optional<Repair> next = repair(mended, problem);
    if (!next) break;
    is_mixed = is_mixed || (kind && kind != next->kind);
    kind = next->kind;
    mended = std::move(next->program);
    problem = problem_of(mended);
  }
  if (!kind || !problem.empty()) return "man jq describes the language";
  if (is_mixed) return fmt::format("did you mean {}?", mended);
  switch (*kind) {
    case RepairKind::quotes: return "a string needs quotes: " + mended;
    case RepairKind::dot: return "a field begins with a dot: " + mended;
    case RepairKind::comparison: break;
  }
  return "== compares: " + mended;
}

}  // namespace kinf
