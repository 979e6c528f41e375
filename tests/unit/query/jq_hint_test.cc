// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/jq/jq_hint.h"

#include <doctest/doctest.h>

#include "kinf/query/jq.h"

namespace kinf {
namespace {

std::string hint_of(std::string_view condition) {
  const Result<Jq> program = Jq::compile_condition(condition);
  REQUIRE_FALSE(program);
  return program.error().hint;
}

TEST_CASE("a hint mends missing quotes, missing dots and assignments") {
  CHECK(hint_of(".status.phase == Failed") == "a string needs quotes: .status.phase == \"Failed\"");
  CHECK(hint_of("status.phase == \"Failed\"") ==
        "a field begins with a dot: .status.phase == \"Failed\"");
  CHECK(hint_of("phase == \"Failed\"") == "a field begins with a dot: .phase == \"Failed\"");
  CHECK(hint_of("any(conditions[]; .type == \"Ready\")") ==
        "a field begins with a dot: any(.conditions[]; .type == \"Ready\")");
  CHECK(hint_of("any(ready == true; .)") == "a field begins with a dot: any(.ready == true; .)");
  CHECK(hint_of(".a | test(web)") == "a string needs quotes: .a | test(\"web\")");
  CHECK(hint_of("Failed == .status.phase") == "a string needs quotes: \"Failed\" == .status.phase");
  CHECK(hint_of(".a = \"x=\"") == "== compares: .a == \"x=\"");
}

TEST_CASE("a hint mends several mistakes") {
  CHECK(hint_of("status.phase == Failed") == "did you mean .status.phase == \"Failed\"?");
  CHECK(hint_of(".type = DELETED") == "did you mean .type == \"DELETED\"?");
  CHECK(hint_of(".a == A and .b == B") == "a string needs quotes: .a == \"A\" and .b == \"B\"");
}

TEST_CASE("a hint leaves strings, variables and longer words alone") {
  CHECK(hint_of(".a == \"x Failed\\\" Failed\" or .Failed == Failed") ==
        "a string needs quotes: .a == \"x Failed\\\" Failed\" or .Failed == \"Failed\"");
  CHECK(hint_of("1 as $web | .webs == $web or .a == web") ==
        "a string needs quotes: 1 as $web | .webs == $web or .a == \"web\"");
}

TEST_CASE("there is no hint that would not help") {
  for (const std::string_view text : {".a ==", "ready", ".a == \"x\" and ready", ".a == x + f(1)",
                                      "\"\\(web)\" == .a", "{web: 1} == web.b.", "$web == 1"}) {
    CAPTURE(text);
    CHECK(hint_of(text) == "man jq describes the language");
  }
  int asked = 0;
  const std::string hint = jq_hint(".a == web", "web/0 is not defined", [&](const std::string&) {
    ++asked;
    return std::string("web/0 is not defined");  // as if quotes did not help
  });
  CHECK(hint == "man jq describes the language");
  CHECK(asked == 1);
}

}  // namespace
}  // namespace kinf
