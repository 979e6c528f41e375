// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "kinf/api/selectors.h"

namespace kinf {
namespace {

ObjectPtr object_with(std::vector<Label> labels) {
  ObjectFacts facts;
  facts.name = "web";
  facts.labels = std::move(labels);
  facts.form = ObjectForm::metadata;
  return Object::create(facts);
}

bool matches(std::string_view selector, const ObjectPtr& object) {
  const auto parsed = LabelSelector::parse(selector);
  REQUIRE_MESSAGE(parsed.has_value(), selector);
  return parsed->matches(*object);
}

TEST_CASE("H13: every operator of a label selector, on a label that is there and one that is not") {
  const ObjectPtr object = object_with({{"app", "web"}, {"n", "7"}, {"empty", ""}});
  for (const char* holds : {"", "app", "!tier", "app=web", "app==web", "app!=db", "tier!=db",
                            "app in (db, web)", "app notin (db)", "tier notin (web)", "n>6", "n<8",
                            "empty=", "empty in (,a)", "in!=x", "app=web,n,!tier"}) {
    CHECK_MESSAGE(matches(holds, object), holds);
  }
  for (const char* fails : {"tier", "!app", "app=db", "app!=web", "tier=db", "app in (db)",
                            "app notin (web)", "n>7", "app>1", "tier<1", "app=web,tier"}) {
    CHECK_MESSAGE(!matches(fails, object), fails);
  }
}

TEST_CASE("a selector that matches nothing prints like the one that matches everything") {
  const ObjectPtr object = object_with({});
  CHECK(LabelSelector().matches(*object));
  CHECK(LabelSelector().empty());
  CHECK_FALSE(LabelSelector::nothing().matches(*object));
  CHECK_FALSE(LabelSelector::nothing().empty());
  CHECK(LabelSelector::nothing().to_string().empty());
}

TEST_CASE("a selector cut anywhere is a usage error or valid, never a crash") {
  const std::string text = "a in (b,c),!d,e>5,f notin (),g=h";
  for (std::size_t size = 0; size < text.size(); ++size) {
    const auto parsed = LabelSelector::parse(std::string_view(text).substr(0, size));
    if (!parsed) CHECK(parsed.error().kind == ErrorKind::usage);
  }
  CHECK_FALSE(LabelSelector::parse(std::string(1 << 20, '(')).has_value());
}

TEST_CASE("R2: a name is escaped where it is made part of a field selector") {
  std::string selector = "status.phase=Running";
  select_name(selector, "a,b=c\\d");
  CHECK(selector == R"(status.phase=Running,metadata.name=a\,b\=c\\d)");
  const FieldSelector parsed = FieldSelector::parse(selector).value();
  REQUIRE(parsed.requirements().size() == 2);
  CHECK(parsed.requirements()[0] == FieldRequirement{"metadata.name", true, "a,b=c\\d"});
}

TEST_CASE("a printed field selector can be parsed again") {
  const auto parsed = FieldSelector::parse("spec.a!=x\\,y,metadata.name==web");
  REQUIRE(parsed.has_value());
  CHECK(parsed->to_string() == "metadata.name=web,spec.a!=x\\,y");
  CHECK(FieldSelector::parse(parsed->to_string())->requirements() == parsed->requirements());
  CHECK(parsed->matches(
      [](std::string_view field) { return std::string(field == "metadata.name" ? "web" : ""); }));
  CHECK_FALSE(parsed->matches([](std::string_view) { return std::string("x,y"); }));
}

}  // namespace
}  // namespace kinf
