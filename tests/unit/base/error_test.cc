// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/error.h"

#include <doctest/doctest.h>

#include <type_traits>
#include <utility>
#include <vector>

namespace kinf {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return fail(ErrorKind::usage, "odd");
  return number / 2;
}

TEST_CASE("an error collects what was being done on its way up") {
  CHECK(half(4) == 2);
  const auto odd = half(3);
  REQUIRE_FALSE(odd.has_value());
  const Error full = odd.error().within("halve 3").within("count");
  CHECK(full.message == "count: halve 3: odd");
  CHECK(full.kind == ErrorKind::usage);
}

TEST_CASE("a loop over the value of a temporary Result keeps the value") {
  using Numbers = Result<std::vector<int>>;
  static_assert(std::is_same_v<decltype(std::declval<Numbers>().value()), std::vector<int>>);
  static_assert(std::is_same_v<decltype(*std::declval<Numbers>()), std::vector<int>>);
  static_assert(std::is_same_v<decltype(std::declval<Numbers&>().value()), std::vector<int>&>);
  const auto numbers = [] { return Numbers(std::vector<int>{1, 2, 3}); };
  int sum = 0;
  for (const int number : numbers().value()) sum += number;
  for (const int number : *numbers()) sum += number;
  CHECK(sum == 12);
}

}  // namespace
}  // namespace kinf
