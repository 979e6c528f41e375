// SPDX-License-Identifier: Apache-2.0
// FlagRow: describes one flag. The parser, --help, completion, the settings, the checks for
// conflicting flags and the tests of the man pages read these rows. Each row is defined below the
// struct whose member it sets, in `*_flags.h`.
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

/// A set of commands: one bit per command.
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
inline constexpr CommandSet info = 1U << 14;
inline constexpr CommandSet copy = 1U << 15;

inline constexpr CommandSet all = (1U << 16) - 1;
/// The commands that connect to no server.
inline constexpr CommandSet serverless = sandbox | info | copy;
/// The commands that start informers.
inline constexpr CommandSet informers = watch | get | index | wait | run | record | history;

}  // namespace commands

struct FlagRow;
struct ParsedFlags;

/// The kind of value that a flag takes.
enum class ValueKind {
  none,    ///< completion offers nothing; also the kind of a switch
  choice,  ///< one of FlagRow::words; other values are errors
  words,   ///< any text; completion offers FlagRow::words
  word_list,
  level,  ///< the number after -v, which may be missing
  file,
  folder,
  context,
  contexts,  ///< several contexts, separated by commas
  cluster,
  user,
  name_space,
  label_selector,
  label_keys,
  namespace_labels,
  field_selector,
  path,         ///< a field path: .spec.nodeName
  sort_paths,   ///< field paths, separated by commas
  index_order,  ///< FlagRow::words, or field paths separated by commas
  index_key,
  object,  ///< TYPE/NAME
  types,   ///< TYPE,TYPE
  output,
  api_group,
  condition,
  scenario
};

/// Where --help shows a flag.
enum class HelpPart {
  flags,   ///< on a line of its own
  output,  ///< on a line of its own, below "Output:" if the command has this title
  // In a paragraph at the end of the help:
  selection,
  connection,
  queue,
  parts,
  recordings,
  cluster,
  logging
};

/// Parses `text`, the value of a flag, and stores it in a member of `parsed`. For a switch, `text`
/// is true or false. Errors: usage; the message does not name the flag.
using StoreValue = Result<void> (*)(ParsedFlags& parsed, const FlagRow& row,
                                    const std::string& text);

/// A help text that replaces FlagRow::help in `commands`.
struct HelpIn {
  CommandSet commands = 0;
  std::string_view text{};
};

/// Describes one flag. A switch needs only `name`, `commands`, `help` and `store`.
struct FlagRow {
  std::string_view name{};  ///< `--output`
  char letter = 0;          ///< the `o` of `-o`

  ValueKind kind = ValueKind::none;
  std::string_view value{};  ///< the placeholder in the help: `FORMAT`; empty for a switch
  std::string_view words{};  ///< the values to offer, separated by spaces
  std::string_view bare{};   ///< the value of `--flag` without `=VALUE`; empty if it needs one
  std::int64_t least = 0;    ///< the minimum of a number; `most` is its maximum
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  bool takes_empty = false;  ///< a flag with an empty value counts as given
  bool repeats = false;      ///< all values of a repeated flag count, not only the last
  bool is_greedy = false;    ///< takes all words up to the next flag

  bool is_global = false;  ///< may precede the command; all commands but `sandbox` accept it
  /// The commands that accept the flag and list it in help and completion.
  CommandSet commands = 0;
  CommandSet hidden = 0;  ///< the commands that accept the flag but do not list it
  /// The commands that reject the flag with "cannot be used with COMMAND".
  CommandSet refused = 0;

  HelpPart part = HelpPart::flags;
  /// The description in --help, wrapped at spaces. If it begins with a space, it is printed
  /// unchanged, without the name of the flag. If it is empty, the flag gets no line of its own,
  /// because the help of another flag names it.
  std::string_view help{};
  HelpIn help_in{};
  std::string_view note{};  ///< the description in completion; empty means `help`

  CommandSet needs_watch = 0;  ///< the commands that accept the flag only with --watch
  std::string_view needs{};    ///< another flag that must also be given
  /// The flags that cannot be combined with this one, separated by spaces.
  std::string_view refuses{};
  std::string_view neutral{};  ///< values with which the flag counts as not given
  /// Flags that set the same thing; if one is given, the default of this flag is ignored.
  std::string_view instead{};

  StoreValue store = nullptr;

  /// Returns false for a switch, which needs no value but accepts true and false.
  bool takes_value() const { return kind != ValueKind::none || !value.empty(); }
  /// Returns whether the parser of `command` knows the flag.
  bool is_known_to(CommandSet command) const {
    return ((commands | hidden | refused) & command) != 0 ||
           (is_global && (commands::serverless & command) == 0);
  }
  std::string_view description() const { return note.empty() ? help : note; }
};

/// Returns `rows`, and fills in `part`, `is_global`, `commands` and `needs_watch` from `shared`. A
/// row that sets `commands` or `hidden` keeps its own commands.
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

/// Returns the member of `parsed` whose type is `Part`. command_line.cc instantiates this function
/// for each struct whose members the rows set.
template <class Part>
Part& part_of(ParsedFlags& parsed);

/// Splits `text` at spaces.
std::vector<std::string_view> words_in(std::string_view text);
/// Returns the index of `text` among the words of a row. Errors: usage.
Result<std::size_t> word_index(const FlagRow& row, const std::string& text);
/// Returns the whole number in `text`, within the limits of the row. Errors: usage.
template <std::integral Number>
Result<Number> whole_number(const FlagRow& row, const std::string& text);
/// Returns true for a text that turns a switch on (`yes`, `1`), false for one that turns it off,
/// and nullopt for other texts.
std::optional<bool> switch_value(std::string_view text);

// Each overload parses one value and stores it in `target`. `text` is not empty for durations and
// numbers.
Result<void> read_value(bool& target, const FlagRow& row, const std::string& text);
Result<void> read_value(std::string& target, const FlagRow& row, const std::string& text);
/// Appends the value.
Result<void> read_value(std::vector<std::string>& target, const FlagRow& row,
                        const std::string& text);
/// Appends the parts of `text` between commas. For an empty `text`, appends one empty part.
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
/// Parses --timeout as kubectl does: a negative value means a week.
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

/// Parses a value with the function `parse`, and stores it in the member at `path`.
template <auto parse, auto... path>
Result<void> parsed_into(ParsedFlags& parsed, const FlagRow& /*row*/, const std::string& text) {
  auto value = parse(text);
  if (!value) return fail(value);
  member_at<path...>(parsed) = *std::move(value);
  return {};
}

/// Looks up `text` among the words of the row, and stores the element of `values` that has the same
/// index.
template <auto member, auto... values>
Result<void> word_into(ParsedFlags& parsed, const FlagRow& row, const std::string& text) {
  const Result<std::size_t> index = word_index(row, text);
  if (!index) return fail(index);
  constexpr std::array kValues{values...};
  if (*index < kValues.size()) member_at<member>(parsed) = kValues[*index];
  return {};
}

/// Stores the value, which must be one of the words of the row.
template <auto... path>
Result<void> word_of_row_into(ParsedFlags& parsed, const FlagRow& row, const std::string& text) {
  const Result<std::size_t> index = word_index(row, text);
  if (!index) return fail(index);
  member_at<path...>(parsed) = text;
  return {};
}

/// Appends the parts of a value between commas.
template <auto... path>
Result<void> list_into(ParsedFlags& parsed, const FlagRow& /*row*/, const std::string& text) {
  return read_list(member_at<path...>(parsed), text);
}

}  // namespace kinf
