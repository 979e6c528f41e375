// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/inspect/cache_verification.h"

#include <doctest/doctest.h>

#include "fakes/object_builder.h"

namespace kinf {
namespace {

using test::make_object;

TEST_CASE("objects with other versions, and those on one side only, differ") {
  const CacheDifferences found =
      compare_objects({make_object("same", "1"), make_object("old", "2"), make_object("gone", "3")},
                      {make_object("same", "1"), make_object("old", "5"), make_object("new", "6")});
  CHECK(found == CacheDifferences{{"default/gone", {"3", ""}},
                                  {"default/new", {"", "6"}},
                                  {"default/old", {"2", "5"}}});
}

TEST_CASE("only a difference that stays the same lasts") {
  const CacheDifferences earlier = {{"a", {"1", "2"}}, {"b", {"1", "2"}}, {"c", {"1", ""}}};
  const CacheDifferences later = {{"a", {"1", "2"}}, {"b", {"1", "3"}}, {"d", {"", "4"}}};
  CHECK(lasting(earlier, later) == CacheDifferences{{"a", {"1", "2"}}});
}

}  // namespace
}  // namespace kinf
