// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/column_fit.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

using Widths = std::vector<std::size_t>;

TEST_CASE("columns that fit keep their reserved widths and the gap of kubectl") {
  const ColumnFit fit = fit_columns({7, 5, 1}, {7, 10}, 80);
  CHECK(fit.widths == Widths{7, 10, 3});
  CHECK(fit.gap == 3);
}

TEST_CASE("the gap shrinks first, then reservations from the right") {
  CHECK(fit_columns({10, 10}, {10, 10}, 22).gap == 2);
  const ColumnFit fit = fit_columns({5, 8, 5}, {5, 17, 10}, 30);
  CHECK(fit.gap == 2);
  CHECK(fit.widths == Widths{5, 16, 5});
}

TEST_CASE("the widest columns are narrowed, but not below what can be read") {
  CHECK(fit_columns({7, 40, 30}, {}, 51).widths == Widths{7, 20, 20});
  CHECK(fit_columns({7, 40, 5}, {}, 36).widths == Widths{7, 20, 5});
}

TEST_CASE("a gap of one keeps a column that would be left out") {
  const ColumnFit fit = fit_columns({12, 7, 9, 20, 5, 17, 8, 3}, {12, 7, 0, 0, 5, 17, 10}, 80);
  CHECK(fit.gap == 1);
  CHECK(fit.widths == Widths{12, 7, 9, 12, 5, 12, 8, 3});
}

TEST_CASE("columns are left out from the right when nothing else helps") {
  CHECK(fit_columns({12, 12, 12}, {}, 30).widths == Widths{12, 12});
  CHECK(fit_columns({40, 40}, {}, 10).widths == Widths{10});
  CHECK(fit_columns({}, {}, 10).widths.empty());
}

TEST_CASE("no row is wider than the terminal") {
  for (std::size_t width = 1; width < 100; ++width) {
    for (const Widths& needed : {Widths{7, 36, 5, 17, 10, 4}, Widths{3}, Widths{60, 60, 60},
                                 Widths{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}}) {
      const ColumnFit fit = fit_columns(needed, {7, 0, 5}, width);
      std::size_t total = fit.gap * (fit.widths.size() - 1);
      for (const std::size_t column : fit.widths) total += column;
      CHECK(total <= width);
    }
  }
}

}  // namespace
}  // namespace kinf
