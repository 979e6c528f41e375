// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/timestamp.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

TEST_CASE("times are read with fractions and offsets, and only if they exist") {
  const auto seconds = [](std::string_view text) -> std::int64_t {
    const auto time = parse_timestamp(text);
    return time ? time->time_since_epoch().count() : -1;
  };
  CHECK(seconds("2026-11-21T10:14:00Z") == 1795256040);
  CHECK(seconds("2026-11-21T10:14:00.999999Z") == 1795256040);
  CHECK(seconds("2026-11-21T12:14:00+02:00") == 1795256040);
  CHECK(seconds("2026-11-21T04:44:00-05:30") == 1795256040);
  CHECK(seconds("2024-02-29T00:00:00Z") == 1709164800);
  for (const char* text :
       {"", "2026-11-21", "2026-11-21T10:14:00", "2026-11-21T10:14:00z", "2026-11-21 10:14:00Z",
        "2025-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-11-21T24:00:00Z",
        "2026-11-21T10:60:00Z", "2026-11-21T10:14:00Zx", "2026-11-21T10:14:00.Z",
        "2026-11-21T10:14:00.5", "2026-1a-21T10:14:00Z", "2026-11-21T10:14:00+02"}) {
    CAPTURE(text);
    CHECK(seconds(text) == -1);
  }
}

}  // namespace
}  // namespace kinf
