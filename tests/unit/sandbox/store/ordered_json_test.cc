// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/store/ordered_json.h"

#include <doctest/doctest.h>

namespace kinf::sandbox {
namespace {

const Json kObject = *parse_json(
    R"({"metadata":{"name":"web","labels":{"app":"web"}},"spec":{"replicas":3,"list":[1,2]}})");

TEST_CASE("members keep the order in which they were written") {
  const char* text = R"({"z":1,"a":{"y":2,"b":3}})";
  CHECK(to_text(*parse_json(text)) == text);
}

TEST_CASE("of several members with the same key, the last one counts, in the place of the first") {
  CHECK(to_text(*parse_json(R"({"a":1,"b":[{}],"a":{"c":[2,[],null,true,-1,1.5,"x"]}})")) ==
        R"({"a":{"c":[2,[],null,true,-1,1.5,"x"]},"b":[{}]})");
  std::string text = "{";
  for (int i = 0; i < 100; ++i) text += R"("k)" + std::to_string(i % 50) + R"(":)" + "1,";
  text.back() = '}';
  CHECK(parse_json(text)->size() == 50);
  CHECK(*parse_json(text) == Json::parse(text));
  CHECK_FALSE(parse_json("1e999"));
  CHECK(json_problem("[\n1e999]") == "json: line 2: syntax error");
}

TEST_CASE("text that is not JSON, or is nested too deeply, is refused with the line") {
  CHECK_FALSE(parse_json("{"));
  CHECK_FALSE(parse_json(""));
  CHECK(json_problem("{\n\n  \"a\": ]\n}") == "json: line 3: syntax error");
  const std::string deep = std::string(201, '[') + std::string(201, ']');
  CHECK_FALSE(parse_json(deep));
  CHECK(json_problem(deep) == "json: nested too deeply");
  CHECK(parse_json(std::string(200, '[') + std::string(200, ']')));
  CHECK_MESSAGE(parse_json("\"" + std::string(500, '[') + "\\\"[\""), "brackets in a string");
}

TEST_CASE("a member that is not there, or has no object around it, is null") {
  CHECK(field(kObject, "metadata", "name") == "web");
  CHECK(field(kObject, "metadata", "absent").is_null());
  CHECK(field(kObject, "metadata", "name", "deeper").is_null());
  CHECK(field(Json(7), "a").is_null());
}

TEST_CASE("a dotted path leads to a value, with or without its first dot") {
  CHECK(at_path(kObject, ".spec.replicas") == 3);
  CHECK(at_path(kObject, "spec.replicas") == 3);
  CHECK(at_path(kObject, ".spec.absent.deeper").is_null());
  CHECK(at_path(kObject, "") == kObject);
}

TEST_CASE("text and elements of another type are empty") {
  CHECK(text(field(kObject, "metadata", "name")) == "web");
  CHECK(text(field(kObject, "spec", "replicas")).empty());
  CHECK(elements(field(kObject, "spec", "list")).size() == 2);
  CHECK(elements(field(kObject, "spec")).empty());
  CHECK(elements(Json()).empty());
}

TEST_CASE("object_at makes an object of whatever is there") {
  Json json = {{"a", 1}};
  object_at(json, "a")["b"] = 2;
  object_at(json, "c")["d"] = 3;
  CHECK(to_text(json) == R"({"a":{"b":2},"c":{"d":3}})");
}

TEST_CASE("members are moved to the front in the order asked for; absent ones stay absent") {
  Json json = *parse_json(R"({"x":1,"name":"a","y":2,"kind":"b"})");
  move_to_front(json, {"kind", "absent", "name"});
  CHECK(to_text(json) == R"({"kind":"b","name":"a","x":1,"y":2})");
}

TEST_CASE("bytes that are not UTF-8 are replaced when written") {
  CHECK(to_text(Json("a\xff")) == "\"a\xEF\xBF\xBD\"");
}

TEST_CASE("documents are the same in any order of members, but not of elements") {
  const auto same = [](const char* one, const char* other) {
    return is_same(*parse_json(one), *parse_json(other));
  };
  CHECK(same(R"({"a":1,"b":{"c":[1,{"d":2}]}})", R"({"b":{"c":[1,{"d":2}]},"a":1})"));
  CHECK_FALSE(same(R"({"a":1})", R"({"a":2})"));
  CHECK_FALSE(same(R"({"a":1})", R"({"b":1})"));
  CHECK_FALSE(same(R"({"a":1})", R"({"a":1,"b":null})"));
  CHECK_FALSE(same("[1,2]", "[2,1]"));
  CHECK_FALSE(same("{}", "[]"));
  CHECK(same("null", "null"));
}

}  // namespace
}  // namespace kinf::sandbox
