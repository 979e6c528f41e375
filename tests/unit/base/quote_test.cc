// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/quote.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

TEST_CASE("text from outside is quoted so that nothing in it acts on a terminal") {
  CHECK(quoted("a\"b\\\n\x1b\x7f") == R"("a\"b\\\n\x1b\x7f")");
  CHECK(quoted("\u00a0é\u2028\xff") == R"("\u00a0é\u2028\xff")");
}

}  // namespace
}  // namespace kinf
