// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include "kinf/base/log.h"
#include "kinf/query/condition.h"

namespace kinf {
namespace {

constexpr std::string_view kPod =
    R"({"metadata":{"name":"web","generation":3},"status":{"phase":"Running","replicas":3,)"
    R"("ips":["a","b"],"observedGeneration":3,"conditions":[)"
    R"({"type":"Ready","status":"True"},{"type":"Old","status":"True","observedGeneration":2},)"
    R"({"type":"Progressing","status":"Unknown"}]}})";

bool holds(std::string_view text, std::string_view json = kPod) {
  const Result<std::optional<Condition>> condition = Condition::parse(text);
  REQUIRE(condition);
  REQUIRE(condition->has_value());
  ObjectFacts facts;
  facts.json = json;
  const ObjectPtr object = Object::create(facts);
  const Result<bool> found = (*condition)->holds(json.empty() ? nullptr : object.get(), {});
  REQUIRE(found);
  return *found;
}

TEST_CASE("create and delete ask whether the object exists") {
  CHECK(holds("create"));
  CHECK_FALSE(holds("create", ""));
  CHECK(holds("Delete", ""));
  CHECK_FALSE(holds("delete"));
}

TEST_CASE("a condition of the status has a type and a value, in any case") {
  CHECK(holds("condition=Ready"));
  CHECK(holds("condition=ready=TRUE"));
  CHECK_FALSE(holds("condition=Ready=False"));
  CHECK_FALSE(holds("condition=Progressing"));
  CHECK(holds("condition=Progressing=Unknown"));
  CHECK_FALSE(holds("condition=Missing"));
  CHECK_FALSE(holds("condition=Ready", ""));
  CHECK_FALSE(holds("condition=Ready", R"({"status":{"conditions":"none"}})"));
}

TEST_CASE("a condition of an older generation does not hold") {
  CHECK_FALSE(holds("condition=Old"));
  CHECK_FALSE(holds("condition=Ready",
                    R"({"metadata":{"generation":2},"status":{"observedGeneration":1,)"
                    R"("conditions":[{"type":"Ready","status":"True"}]}})"));
}

TEST_CASE("a JSONPath has a value, or any") {
  CHECK(holds("jsonpath={.status.phase}=Running"));
  CHECK(holds("jsonpath=.status.phase='Running'"));
  CHECK(holds("jsonpath={.status.replicas}=3"));
  CHECK(holds("jsonpath=status.phase"));
  CHECK_FALSE(holds("jsonpath={.status.phase}=Pending"));
  CHECK_FALSE(holds("jsonpath={.status.missing}"));
  CHECK_FALSE(holds("jsonpath={.status.missing}=1"));
  CHECK(holds(R"(jsonpath={.status.conditions[?(@.type=="Ready")].status}=True)"));
  CHECK_FALSE(holds("jsonpath={.status.phase}", ""));
}

TEST_CASE("several values at a JSONPath are an error") {
  ObjectFacts facts;
  facts.json = kPod;
  const ObjectPtr object = Object::create(facts);
  const Result<std::optional<Condition>> condition = Condition::parse("jsonpath={.status.ips[*]}");
  REQUIRE(condition);
  CHECK((*condition)->holds(object.get(), {}).error().message ==
        "given jsonpath expression matches more than one value");
}

TEST_CASE("a map or a list at a JSONPath is a value, but cannot be compared") {
  CHECK(holds("jsonpath={.status.ips}"));
  ObjectFacts facts;
  facts.json = kPod;
  const ObjectPtr object = Object::create(facts);
  for (const char* text : {"jsonpath={.status.ips}=a", "jsonpath={.metadata}=web"}) {
    const Result<std::optional<Condition>> condition = Condition::parse(text);
    REQUIRE(condition);
    CHECK((*condition)->holds(object.get(), {}).error().message ==
          "jsonpath leads to a nested object or list which is not supported");
  }
}

TEST_CASE("the first condition of a type decides") {
  constexpr std::string_view kTwice =
      R"({"status":{"conditions":[{"type":"A"},{"type":"A","status":"False"},)"
      R"({"type":"a","status":"True"}]}})";
  CHECK(holds("condition=A=False", kTwice));
  CHECK_FALSE(holds("condition=A", kTwice));
}

TEST_CASE("a condition knows its text and what it compares") {
  CHECK((*Condition::parse("condition=Ready=False"))->subject() == "Ready");
  CHECK((*Condition::parse("jsonpath={.a.b}=1"))->subject() == ".a.b");
  CHECK((*Condition::parse("jsonpath=.a.b"))->subject() == ".a.b");
  CHECK((*Condition::parse("jsonpath={.a.b}=1"))->text() == "jsonpath={.a.b}=1");
}

TEST_CASE("jq= is an expression on the object") {
  CHECK(holds("jq=.status.replicas > 2"));
  CHECK_FALSE(holds("jq=.status.phase == \"Pending\""));
  CHECK_FALSE(holds("jq=true", ""));
}

TEST_CASE("other texts are no conditions, and wrong ones are usage errors") {
  for (const char* text : {".type == \"ADDED\"", "Ready", "jsonpath", "x=1"}) {
    const Result<std::optional<Condition>> condition = Condition::parse(text);
    REQUIRE(condition);
    CHECK_FALSE(condition->has_value());
  }
  for (const char* text : {"condition=", "condition==True", "jsonpath=", "jsonpath={.a}=",
                           "jsonpath={.a}=1=2", "jsonpath={.a", "jq=", "jq=.a == x"}) {
    CAPTURE(text);
    const Result<std::optional<Condition>> condition = Condition::parse(text);
    REQUIRE_FALSE(condition);
    CHECK(condition.error().kind == ErrorKind::usage);
  }
}

}  // namespace

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
  CHECK(*both->matches(*one, two.get(), "pods web", false, {}));
  CHECK_FALSE(*both->matches(*one, three.get(), "pods web", false, {}));
  CHECK_FALSE(*both->matches(*two, one.get(), "pods web", false, {}));
  CHECK_FALSE(*both->matches(*one, nullptr, "pods web", false, {}));
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
  CHECK_FALSE(*plain->matches(*wrong, nullptr, "pods default/web", false, {}));
  CHECK_FALSE(*plain->matches(*wrong, nullptr, "pods default/db", false, {}));
  const auto of_secret = where({"error(.a)"});
  CHECK_FALSE(*of_secret->matches(*wrong, nullptr, "secrets default/web", true, {}));
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
  CHECK_FALSE(*endless->matches(*object_of("{}"), nullptr, "pods web", false, source.get_token()));
  CHECK(endless->failures() == 0);
}

}  // namespace

}  // namespace kinf
