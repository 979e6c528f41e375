// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/typed_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "kinf/base/ascii.h"
#include "kinf/cli/flags/parsed_flags.h"
#include "kinf/cli/flags/type_args.h"

namespace kinf {
namespace {

/// Returns whether the next word, or the rest of a group of short flags, is the flag's value.
bool needs_value(const FlagInfo& flag) { return flag.takes_value && !flag.has_optional_value; }

/// Reads the words before the last one, then the last one.
class LineReader {
 public:
  LineReader() { line_.known_flags = flags_of(""); }

  TypedLine read(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (line_.command.empty()) line_.command_at = i;
      take(words[i]);
    }
    if (!words.empty()) finish(words.back());
    return std::move(line_);
  }

 private:
  const FlagInfo* find(std::string_view name) const {
    const auto found = std::ranges::find_if(line_.known_flags, [&](const FlagInfo& flag) {
      return flag.name == name || flag.short_name == name;
    });
    return found == line_.known_flags.end() ? nullptr : &*found;
  }

  void give(std::string name, std::string value) {
    line_.flags.push_back({std::move(name), std::move(value)});
  }

  void take(const std::string& word) {
    if (line_.after_dashes) return;
    if (!awaited_.empty()) {
      give(std::exchange(awaited_, {}), word);
    } else if (word == "--") {
      line_.after_dashes = true;
    } else if (word.starts_with("--")) {
      take_long(word);
    } else if (word.size() > 1 && word.front() == '-') {
      take_short(word);
    } else if (is_level(word)) {
      line_.flags.back().value = word;
    } else if (line_.command.empty()) {
      line_.command = word;
      line_.known_flags = flags_of(word);
    } else {
      line_.args.push_back(word);
    }
  }

  /// Returns whether `word` is the level after a bare `-v`.
  bool is_level(const std::string& word) const {
    return !line_.flags.empty() && line_.flags.back().name == "--v" &&
           line_.flags.back().value.empty() && parse_number<int>(word).has_value();
  }

  void take_long(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const FlagInfo* const flag = find(name);
    if (equals != std::string::npos) {
      give(name, word.substr(equals + 1));
    } else if (flag != nullptr && needs_value(*flag)) {
      awaited_ = name;
    } else {
      give(name, "");
    }
  }

  /// The value in a group of short flags.
  struct ShortValue {
    const FlagInfo* flag = nullptr;  ///< null: the group has no value
    std::size_t at = 0;              ///< where the value begins
  };

  ShortValue short_value(const std::string& word) const {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const FlagInfo* const flag = find(fmt::format("-{}", word[i]));
      if (flag == nullptr) return {};
      if (word.substr(i + 1, 1) == "=") return {flag, i + 2};
      if (needs_value(*flag) && i + 1 < word.size()) return {flag, i + 1};
    }
    return {};
  }

  /// Takes a group of short flags such as `-wtd=yaml` or `-nshop`.
  void take_short(const std::string& word) {
    const ShortValue value = short_value(word);
    for (std::size_t i = 1; i < word.size(); ++i) {
      const FlagInfo* const flag = find(fmt::format("-{}", word[i]));
      if (flag == nullptr) return;
      if (flag == value.flag) return give(flag->name, word.substr(value.at));
      if (needs_value(*flag)) {
        awaited_ = flag->name;
      } else {
        give(flag->name, "");
      }
    }
  }

  void finish(const std::string& word) {
    line_.word = word;
    line_.flag = awaited_;
    if (line_.after_dashes || !awaited_.empty() || !word.starts_with('-')) return;
    if (!word.starts_with("--")) return finish_short(word);
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) return;
    line_.flag = word.substr(0, equals);
    line_.word = word.substr(equals + 1);
  }

  void finish_short(const std::string& word) {
    const ShortValue value = short_value(word);
    if (value.flag == nullptr) return;
    line_.flag = value.flag->name;
    line_.word = word.substr(value.at);
    if (word[value.at - 1] != '=') line_.attached_to = word.substr(0, value.at);
  }

  TypedLine line_;
  std::string awaited_;  ///< a flag whose value is the next word
};

}  // namespace

bool TypedLine::has_flag(std::string_view name) const {
  return std::ranges::find(flags, name, &TypedFlag::name) != flags.end();
}

TypedLine read_typed_line(const std::vector<std::string>& words) {
  return LineReader().read(words);
}

TypedLine read_complete_line(std::vector<std::string> words) {
  words.emplace_back();  // the last word is the unfinished one
  return read_typed_line(words);
}

GlobalFlags typed_global_flags(const TypedLine& line) {
  const std::vector<FlagInfo> global = flags_of("");
  ParsedFlags parsed;
  for (const TypedFlag& flag : line.flags) {
    const auto known = std::ranges::find(global, flag.name, &FlagInfo::name);
    if (known == global.end()) continue;
    std::string word = flag.name;
    if (!flag.value.empty()) word += "=" + flag.value;
    if (flag.value.empty() && flag.name == "--sandbox") word += "=nettool";
    CLI::App app;
    declare_flags(app, {}, parsed);
    try {
      app.parse(std::vector<std::string>{word});
    } catch (const CLI::ParseError&) {
      continue;  // the flag is not complete, or wrong
    }
  }
  return parsed.global;
}

std::vector<std::string> typed_types(const TypedLine& line) {
  if (line.args.empty()) return {};
  const std::string& first = line.args.front();
  return first.contains('/') ? std::vector<std::string>{first.substr(0, first.find('/'))}
                             : split_commas(first);
}

}  // namespace kinf
