// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/typed_line.h"

#include <algorithm>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/base/duration.h"
#include "kinf/cli/flags/command_table.h"
#include "kinf/cli/flags/flag_table.h"
#include "kinf/cli/flags/type_args.h"

namespace kinf {
namespace {

bool is_number(std::string_view text) { return parse_number<int>(text).has_value(); }

/// Returns whether two values are the same word, number or duration, such as `60s` and `1m`.
bool is_same_value(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto number = parse_number<double>(a);
  if (number && number == parse_number<double>(b)) return true;
  const auto duration = parse_duration_flag(a);
  const auto other = parse_duration_flag(b);
  return duration && other && *duration == *other;
}

/// Returns whether the flag needs a value: the next word, or the rest of a group of short flags.
bool needs_value(const FlagRow& row) { return row.takes_value() && row.bare.empty(); }

/// Reads the words of a command line one by one with take(). If the last word is being completed,
/// finish() reads it.
class LineReader {
 public:
  void take(const std::string& word, std::size_t index) {
    if (!line_.has_command) line_.command_at = index;
    if (line_.has_dashes) {
      line_.trailing.push_back(word);
    } else if (word == "--") {
      line_.has_dashes = true;
    } else if (awaited_ != nullptr) {
      give_value(*std::exchange(awaited_, nullptr), word);
    } else if (word.starts_with("--")) {
      take_long(word);
    } else if (word.size() > 1 && word.front() == '-') {
      take_group(word);
    } else {
      take_argument(word);
    }
  }

  void take_long(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const FlagRow* const row = find_flag(name, command());
    if (equals != std::string::npos) {
      line_.flags.push_back({name, word.substr(equals + 1), true, row});
    } else if (row != nullptr) {
      give(*row);
    } else {
      line_.flags.push_back({name});
    }
  }

  /// Reads the last word, which is being completed.
  void finish(const std::string& word) {
    line_.word = word;
    end();
    if (line_.has_dashes || !line_.flag.empty() || !word.starts_with('-')) return;
    if (!word.starts_with("--")) return finish_group(word);
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) return;
    line_.flag = word.substr(0, equals);
    line_.word = word.substr(equals + 1);
  }

  void end() {
    if (awaited_ != nullptr) line_.flag = awaited_->name;
  }

  TypedLine& line() { return line_; }

 private:
  /// Returns the command that the flags belong to.
  CommandSet command() const {
    return line_.command_id != 0 ? line_.command_id : command_id(line_.late_command);
  }

  void give_value(const FlagRow& row, std::string value) {
    line_.flags.push_back({std::string(row.name), std::move(value), true, &row});
  }

  /// Reads a flag whose word contains no `=VALUE`.
  void give(const FlagRow& row) {
    if (needs_value(row)) {
      awaited_ = &row;
    } else {
      line_.flags.push_back({std::string(row.name), {}, false, &row});
    }
  }

  void take_argument(const std::string& word) {
    const FlagRow* const row = line_.flags.empty() ? nullptr : line_.flags.back().row;
    if (is_level(word)) {
      line_.flags.back().value = word;
      line_.flags.back().has_value = true;
    } else if (row != nullptr && row->is_greedy && line_.args.empty()) {
      give_value(*row, word);
    } else if (!line_.has_command) {
      take_command(word);
    } else {
      if (command() == 0 && is_command(word)) line_.late_command = word;
      line_.args.push_back(word);
    }
  }

  /// Returns whether `word` is the log level of the `-v` before it.
  bool is_level(const std::string& word) const {
    if (line_.flags.empty() || line_.flags.back().has_value) return false;
    const FlagRow* const row = line_.flags.back().row;
    return row != nullptr && row->kind == ValueKind::level && is_number(word);
  }

  /// Returns whether `word`, which begins with a dash but is not a known flag, is an argument such
  /// as `-5`.
  bool is_argument(const std::string& word) const {
    const CommandRow* const row = find_command(line_.command);
    const bool takes_arguments = row != nullptr && row->arguments != Arguments::none;
    return is_digit(word[1]) && (takes_arguments || is_level(word));
  }

  /// Sets the command. Looks up the flags before it again, because the command may have its own
  /// rows for them, or may not have these flags.
  void take_command(const std::string& word) {
    line_.command = word;
    line_.has_command = true;
    line_.command_id = command_id(word);
    for (TypedFlag& flag : line_.flags) flag.row = find_flag(flag.name, line_.command_id);
  }

  /// The value in a group of short flags.
  struct GroupValue {
    const FlagRow* row = nullptr;  ///< the flag of the value; null if the group has no value
    std::size_t at = 0;            ///< the index in the word at which the value begins
  };

  GroupValue group_value(const std::string& word) const {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const FlagRow* const row = find_flag(word[i], command());
      const std::string rest = word.substr(i + 1);
      if (row == nullptr) return {};
      if (rest.starts_with('=')) return {row, i + 2};
      const bool is_level = row->kind == ValueKind::level && !rest.empty() &&
                            (is_number(rest) || find_flag(rest.front(), command()) == nullptr);
      if (is_level || (needs_value(*row) && !rest.empty())) return {row, i + 1};
    }
    return {};
  }

  /// Reads a group of short flags such as `-wtd=yaml` or `-nshop`.
  void take_group(const std::string& word) {
    const GroupValue value = group_value(word);
    for (std::size_t i = 1; i < word.size(); ++i) {
      const FlagRow* const row = find_flag(word[i], command());
      if (row == nullptr) return take_unknown("-" + word.substr(i));
      if (row == value.row) return give_value(*row, value_in(word, value));
      give(*row);
    }
  }

  /// Returns the value in a group of short flags. If nothing follows the `=`, as in `-l=`, the
  /// value is `=`.
  static std::string value_in(const std::string& word, const GroupValue& value) {
    const bool is_equals =
        value.at == word.size() && (needs_value(*value.row) || value.row->kind == ValueKind::level);
    return is_equals ? "=" : word.substr(value.at);
  }

  void take_unknown(const std::string& word) {
    if (is_argument(word)) {
      take_argument(word);
    } else {
      line_.flags.push_back({word});
    }
  }

  void finish_group(const std::string& word) {
    const GroupValue value = group_value(word);
    if (value.row == nullptr) return;
    line_.flag = value.row->name;
    line_.word = word.substr(value.at);
    if (word[value.at - 1] != '=') line_.attached_to = word.substr(0, value.at);
  }

  TypedLine line_;
  const FlagRow* awaited_ = nullptr;  ///< the flag whose value is the next word, or null
};

}  // namespace

std::string TypedFlag::text() const {
  if (has_value || row == nullptr) return value;
  return std::string(row->takes_value() ? row->bare : "true");
}

bool TypedFlag::is_off() const {
  return row != nullptr && !row->takes_value() && has_value && switch_value(value) == false;
}

const TypedFlag* TypedLine::find(std::string_view name) const {
  const auto found = std::find_if(flags.rbegin(), flags.rend(),
                                  [&](const TypedFlag& one) { return one.name == name; });
  return found == flags.rend() ? nullptr : &*found;
}

bool TypedLine::is_set(std::string_view name) const {
  const TypedFlag* const last = find(name);
  if (last == nullptr || last->row == nullptr) return false;
  if (!last->has_value) return true;
  if (!last->row->takes_value()) return !last->is_off();
  if (last->value.empty()) return last->row->takes_empty;
  return std::ranges::none_of(words_in(last->row->neutral), [&](std::string_view neutral) {
    return is_same_value(neutral, last->value);
  });
}

void TypedLine::add(const std::string& text) {
  LineReader reader;
  reader.line().command_id = command_id;
  reader.take_long(text);
  flags.insert(flags.end(), reader.line().flags.begin(), reader.line().flags.end());
}

TypedLine read_typed_line(const std::vector<std::string>& words) {
  LineReader reader;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) reader.take(words[i], i);
  if (!words.empty()) reader.finish(words.back());
  return std::move(reader.line());
}

TypedLine read_complete_line(const std::vector<std::string>& words) {
  LineReader reader;
  for (std::size_t i = 0; i < words.size(); ++i) reader.take(words[i], i);
  reader.end();
  return std::move(reader.line());
}

std::vector<std::string> typed_types(const TypedLine& line) {
  if (line.args.empty()) return {};
  const std::string& first = line.args.front();
  return first.contains('/') ? std::vector<std::string>{first.substr(0, first.find('/'))}
                             : split_commas(first);
}

}  // namespace kinf
