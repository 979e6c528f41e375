// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/store/same_json.h"

#include <doctest/doctest.h>

using namespace kinf::sandbox;

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
