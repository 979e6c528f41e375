// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/where.h"

#include <doctest/doctest.h>

#include "kinf/base/log.h"

namespace kinf {
namespace {

ObjectPtr object_of(std::string_view json) {
  ObjectFacts facts;
  facts.name = "web";
  facts.json = json;
  return Object::create(facts);
}

std::shared_ptr<Where> where(const std::vector<std::string>& expressions) {
  Result<std::shared_ptr<Where>> parsed = Where::parse(expressions);
  REQUIRE(parsed);
  return *std::move(parsed);
}

TEST_CASE("all expressions of --where must hold") {
  const auto both = where({".a == 1", ".b == $old.b"});
  const ObjectPtr one = object_of(R"({"a":1,"b":1})");
  const ObjectPtr two = object_of(R"({"a":2,"b":1})");
  const ObjectPtr three = object_of(R"({"a":1,"b":2})");
  CHECK(both->matches(*one, two.get(), "pods web", false, {}));
  CHECK_FALSE(both->matches(*one, three.get(), "pods web", false, {}));
  CHECK_FALSE(both->matches(*two, one.get(), "pods web", false, {}));
  CHECK_FALSE(both->matches(*one, nullptr, "pods web", false, {}));
  CHECK(both->failures() == 0);
}

TEST_CASE("an expression that is wrong names the flag") {
  const Error error = Where::parse(std::vector<std::string>{".a", ".b == x"}).error();
  CHECK(error.message == "--where: jq: x/0 is not defined");
  CHECK(error.hint == "a string needs quotes: .b == \"x\"");
}

TEST_CASE("an object for which jq fails does not match, and the first one is named") {
  std::vector<std::string> lines;
  log::set_sink([&](std::string_view line) { lines.emplace_back(line); });
  const ObjectPtr wrong = object_of(R"({"a":"s3cret"})");
  const auto plain = where({".a.b"});
  CHECK_FALSE(plain->matches(*wrong, nullptr, "pods default/web", false, {}));
  CHECK_FALSE(plain->matches(*wrong, nullptr, "pods default/db", false, {}));
  const auto of_secret = where({"error(.a)"});
  CHECK_FALSE(of_secret->matches(*wrong, nullptr, "secrets default/web", true, {}));
  log::set_sink({});
  CHECK(plain->failures() == 2);
  REQUIRE(lines.size() == 2);
  const std::string failure =
      "--where: pods default/web does not match: jq: Cannot index string with string ";
  CHECK((lines[0].find(failure + "\"b\"") != std::string::npos ||    // jq 1.6
         lines[0].find(failure + "(\"b\")") != std::string::npos));  // jq 1.8
  CHECK(lines[1].find("s3cret") == std::string::npos);
}

TEST_CASE("after a stop nothing matches and nothing is said") {
  std::stop_source source;
  source.request_stop();
  const auto endless = where({"def f: f; f"});
  CHECK_FALSE(endless->matches(*object_of("{}"), nullptr, "pods web", false, source.get_token()));
  CHECK(endless->failures() == 0);
}

}  // namespace
}  // namespace kinf
