// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/quantity.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

namespace kinf {
namespace {

TEST_CASE("quantities are read with their suffixes") {
  CHECK(parse_quantity("1") == Quantity{1, 0});
  CHECK(parse_quantity("-1.5") == Quantity{-1, -500'000'000});
  CHECK(parse_quantity("+.5") == Quantity{0, 500'000'000});
  CHECK(parse_quantity("100m") == parse_quantity("0.1"));
  CHECK(parse_quantity("1u") == Quantity{0, 1000});
  CHECK(parse_quantity("3n") == Quantity{0, 3});
  CHECK(parse_quantity("1Ki") == Quantity{1024, 0});
  CHECK(parse_quantity("1.5Gi") == Quantity{1'610'612'736, 0});
  CHECK(parse_quantity("2k") == parse_quantity("2e3"));
  CHECK(parse_quantity("2E") == Quantity{2'000'000'000'000'000'000, 0});
  CHECK(parse_quantity("5e-1") == parse_quantity("500m"));
}

TEST_CASE("what is no quantity is refused") {
  for (const char* text : {"", "-", ".", "a", "1x", "1KI", "1e", "1e+x", "1 ", "Ki", "1.2.3"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_quantity(text).has_value());
  }
}

TEST_CASE("a huge quantity is limited") {
  const Quantity most{std::numeric_limits<std::int64_t>::max(), 0};
  CHECK(parse_quantity("100E") == most);
  CHECK(parse_quantity("1e999999999") == most);
  CHECK(parse_quantity(std::string(10'000, '9')) == most);
  CHECK(parse_quantity("1e-999999999") == Quantity{0, 0});
  CHECK(parse_quantity("1e-2147483648") == Quantity{0, 0});
}

}  // namespace
}  // namespace kinf
