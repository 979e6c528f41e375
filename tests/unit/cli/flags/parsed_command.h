// SPDX-License-Identifier: Apache-2.0
// parsed: the command of a command line without errors, for tests.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <variant>
#include <vector>

#include "kinf/cli/flags/command_line.h"

namespace kinf::test {

template <class Command>
Command parsed(const std::vector<std::string>& words) {
  Result<CommandLine> line = parse_command_line(words);
  if (!line) FAIL(line.error().message);
  REQUIRE(std::holds_alternative<Command>(*line));
  return std::get<Command>(*line);
}

}  // namespace kinf::test
