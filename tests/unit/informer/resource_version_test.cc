// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/resource_version.h"

#include <doctest/doctest.h>

#include "fakes/object_builder.h"

namespace kinf {
namespace {

TEST_CASE("versions are compared as numbers of any length") {
  CHECK(is_older_version("9", "10"));
  CHECK_FALSE(is_older_version("10", "9"));
  CHECK_FALSE(is_older_version("10", "10"));
  CHECK_FALSE(is_older_version("0010", "10"));
  CHECK(is_older_version("18446744073709551615", "18446744073709551616"));
  CHECK(is_older_version("0", "1"));
}

TEST_CASE("versions that are not decimal numbers cannot be compared") {
  for (const char* odd : {"", "abc", "1.5", "-1", "0x10"}) {
    CHECK_FALSE(is_older_version(odd, "10"));
    CHECK_FALSE(is_older_version("10", odd));
  }
}

TEST_CASE("two states are the same by uid and version, or by document without a version") {
  CHECK(is_same_state(*test::make_object("a", "1"), *test::make_object("a", "1")));
  CHECK_FALSE(is_same_state(*test::make_object("a", "1"), *test::make_object("a", "2")));
  CHECK(is_same_state(*test::make_object("a", ""), *test::make_object("a", "")));
  CHECK_FALSE(is_same_state(*test::make_object("a", ""), *test::make_object("b", "")));
}

}  // namespace
}  // namespace kinf
