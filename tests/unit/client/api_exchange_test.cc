// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/api_exchange.h"

#include <doctest/doctest.h>

#include <vector>

#include "kinf/base/log.h"

namespace kinf {
namespace {

TEST_CASE("J12: only warnings of code 299 have a text, without escapes and control characters") {
  CHECK(parse_warning("299 - \"v1 ComponentStatus is deprecated in v1.19+\"") ==
        "v1 ComponentStatus is deprecated in v1.19+");
  CHECK(parse_warning(R"(299 - "say \"x\"" "Sat, 21 Nov 2026 10:14:00 GMT")") == "say \"x\"");
  CHECK(parse_warning("110 - \"stale\"").empty());
  CHECK(parse_warning("299 - none").empty());
  CHECK(parse_warning("").empty());
  CHECK(parse_warning("299 - \"a\x1b[2Jb\"").find('\x1b') == std::string::npos);
}

TEST_CASE("J12: the same warning is logged once") {
  std::vector<std::string> lines;
  log::set_sink([&](std::string_view line) { lines.emplace_back(line); });
  show_server_warning("299 - \"first of its kind\"");
  show_server_warning("299 - \"first of its kind\"");
  show_server_warning("299 - \"another\"");
  log::set_sink({});
  CHECK(lines ==
        std::vector<std::string>{"server warning: first of its kind", "server warning: another"});
}

}  // namespace
}  // namespace kinf
