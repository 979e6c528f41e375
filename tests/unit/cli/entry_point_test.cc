// SPDX-License-Identifier: Apache-2.0
// Whole runs of kinf that end without a server.
#include "kinf/cli/entry_point.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "kinf/cli/flags/command_table.h"
#include "unit/cli/runtime/captured_stream.h"

namespace kinf {
namespace {

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

Outcome run_kinf(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "kinf");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  Outcome outcome;
  outcome.out = test::captured(STDOUT_FILENO, [&] {
    outcome.err = test::captured(
        STDERR_FILENO, [&] { outcome.code = run(static_cast<int>(argv.size()), argv.data()); });
  });
  return outcome;
}

TEST_CASE("help and version are printed on stdout and succeed") {
  struct Case {
    std::vector<std::string> arguments;
    std::string out;
  };
  for (const Case& one :
       {Case{{}, help_text("")}, Case{{"help"}, help_text("")},
        Case{{"help", "watch"}, help_text("watch")}, Case{{"index", "--help"}, help_text("index")},
        Case{{"version"}, version_text()}}) {
    const Outcome outcome = run_kinf(one.arguments);
    CHECK(outcome.code == 0);
    CHECK(outcome.out == one.out);
    CHECK(outcome.err.empty());
  }
}

TEST_CASE("a wrong command line is reported on stderr with a hint, and ends with 2") {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"frob"}, {"watch"}, {"watch", "po", "--frob"}, {"run", "cm"}}) {
    CAPTURE(arguments);
    const Outcome outcome = run_kinf(arguments);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.starts_with("error: "));
    CHECK(outcome.err.find("\nhint: ") != std::string::npos);
  }
}

}  // namespace
}  // namespace kinf
