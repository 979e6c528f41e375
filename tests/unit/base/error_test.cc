// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/error.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return fail(ErrorKind::usage, "odd");
  return number / 2;
}

TEST_CASE("an error gathers what was being done on its way up") {
  CHECK(half(4) == 2);
  const auto odd = half(3);
  REQUIRE_FALSE(odd.has_value());
  const Error told = odd.error().within("halve 3").within("count");
  CHECK(told.message == "count: halve 3: odd");
  CHECK(told.kind == ErrorKind::usage);
}

}  // namespace
}  // namespace kinf
