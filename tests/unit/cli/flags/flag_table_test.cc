// SPDX-License-Identifier: Apache-2.0
// The tables of flags and commands agree with themselves and with the help.
#include "kinf/cli/flags/flag_table.h"

#include <doctest/doctest.h>

#include <set>

#include "kinf/cli/flags/command_table.h"

namespace kinf {
namespace {

/// Returns the flags in a text: `--output`.
std::set<std::string> flag_names_in(std::string_view text) {
  std::set<std::string> flags;
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at + 2)) {
    const std::size_t end =
        std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at), text.size());
    if (end - at > 2 && text[at + 2] != '-') flags.emplace(text.substr(at, end - at));
  }
  return flags;
}

/// Returns the help after the examples, which may name flags of other commands.
std::string help_after_examples(std::string_view command) {
  const std::string help = help_text(command);
  return help.substr(help.find("\nUsage: "));
}

TEST_CASE("a row has what it needs, and the flags that it names exist") {
  for (const FlagRow* row : flag_rows()) {
    CAPTURE(row->name);
    CHECK(row->name.starts_with("--"));
    CHECK((row->store != nullptr));
    CHECK_FALSE(row->description().empty());
    CHECK((row->commands | row->hidden) != 0);
    CHECK((row->commands & (row->hidden | row->refused)) == 0);
    if (row->kind == ValueKind::choice) CHECK_FALSE(row->words.empty());
    for (const std::string_view list : {row->needs, row->refuses, row->instead}) {
      for (const std::string_view name : words_in(list)) {
        CAPTURE(name);
        CHECK((find_flag(name, row->commands & ~(row->commands - 1)) != nullptr ||
               find_flag(name, 0) != nullptr));
      }
    }
  }
}

TEST_CASE("a flag has one row in a command, and so has a letter") {
  for (const CommandRow& command : command_rows()) {
    std::set<std::string_view> names;
    std::set<char> letters;
    for (const FlagRow* row : flag_rows()) {
      if (((row->commands | row->hidden | row->refused) & command.id) == 0) continue;
      CAPTURE(command.name);
      CAPTURE(row->name);
      CHECK(names.insert(row->name).second);
      CHECK((row->letter == 0 || letters.insert(row->letter).second));
    }
  }
}

TEST_CASE("the help of a command names the flags that it takes, and no others") {
  for (const CommandRow& command : command_rows()) {
    if (command.text.empty()) continue;
    CAPTURE(command.name);
    const std::set<std::string> named = flag_names_in(help_after_examples(command.name));
    for (const FlagRow* row : flag_rows()) {
      if ((row->commands & command.id) == 0) continue;
      CAPTURE(row->name);
      CHECK(named.contains(std::string(row->name)));
    }
    for (const std::string& name : named) {
      CAPTURE(name);
      const FlagRow* const row = find_flag(name, command.id);
      CHECK((row != nullptr && (row->commands & command.id) != 0));
    }
  }
}

TEST_CASE("each command has a name, a bit and a summary of its own") {
  CommandSet ids = 0;
  for (const CommandRow& command : command_rows()) {
    CAPTURE(command.name);
    CHECK(command_id(command.name) == command.id);
    CHECK((ids & command.id) == 0);
    CHECK_FALSE(command.summary.empty());
    ids |= command.id;
  }
  CHECK(ids == commands::all);
  CHECK(command_id("frob") == 0);
}

}  // namespace
}  // namespace kinf
