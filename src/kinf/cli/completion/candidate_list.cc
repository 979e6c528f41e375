// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/completion/candidate_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinf/cli/flags/type_args.h"

namespace kinf {
namespace {

/// Returns `text` without characters that would end a line or a field, or control the terminal.
std::string on_one_line(std::string_view text) {
  std::string line(text);
  std::erase_if(line, [](unsigned char c) { return c < ' ' || c == 0x7f; });
  return line;
}

}  // namespace

std::string completion_text(const Completion& completion) {
  std::string text;
  for (const Candidate& candidate : completion.candidates) {
    text += on_one_line(candidate.text);
    if (!candidate.description.empty()) text += "\t" + on_one_line(candidate.description);
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
  given_ = split_commas(typed().substr(0, comma));
  skip(comma + 1);
}

void CandidateList::add(std::string_view text, std::string_view description, bool is_whole) {
  if (text.empty() || !text.starts_with(typed())) return;
  if (std::ranges::find(given_, text) != given_.end()) return;
  std::string whole = word_.substr(0, start_) + std::string(text);
  if (std::ranges::find(candidates_, whole, &Candidate::text) != candidates_.end()) return;
  candidates_.push_back({std::move(whole), std::string(description)});
  has_whole_ = has_whole_ || is_whole;
}

Completion CandidateList::take(Fallback fallback) {
  const bool no_space = !candidates_.empty() && !has_whole_;
  return {std::move(candidates_), fallback, no_space};
}

}  // namespace kinf
