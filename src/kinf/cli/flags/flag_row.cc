// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/flag_row.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <chrono>

#include "kinf/base/ascii.h"
#include "kinf/base/assign.h"
#include "kinf/base/duration.h"
#include "kinf/cli/flags/type_args.h"

namespace kinf {

std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (!word.empty()) words.push_back(word);
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return words;
}

Result<std::size_t> word_index(const FlagRow& row, const std::string& text) {
  const std::vector<std::string_view> words = words_in(row.words);
  const auto found = std::ranges::find(words, text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  return fail(ErrorKind::usage, "it must be one of {}", fmt::join(words, ", "));
}

template <std::integral Number>
Result<Number> whole_number(const FlagRow& row, const std::string& text) {
  const std::optional<Number> number = parse_number<Number>(text);
  if (!number) return fail(ErrorKind::usage, "not a whole number");
  if (std::cmp_less(*number, row.least)) {
    return fail(ErrorKind::usage, "must be {} or more", row.least);
  }
  if (std::cmp_greater(*number, row.most)) {
    return fail(ErrorKind::usage, "must be {} or less", row.most);
  }
  return *number;
}
template Result<std::int64_t> whole_number(const FlagRow& row, const std::string& text);
template Result<std::uint64_t> whole_number(const FlagRow& row, const std::string& text);

std::optional<bool> switch_value(std::string_view text) {
  constexpr std::array<std::string_view, 7> kOn = {"true", "t", "yes", "y", "on", "enable", "+"};
  constexpr std::array<std::string_view, 7> kOff = {"false", "f", "no", "n", "off", "disable", "-"};
  const std::string word = to_lower(text);
  if (std::ranges::find(kOn, word) != kOn.end()) return true;
  if (std::ranges::find(kOff, word) != kOff.end()) return false;
  const std::optional<std::int64_t> number = parse_number<std::int64_t>(word);
  if (!number) return std::nullopt;
  return *number > 0;
}

Result<void> read_value(bool& target, const FlagRow& /*row*/, const std::string& text) {
  const std::optional<bool> is_on = switch_value(text);
  if (!is_on) return fail(ErrorKind::usage, "it must be true or false");
  target = *is_on;
  return {};
}

Result<void> read_value(std::string& target, const FlagRow& /*row*/, const std::string& text) {
  target = text;
  return {};
}

Result<void> read_value(std::vector<std::string>& target, const FlagRow& /*row*/,
                        const std::string& text) {
  target.push_back(text);
  return {};
}

Result<void> read_list(std::vector<std::string>& target, const std::string& text) {
  const std::vector<std::string> parts = text.empty() ? std::vector{text} : split_commas(text);
  target.insert(target.end(), parts.begin(), parts.end());
  return {};
}

Result<void> read_value(Clock::Duration& target, const FlagRow& /*row*/, const std::string& text) {
  return assign(target, parse_duration_flag(text));
}

Result<Clock::Duration> parse_resync(const std::string& text) {
  Result<Clock::Duration> period = parse_duration_flag(text);
  // Informers round shorter periods up to one second.
  if (period && period->count() > 0 && *period < std::chrono::seconds(1)) {
    return fail(ErrorKind::usage, "must be 0 or at least 1s");
  }
  return period;
}

Result<Clock::Duration> parse_kubectl_timeout(const std::string& text) {
  const bool is_negative = text.starts_with('-');
  Result<Clock::Duration> duration = parse_duration_flag(is_negative ? text.substr(1) : text);
  if (!duration || !is_negative || *duration == Clock::Duration::zero()) return duration;
  return std::chrono::hours(7 * 24);
}

Result<double> parse_speed(const std::string& text) {
  const std::optional<double> speed = parse_number<double>(text);
  if (!speed || !(*speed > 0) || *speed > 1e6) {
    return fail(ErrorKind::usage, "not a number above 0");
  }
  return *speed;
}

Result<std::string> parse_file_name(const std::string& text) {
  // Reject an empty name, because it is often an unset variable in a script.
  if (text.empty()) return fail(ErrorKind::usage, "the name is empty");
  return text;
}

Result<std::string> parse_context_name(const std::string& text) {
  const bool is_name = std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("-_.@:/").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (is_name && !text.empty()) return text;
  return fail(ErrorKind::usage, "\"{}\" is not a name: letters, digits and -_.@:/", text);
}

}  // namespace kinf
