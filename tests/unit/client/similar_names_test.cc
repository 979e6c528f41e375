// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/similar_names.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

TEST_CASE("a swap of two characters is one change, and case does not count") {
  CHECK(edit_distance("prod-east", "prod-eats") == 1);
  CHECK(edit_distance("Dev", "dev") == 0);
  CHECK(edit_distance("", "dev") == 3);
  CHECK(edit_distance("acb", "abc") == 1);
  CHECK(edit_distance("badcfe", "abcdef") == 3);
}

TEST_CASE("a distance that is too far is the same for all names") {
  CHECK(edit_distance("dev", "production") == kFarNames);
  CHECK(edit_distance("configmpas", "things000001") == kFarNames);
  CHECK(edit_distance("badcfehg", "abcdefgh") == kFarNames);
  CHECK(edit_distance("badcfeh", "abcdefghijk") == kFarNames);
  CHECK(edit_distance(std::string(100'000, 'a'), std::string(100'000, 'b')) == kFarNames);
}

TEST_CASE("the nearest names come first, and those too far are left out") {
  CHECK(similar_names_hint("web", {{9, "database"}}).empty());
  CHECK(similar_names_hint("abcdefgh", {{3, "c"}, {1, "a"}, {4, "d"}, {1, "a"}, {2, "b"}}) ==
        "did you mean a, b or c?  ");
}

}  // namespace
}  // namespace kinf
