// SPDX-License-Identifier: Apache-2.0
#include "kinf/screen/canvas.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

using Lines = std::vector<std::string>;

TEST_CASE("text is cut at its width, with a mark") {
  Canvas canvas(8, 2, ScreenCharacters::utf8);
  canvas.write(1, 0, 5, "pipeline", CellStyle::warning);
  canvas.write(6, 1, 10, "abc");
  canvas.write(0, 9, 3, "below the canvas");
  const auto rows = canvas.rows();
  CHECK(rows[0] == StyledRow{{" "}, {"pipe…", CellStyle::warning}, {"  "}});
  CHECK(rows[1] == StyledRow{{"      a…"}});
}

TEST_CASE("a box too small to hold text is not drawn") {
  Canvas canvas(5, 3, ScreenCharacters::ascii);
  CHECK(canvas.box({0, 0, 5, 3}, "title", false).width == 0);
  CHECK(canvas.rows()[0] == StyledRow{{"     "}});
}

TEST_CASE("a box has a margin") {
  Canvas canvas(10, 3, ScreenCharacters::ascii);
  const CellArea inside = canvas.box({0, 0, 10, 3}, "a", false);
  CHECK(inside.x == 2);
  CHECK(inside.y == 1);
  CHECK(inside.width == 6);
  CHECK(inside.height == 1);
}

TEST_CASE("text is broken at spaces") {
  CHECK(wrapped("one two  three", 7) == Lines{"one two", "three"});
  CHECK(wrapped("a verylongword b", 4) == Lines{"a", "verylongword", "b"});
  CHECK(wrapped("", 4).empty());
}

}  // namespace
}  // namespace kinf
