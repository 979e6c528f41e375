// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <sstream>
#include <vector>

#include "kinf/cli/flags/command_table.h"

namespace kinf {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

TEST_CASE("the help of kinf names every command, and each command has a help of its own") {
  const std::string program = help_text("");
  CHECK(has(program, "Usage: kinf COMMAND"));
  for (const CommandRow& command : command_rows()) {
    CAPTURE(command.name);
    const std::string name(command.name);
    CHECK(has(program, "\n  " + name + " "));
    if (command.text.empty()) continue;
    const std::string text = help_text(command.name);
    CHECK(text != program);
    CHECK(has(text, "Usage: kinf " + name));
    CHECK(text.back() == '\n');
  }
}

TEST_CASE("each help has examples before all else, in lines of at most 80 characters") {
  std::vector<std::string_view> topics = {""};
  for (const CommandRow& command : command_rows()) topics.push_back(command.name);
  for (const std::string_view topic : topics) {
    CAPTURE(topic);
    const std::string text = help_text(topic);
    const std::size_t examples = text.find("\nExamples:\n  ");
    CHECK(examples < text.find("\nUsage: "));
    CHECK(text.find("\n\n") + 1 == examples);  // only the summary is before them
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
  }
}

TEST_CASE("commands without a help of their own show that of kinf") {
  CHECK(help_text("version") == help_text(""));
  CHECK(help_text("help") == help_text(""));
}

TEST_CASE("a help lists the flags that the command takes and no others") {
  struct Case {
    std::string_view command;
    std::string_view flag;
    bool listed;
  };
  for (const Case& one :
       {Case{"watch", "--watch-only", true}, Case{"get", "--drain", false},
        Case{"index", "--by", true}, Case{"watch", "--by ", false},
        Case{"run", "--concurrency", true}, Case{"index", "--concurrency", false},
        Case{"sandbox", "--fault", true}, Case{"sandbox", "--kubeconfig ", false},
        Case{"watch", "--kubeconfig ", true}, Case{"demo", "--kubeconfig ", true},
        Case{"check", "--context NAME[,", true}, Case{"api-resources", "--context NAME,", true},
        Case{"record", "--context NAME,", true}, Case{"demo", "--selector", false},
        Case{"run", "--selector", true}}) {
    CAPTURE(one.command);
    CAPTURE(one.flag);
    CHECK(has(help_text(one.command), one.flag) == one.listed);
  }
}

TEST_CASE("the version names kinf, its number and the compiler") {
  const std::string text = version_text();
  CHECK(text.starts_with("kinf "));
  CHECK(text.find_first_of("0123456789") == 5);
  const bool is_clang = std::string_view(__VERSION__).find("lang") != std::string_view::npos;
  CHECK(has(text, is_clang ? "(clang " : "(g++ "));
  CHECK(text.ends_with(")\n"));
}

}  // namespace
}  // namespace kinf
