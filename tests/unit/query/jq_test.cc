// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/jq.h"

#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include "kinf/query/jq/jq_program.h"

namespace kinf {
namespace {

using Texts = std::vector<std::string>;

Jq compiled(std::string_view expression) {
  Result<Jq> program = Jq::compile(expression);
  REQUIRE(program);
  return *std::move(program);
}

Texts results(std::string_view expression, std::string_view json) {
  Jq program = compiled(expression);
  Texts texts;
  const Result<void> done = program.run(JqInput(json), nullptr, {},
                                        [&](std::string_view text) { texts.emplace_back(text); });
  REQUIRE(done);
  return texts;
}

Result<bool> jq_holds(std::string_view expression, std::string_view json) {
  return compiled(expression).holds(JqInput(json), nullptr, {});
}

Error compile_error(std::string_view expression) {
  Result<Jq> program = Jq::compile(expression);
  REQUIRE_FALSE(program);
  CHECK(program.error().kind == ErrorKind::usage);
  return std::move(program).error();
}

TEST_CASE("results are printed as gh --jq prints them") {
  CHECK(results(".a, .b, .c, .d, .e", R"({"a":"x \"y\"","b":[1,{"c":2}],"d":true,"e":1.5})") ==
        Texts{"x \"y\"", R"([1,{"c":2}])", "", "true", "1.5"});
  CHECK(results("empty", "1").empty());
  CHECK(results("def f: .a; f", R"({"a":3})") == Texts{"3"});
  CHECK(results(".a # the end", R"({"a":3})") == Texts{"3"});
}

TEST_CASE("an object is selected if one of the results is neither null nor false") {
  CHECK(*jq_holds(".a == 1", R"({"a":1})"));
  CHECK_FALSE(*jq_holds(".a == 2", R"({"a":1})"));
  CHECK_FALSE(*jq_holds(".b", R"({"a":1})"));
  CHECK_FALSE(*jq_holds("empty", "{}"));
  CHECK(*jq_holds(".[]", "[null,false,0]"));
  CHECK(*jq_holds("true, error(\"late\")", "{}"));
  CHECK_FALSE(*jq_holds("halt", "{}"));
}

TEST_CASE("$old is the second input, or null") {
  Jq program = compiled("$old == null or .a != $old.a");
  CHECK(program.uses_old());
  CHECK_FALSE(compiled(".a").uses_old());
  const JqInput one = JqInput(R"({"a":1})");
  const JqInput two = JqInput(R"({"a":2})");
  CHECK(*program.holds(one, nullptr, {}));
  CHECK(*program.holds(one, &two, {}));
  CHECK_FALSE(*program.holds(one, &one, {}));
}

TEST_CASE("a failing program returns jq's message without control characters, and works again") {
  Jq program = compiled(".a.b");
  const Result<bool> failed = program.holds(JqInput(R"({"a":"x"})"), nullptr, {});
  REQUIRE_FALSE(failed);
  CHECK(failed.error().kind == ErrorKind::protocol);
  const std::string& message = failed.error().message;  // of jq 1.6, or of 1.8
  CHECK((message == "jq: Cannot index string with string \"b\"" ||
         message == "jq: Cannot index string with string (\"b\")"));
  CHECK(*program.holds(JqInput(R"({"a":{"b":1}})"), nullptr, {}));
  CHECK(jq_holds("error(\"\\u001b[2J\")", "{}").error().message == "jq: \\u001b[2J");
  CHECK(jq_holds("error({a: 1})", "{}").error().message == "jq: {\"a\":1} (not a string)");
  CHECK(jq_holds("error(\"é\" * 400)", "{}").error().message.size() < 320);
  Jq halting = compiled("halt_error");
  for (int i = 0; i < 3; ++i) {  // libjq 1.6 would free the input again each time
    CHECK(halting.holds(JqInput(R"({"a":"x"})"), nullptr, {}).error().message ==
          "jq: the program called halt_error");
  }
}

TEST_CASE("what is no expression is refused with a hint") {
  const Error undefined = compile_error(".status.phase == Failed");
  CHECK(undefined.message == "jq: Failed/0 is not defined");
  CHECK(undefined.hint == "a string needs quotes: .status.phase == \"Failed\"");
  CHECK(compile_error(".Failed == Failed").hint == "a string needs quotes: .Failed == \"Failed\"");
  const std::string cut_off = compile_error(".a ==").message;  // by jq 1.6, or by 1.8
  CHECK((cut_off == "jq: syntax error, unexpected $end" ||
         cut_off == "jq: syntax error, unexpected end of file"));
  CHECK(compile_error("f(1)").message == "jq: f/1 is not defined");
  CHECK(compile_error("$x").message == "jq: $x is not defined");
  CHECK(compile_error(" ").message == "jq: the expression is empty");
  CHECK(compile_error(std::string(70'000, ' ') + ".").message ==
        "jq: the expression is longer than 64 KiB");
  // As a whole these are no expressions, whatever stands around them.
  for (const char* part : {")", "1) | (2", "# nothing", "import \"a\" as a; ."}) {
    CHECK(compile_error(part).message.starts_with("jq: syntax error"));
  }
  CHECK(compile_error(std::string(20'000, '[')).message.starts_with("jq: "));
}

TEST_CASE("a condition does not assign") {
  for (const char* text : {".a = 1", ".a=1", "\"x=\" = .a", ".a = (.b == 1)"}) {
    INFO(text);
    const Result<Jq> condition = Jq::compile_condition(text);
    REQUIRE_FALSE(condition);
    CHECK(condition.error().kind == ErrorKind::usage);
    CHECK(condition.error().hint.starts_with("== compares: "));
    CHECK(Jq::compile(text));
  }
  for (const char* text : {".a == 1", ".a==1", ".a != 1", ".a <= 1", ".a >= \"=\"", "(.a |= 1).a",
                           "(.a += 1).a", R"(.a == "\"=")"}) {
    INFO(text);
    CHECK(Jq::compile_condition(text));
  }
}

TEST_CASE("what is no JSON is refused") {
  CHECK(JqValue::parse("{damaged").error().kind == ErrorKind::protocol);
  CHECK(JqValue::parse("{} {}").error().kind == ErrorKind::protocol);
  const Result<JqValue> deep = JqValue::parse(std::string(20'000, '[') + std::string(20'000, ']'));
  REQUIRE_FALSE(deep);
  CHECK(deep.error().message.starts_with("jq: Exceeds depth limit for parsing"));
}

TEST_CASE("a stop ends an endless program, before and while it runs") {
  for (const char* endless : {"def f: f; f", "[range(1e12)] | length", "last(repeat(1))"}) {
    Jq program = compiled(endless);
    std::stop_source source;
    Result<bool> found = false;
    std::jthread runner([&] { found = program.holds(JqInput("{}"), nullptr, source.get_token()); });
    source.request_stop();
    runner.join();
    REQUIRE_FALSE(found);
    CHECK(found.error().kind == ErrorKind::stopped);
    CHECK(program.holds(JqInput("{}"), nullptr, source.get_token()).error().kind ==
          ErrorKind::stopped);
  }
}

TEST_CASE("several threads share a program") {
  Jq program = compiled(".a | length == 2");
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int n = 0; n < 50; ++n) {
        const JqInput input = JqInput(i % 2 == 0 ? R"({"a":[1,2]})" : R"({"a":[1]})");
        CHECK(*program.holds(input, nullptr, {}) == (i % 2 == 0));
      }
    });
  }
}

}  // namespace
}  // namespace kinf
