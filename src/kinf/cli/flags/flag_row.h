// SPDX-License-Identifier: Apache-2.0
// FlagRow: all that kinf knows about one flag. The parser, --help, completion, the settings, the
// refusals and the checks of the man pages read the rows. A row is below the struct whose member it
// sets.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"

namespace kinf {

/// A set of commands, as bits.
using CommandSet = std::uint32_t;

namespace commands {

inline constexpr CommandSet watch = 1U << 0;
inline constexpr CommandSet get = 1U << 1;
inline constexpr CommandSet index = 1U << 2;
inline constexpr CommandSet wait = 1U << 3;
inline constexpr CommandSet run = 1U << 4;
inline constexpr CommandSet record = 1U << 5;
inline constexpr CommandSet history = 1U << 6;
inline constexpr CommandSet demo = 1U << 7;
inline constexpr CommandSet sandbox = 1U << 8;
inline constexpr CommandSet check = 1U << 9;
inline constexpr CommandSet api_resources = 1U << 10;
inline constexpr CommandSet completion = 1U << 11;
inline constexpr CommandSet version = 1U << 12;
inline constexpr CommandSet help = 1U << 13;

inline constexpr CommandSet all = (1U << 14) - 1;
/// The commands that start informers.
inline constexpr CommandSet informers = watch | get | index | wait | run | record | history;

}  // namespace commands

struct FlagRow;
struct ParsedFlags;

/// What the value of a flag is.
enum class ValueKind {
  none,    ///< completion offers nothing; also the kind of a switch
  choice,  ///< one of the words of the row, and nothing else
  words,   ///< completion offers the words of the row
  word_list,
  level,  ///< the number after -v, which may be missing
  file,
  folder,
  context,
  contexts,  ///< with commas
  cluster,
  user,
  name_space,
  label_selector,
  label_keys,
  namespace_labels,
  field_selector,
  path,         ///< of a field: .spec.nodeName
  sort_paths,   ///< paths with commas
  index_order,  ///< words, or paths with commas
  index_key,
  object,  ///< TYPE/NAME
  output,
  api_group,
  condition,
  scenario
};

/// Where --help shows a flag.
enum class HelpPart {
  flags,   ///< on a line of its own
  output,  ///< the same, below "Output:" if the command has this title
  // In the paragraphs at the end:
  selection,
  connection,
  queue,
  parts,
  recordings,
  cluster,
  logging
};

/// Reads the text of a value, which means on or off for a switch, into a field. Errors: usage,
/// without the name of the flag.
using StoreValue = Result<void> (*)(ParsedFlags& parsed, const FlagRow& row,
                                    const std::string& text);

/// The help of a flag in some commands, if it differs there.
struct HelpIn {
  CommandSet commands = 0;
  std::string_view text{};
};

/// A switch needs only `name`, `commands`, `help` and `store`.
struct FlagRow {
  std::string_view name{};  ///< `--output`
  char letter = 0;          ///< the `o` of `-o`

  ValueKind kind = ValueKind::none;
  std::string_view value{};  ///< the value in the help: `FORMAT`; a switch has none
  std::string_view words{};  ///< the words of the value, separated by spaces
  std::string_view bare{};   ///< the value of the flag without one; empty: it needs one
  std::int64_t least = 0;    ///< of a number
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  bool takes_empty = false;  ///< an empty value counts as given, too
  bool repeats = false;      ///< each value counts; otherwise the last one
  bool is_greedy = false;    ///< takes all words up to the next flag

  bool is_global = false;   ///< may stand before the command; every command but `sandbox` takes it
  CommandSet commands = 0;  ///< the commands that take it, and whose help and completion list it
  CommandSet hidden = 0;    ///< those that take it silently
  CommandSet refused = 0;   ///< those that say that it cannot be used with them

  HelpPart part = HelpPart::flags;
  /// The text of the help, broken into lines at spaces. If it begins with a space, it is printed as
  /// it is, without the name of the flag. Empty: the help of another flag names this one.
  std::string_view help{};
  HelpIn help_in{};
  std::string_view note{};  ///< what completion says; empty: the help

  CommandSet needs_watch = 0;  ///< the commands that take it only with --watch
  std::string_view needs{};    ///< a flag without which it cannot be used
  std::string_view refuses{};  ///< the flags that cannot be used with it, separated by spaces
  std::string_view neutral{};  ///< the values with which it counts as not given
  std::string_view instead{};  ///< flags that choose the same thing: a default yields to them

  StoreValue store = nullptr;

  /// Returns false for a switch, whose value, if any, is true or false.
  bool takes_value() const { return kind != ValueKind::none || !value.empty(); }
  /// Returns whether the parser of `command` knows the flag.
  bool is_known_to(CommandSet command) const {
    return ((commands | hidden | refused) & command) != 0 ||
           (is_global && command != commands::sandbox);
  }
  std::string_view description() const { return note.empty() ? help : note; }
};

/// Returns the rows of a table with what they share: the part of the help, whether they are global,
/// the commands, and which of these need --watch. A row with commands of its own keeps them.
template <std::size_t kSize>
constexpr std::array<FlagRow, kSize> rows_with(const FlagRow& shared,
                                               const FlagRow (&rows)[kSize]) {
  std::array<FlagRow, kSize> all = std::to_array(rows);
  for (FlagRow& row : all) {
    row.is_global = row.is_global || shared.is_global;
    if (row.part == HelpPart::flags) row.part = shared.part;
    if ((row.commands | row.hidden) != 0) continue;
    row.commands = shared.commands;
    row.needs_watch |= shared.needs_watch;
  }
  return all;
}

/// Returns the part of `parsed` that holds the flags of a kind. command_line.cc instantiates it for
/// the structs whose members rows set.
template <class Part>
Part& part_of(ParsedFlags& parsed);

/// Returns the words that spaces separate.
std::vector<std::string_view> words_in(std::string_view text);
/// Returns the index of `text` among the words of a row. Errors: usage.
Result<std::size_t> word_index(const FlagRow& row, const std::string& text);
/// Returns the whole number in `text`, within the limits of the row. Errors: usage.
template <std::integral Number>
Result<Number> whole_number(const FlagRow& row, const std::string& text);
/// Returns whether the value of a switch means on: `yes`, `1`; nullopt: neither on nor off.
std::optional<bool> switch_value(std::string_view text);

// Read one value. `text` is not empty for durations and numbers.
Result<void> read_value(bool& target, const FlagRow& row, const std::string& text);
Result<void> read_value(std::string& target, const FlagRow& row, const std::string& text);
/// Appends the value.
Result<void> read_value(std::vector<std::string>& target, const FlagRow& row,
                        const std::string& text);
/// Appends the parts between commas; of an empty value, an empty part.
Result<void> read_list(std::vector<std::string>& target, const std::string& text);
Result<void> read_value(Clock::Duration& target, const FlagRow& row, const std::string& text);
template <std::integral Number>
Result<void> read_value(Number& target, const FlagRow& row, const std::string& text) {
  using Widest = std::conditional_t<std::unsigned_integral<Number>, std::uint64_t, std::int64_t>;
  const Result<Widest> number = whole_number<Widest>(row, text);
  if (!number) return fail(number);
  if (!std::in_range<Number>(*number)) return fail(ErrorKind::usage, "not a whole number");
  target = static_cast<Number>(*number);
  return {};
}
template <class Value>
Result<void> read_value(std::optional<Value>& target, const FlagRow& row, const std::string& text) {
  Value value{};
  Result<void> fine = read_value(value, row, text);
  if (fine) target = std::move(value);
  return fine;
}

// Parsers for `parsed_into`. Errors: usage.
Result<Clock::Duration> parse_resync(const std::string& text);
/// Parses a --timeout of kubectl: a negative one means a week.
Result<Clock::Duration> parse_kubectl_timeout(const std::string& text);
Result<double> parse_speed(const std::string& text);
/// Parses the name of a file or folder, which must not be empty.
Result<std::string> parse_file_name(const std::string& text);
/// Parses the name of a context: letters, digits and -_.@:/
Result<std::string> parse_context_name(const std::string& text);

template <class Part, class Member>
Part part_with(Member Part::*);

/// Returns the member at a path such as `&GlobalFlags::config, &ConfigFlags::kubeconfig`.
template <auto first, auto... path>
auto& member_at(ParsedFlags& parsed) {
  auto& part = part_of<decltype(part_with(first))>(parsed);
  return ((part.*first).*....*path);
}

/// Parses a value according to the type of the member, and stores it there.
template <auto... path>
Result<void> into(ParsedFlags& parsed, const FlagRow& row, const std::string& text) {
  return read_value(member_at<path...>(parsed), row, text);
}

/// Reads a value with a function that returns a Result.
template <auto parse, auto... path>
Result<void> parsed_into(ParsedFlags& parsed, const FlagRow& /*row*/, const std::string& text) {
  auto value = parse(text);
  if (!value) return fail(value);
  member_at<path...>(parsed) = *std::move(value);
  return {};
}

/// Reads one of the words of the row, which stand for `values`.
template <auto member, auto... values>
Result<void> word_into(ParsedFlags& parsed, const FlagRow& row, const std::string& text) {
  const Result<std::size_t> index = word_index(row, text);
  if (!index) return fail(index);
  constexpr std::array kValues{values...};
  if (*index < kValues.size()) member_at<member>(parsed) = kValues[*index];
  return {};
}

/// Appends the parts of a value between commas.
template <auto... path>
Result<void> list_into(ParsedFlags& parsed, const FlagRow& /*row*/, const std::string& text) {
  return read_list(member_at<path...>(parsed), text);
}

}  // namespace kinf
