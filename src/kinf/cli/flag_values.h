// SPDX-License-Identifier: Apache-2.0
// How flags are declared: CLI11 finds them, our own functions read their values. Only for the .cc
// files that declare flags; takes seconds to compile.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <string>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

/// A flag whose value `parse` turns into a Result; what it refuses is worded as kubectl does.
/// Given several times, the last one counts.
template <class Target, class Parse>
CLI::Option* add_value(CLI::App& app, const std::string& names, Target& target, Parse parse) {
  const std::string shown = names.substr(names.find("--"));
  return app
      .add_option_function<std::string>(
          names,
          [&target, parse, shown](const std::string& text) {
            auto value = parse(text);
            if (!value) {
              throw CLI::ValidationError(fmt::format("invalid argument \"{}\" for \"{}\" flag: {}",
                                                     text, shown, value.error().message));
            }
            target = *std::move(value);
          })
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

inline CLI::Option* add_text(CLI::App& app, const std::string& names, std::string& target) {
  return app.add_option(names, target)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

/// A flag that may be given several times and with commas between values.
inline CLI::Option* add_texts(CLI::App& app, const std::string& names,
                              std::vector<std::string>& target) {
  return app.add_option(names, target)->delimiter(',')->allow_extra_args(false);
}

inline CLI::Option* add_switch(CLI::App& app, const std::string& names, bool& target) {
  return app.add_flag(names, target)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

/// A whole number of at least `least`.
template <class Number>
auto whole_number(Number least) {
  return [least](const std::string& text) -> Result<Number> {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
      return fail(ErrorKind::usage, "not a whole number");
    }
    if (number < least) return fail(ErrorKind::usage, fmt::format("must be {} or more", least));
    return number;
  };
}

/// One of a few words.
template <class Value>
auto one_of(std::vector<std::pair<std::string, Value>> words) {
  return [words = std::move(words)](const std::string& text) -> Result<Value> {
    std::string all;
    for (const auto& [word, value] : words) {
      if (word == text) return value;
      all += all.empty() ? word : ", " + word;
    }
    return fail(ErrorKind::usage, "it must be one of " + all);
  };
}

}  // namespace kinf
