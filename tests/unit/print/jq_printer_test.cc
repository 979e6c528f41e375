// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/jq_printer.h"

#include <doctest/doctest.h>

#include "kinf/base/log.h"
#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

JqPrintOptions options(std::string_view expression, bool for_terminal = false) {
  Result<Jq> program = Jq::compile(expression);
  REQUIRE(program);
  return {std::make_shared<Jq>(*std::move(program)), {}, for_terminal};
}

std::string printed(std::string_view expression, const Change& change) {
  PrintOptions json;
  json.format = OutputFormat::json;
  const auto printer = make_jq_printer(options(expression), make_event_printer(json));
  std::string out;
  printer->print(test::kPods, change, {}, out);
  return out;
}

TEST_CASE("a program prints its results for each event, one per line") {
  const Change change = test::listed(test::make_object({}));
  CHECK(printed(".type, .missing, [.type]", change) == "ADDED\n\n[\"ADDED\"]\n");
  CHECK(printed("empty", change).empty());
}

TEST_CASE("an event for which jq fails is named, and its first results are printed") {
  std::vector<std::string> lines;
  log::set_sink([&](std::string_view line) { lines.emplace_back(line); });
  const Change change = test::listed(test::make_object({}));
  CHECK(printed("1, error(\"no\")", change) == "1\n");
  log::set_sink({});
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].find("--jq: pods " + change.key + ": jq: no") != std::string::npos);
}

TEST_CASE("to a terminal go only printable characters, tabs and line breaks") {
  const char* const json = R"(["a\u001b[2Jb\tc\nd\u0007\u009b\u202eé"])";
  std::string out;
  CHECK(append_jq(out, options(".[]", true), json));
  CHECK(out == "a\\u001b[2Jb\tc\nd\\u0007\\u009b\\u202eé\n");
  out.clear();
  CHECK(append_jq(out, options(".[]", false), json));
  CHECK(out.find('\x1b') != std::string::npos);
}

}  // namespace
}  // namespace kinf
