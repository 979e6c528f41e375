// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/log.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace kinf {
namespace {

TEST_CASE("verbosity decides which lines are written; warnings always are") {
  std::vector<std::string> lines;
  log::set_sink([&](std::string_view line) { lines.emplace_back(line); });

  log::configure({.verbosity = 0, .quiet = true});
  log::notice("gap of {}s", 3);
  log::warning("lost {}", 1);
  CHECK(lines == std::vector<std::string>{"lost 1"});

  lines.clear();
  log::configure({.verbosity = 4, .quiet = false});
  log::notice("a");
  log::verbose(4, "b");
  log::verbose(6, "c");
  CHECK(lines == std::vector<std::string>{"a", "b"});

  log::configure({});
  log::set_sink(nullptr);
}

TEST_CASE("a sink may log and may set another sink: no lock is held while it runs") {
  std::vector<std::string> lines;
  log::set_sink([&](std::string_view line) {
    lines.emplace_back(line);
    log::set_sink([&](std::string_view nested) { lines.emplace_back(nested); });
    log::warning("from the sink");
  });
  log::warning("outside");
  log::set_sink(nullptr);
  CHECK(lines == std::vector<std::string>{"outside", "from the sink"});
}

}  // namespace
}  // namespace kinf
