// SPDX-License-Identifier: Apache-2.0
#include "kinf/columns/fields.h"

#include <doctest/doctest.h>

#include "fakes/fake_clock.h"

namespace kinf::columns {
namespace {

using test::FakeClock;

TEST_CASE("a field that is absent or below another type reads as null") {
  const Json json = {{"a", {{"b", {{"c", 1}}}}}, {"list", {1, 2}}};
  CHECK(field(json, "a", "b", "c") == 1);
  CHECK(field(json, "a", "x", "c").is_null());
  CHECK(field(json, "list", "0").is_null());
  CHECK(field(Json(7), "a").is_null());
}

TEST_CASE("a value of another type reads as empty") {
  CHECK(text(Json("x")) == "x");
  CHECK(text(Json(7)) == "");
  CHECK(text(Json()) == "");
  CHECK(number(7) == 7);
  CHECK(number(-7) == -7);
  CHECK(number("7") == 0);
  CHECK(number(7.5) == 0);
  CHECK(is_true(true));
  CHECK_FALSE(is_true(false));
  CHECK_FALSE(is_true("true"));
  CHECK_FALSE(is_true(1));
  CHECK(elements(Json::array({1, 2})).size() == 2);
  CHECK(elements(Json::object({{"a", 1}})).empty());
  CHECK(members(Json::object({{"a", 1}})).size() == 1);
  CHECK(members(Json::array({1})).empty());
}

TEST_CASE("an empty cell is <none>") {
  CHECK(or_none("") == "<none>");
  CHECK(or_none("x") == "x");
}

TEST_CASE("elements without the field keep their place when fields are joined") {
  CHECK(joined(Json::parse(R"([{"name":"a"},{},{"name":"c"},"d"])"), "name") == "a,,c,");
  CHECK(joined(Json::parse("[]"), "name") == "");
  CHECK(joined(Json::parse("{}"), "name") == "");
}

TEST_CASE("a condition holds if it is True") {
  const Json object = Json::parse(
      R"({"status":{"conditions":[{"type":"A","status":"True"},{"type":"B","status":"False"},
          {"type":"C"},7]}})");
  CHECK(has_condition(object, "A"));
  CHECK_FALSE(has_condition(object, "B"));
  CHECK_FALSE(has_condition(object, "C"));
  CHECK_FALSE(has_condition(object, "D"));
  CHECK_FALSE(has_condition(7, "A"));
}

TEST_CASE("a time is read as RFC 3339 writes it") {
  CHECK(time("2026-11-21T10:14:00Z") == FakeClock::kStart);
  CHECK(time("2026-11-21T11:14:00.5+01:00") == FakeClock::kStart);
  CHECK_FALSE(time("2026-11-21").has_value());
  CHECK_FALSE(time(nullptr).has_value());
  CHECK_FALSE(time(1795256040).has_value());
}

TEST_CASE("an age needs a time") {
  CHECK(since("2026-11-21T10:12:55Z", FakeClock::kStart) == "65s");
  CHECK(since("2026-11-21T10:14:01Z", FakeClock::kStart) == "0s");
  CHECK(since("2026-11-21T10:15:00Z", FakeClock::kStart) == "<invalid>");
  CHECK(since("yesterday", FakeClock::kStart) == "<unknown>");
  CHECK(since(nullptr, FakeClock::kStart) == "<unknown>");
}

TEST_CASE("an age outside the clock's range is limited") {
  CHECK(since("0001-01-01T00:00:00Z", FakeClock::kStart) == "292y");
  CHECK(since("9999-01-01T00:00:00Z", FakeClock::kStart) == "<invalid>");
}

TEST_CASE("name and age are those of the metadata") {
  const Json object =
      Json::parse(R"({"metadata":{"name":"web","creationTimestamp":"2026-11-21T10:00:00Z"}})");
  CHECK(name_of(object) == "web");
  CHECK(age(object, FakeClock::kStart) == "14m");
  CHECK(name_of(Json::object()) == "");
  CHECK(age(Json::object(), FakeClock::kStart) == "<unknown>");
}

TEST_CASE("labels are sorted by key") {
  CHECK(labels_text(Json::parse(R"({"b":"2","a":"1","c":""})")) == "a=1,b=2,c=");
  CHECK(labels_text(Json::parse("{}")) == "<none>");
  CHECK(labels_text(nullptr) == "<none>");
}

TEST_CASE("a selector shows its labels and expressions, sorted by key") {
  CHECK(selector_text(Json::parse(R"({"matchLabels":{"app":"web","zone":"a"}})")) ==
        "app=web,zone=a");
  CHECK(selector_text(Json::parse(
            R"({"matchLabels":{"m":"1"},
                "matchExpressions":[{"key":"tier","operator":"In","values":["b","a"]},
                                    {"key":"env","operator":"NotIn","values":["prod"]},
                                    {"key":"gpu","operator":"Exists"},
                                    {"key":"old","operator":"DoesNotExist"}]})")) ==
        "env notin (prod),gpu,m=1,!old,tier in (a,b)");
  CHECK(selector_text(Json::parse(R"({"matchExpressions":[{"key":"a","operator":"Near"}]})")) ==
        "<none>");
  CHECK(selector_text(Json::parse("{}")) == "<none>");
  CHECK(selector_text(nullptr) == "<none>");
}

}  // namespace
}  // namespace kinf::columns
