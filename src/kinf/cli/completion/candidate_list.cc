// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/completion/candidate_list.h"

#include <fmt/format.h>

#include <utility>

#include "kinf/base/unicode.h"
#include "kinf/base/visible_text.h"
#include "kinf/cli/flags/type_args.h"

namespace kinf {
namespace {

/// Returns whether a shell can offer `text`: it has no invisible character, and no command that a
/// shell runs if the word is in double quotes.
bool is_harmless(std::string_view text) {
  if (text.find('`') != std::string_view::npos || text.find("$(") != std::string_view::npos) {
    return false;
  }
  for (std::size_t at = 0; at < text.size();) {
    const Rune rune = decode_rune(text, at);
    const bool is_invalid = rune.value == kReplacement && rune.size == 1;
    if (is_invalid || !is_printable(rune.value) || rune.size == 0) return false;
    at += rune.size;
  }
  return true;
}

}  // namespace

std::string completion_text(const Completion& completion) {
  std::string text;
  for (const Candidate& candidate : completion.candidates) {
    if (!is_harmless(candidate.text)) continue;
    text += candidate.text;
    if (!candidate.description.empty()) text += "\t" + visible_line(candidate.description);
    text += "\n";
  }
  constexpr int kNoSpace = 2;
  const int directive =
      static_cast<int>(completion.fallback) + (completion.no_space ? kNoSpace : 0);
  return text + fmt::format(":{}\n", directive);
}

CandidateList::CandidateList(std::string_view typed, Form form) : word_(typed) {
  if (form == Form::list) begin_list();
}

void CandidateList::begin_list() {
  const std::size_t comma = typed().rfind(',');
  if (comma == std::string_view::npos) return;
  for (std::string& part : split_commas(typed().substr(0, comma))) {
    given_.insert(std::move(part));
  }
  skip(comma + 1);
}

void CandidateList::add(std::string_view text, std::string_view description, bool is_whole) {
  if (text.empty() || !text.starts_with(typed())) return;
  if (given_.contains(std::string(text))) return;
  std::string whole = word_.substr(0, start_) + std::string(text);
  if (!offered_.insert(whole).second) return;
  candidates_.push_back({std::move(whole), std::string(description)});
  has_whole_ = has_whole_ || is_whole;
}

Completion CandidateList::take(Fallback fallback) {
  const bool no_space = !candidates_.empty() && !has_whole_;
  return {std::move(candidates_), fallback, no_space};
}

}  // namespace kinf
