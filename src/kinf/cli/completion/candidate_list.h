// SPDX-License-Identifier: Apache-2.0
// CandidateList: collects the words that begin with what the user has typed.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace kinf {

struct Candidate {
  std::string text;  ///< replaces the typed word; after `--output=`, replaces only the value
  std::string description{};

  friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// What the shell offers if there are no candidates. The numbers are those of cobra's directives,
/// which kubectl reads from its plugins.
enum class Fallback : int { files = 0, nothing = 4, folders = 16 };

struct Completion {
  std::vector<Candidate> candidates{};
  Fallback fallback = Fallback::nothing;
  bool no_space = false;  ///< the shell adds no space after a candidate
};

/// Returns the output of `kinf __complete`: each line has a candidate and, after a tab, its
/// description; the last line has a colon and the sum of cobra's directives. Leaves out candidates
/// with invisible characters, `$(` or a backquote: a server chooses many of the words, and the
/// shell runs such a command in a word in double quotes.
std::string completion_text(const Completion& completion);

class CandidateList {
 public:
  enum class Form { one, list };  ///< list: the word has parts, separated by commas

  explicit CandidateList(std::string_view typed, Form form = Form::one);

  /// Returns the part of the word that is being typed: the whole word, or in a list the text after
  /// the last comma. Excludes the characters that skip() has removed.
  std::string_view typed() const { return std::string_view(word_).substr(start_); }
  /// Removes the first `length` characters from typed(). They stay at the start of each candidate.
  void skip(std::size_t length) { start_ += length; }
  /// Treats typed() as a list: completes only the part after the last comma, and does not offer the
  /// earlier parts again.
  void begin_list();

  /// Adds `text` if it begins with typed(). Skips a text that was already added, and a part of the
  /// list that was already typed. `is_whole` is false if the user must type more without a space,
  /// such as after `app=`.
  void add(std::string_view text, std::string_view description = {}, bool is_whole = true);

  /// Returns the candidates. The shell adds a space unless all of them need more text.
  Completion take(Fallback fallback = Fallback::nothing);

 private:
  std::string word_;
  std::size_t start_ = 0;                    ///< where the part that is being typed begins in word_
  std::unordered_set<std::string> given_;    ///< the parts before the last comma
  std::unordered_set<std::string> offered_;  ///< the texts of candidates_
  std::vector<Candidate> candidates_;
  bool has_whole_ = false;
};

}  // namespace kinf
