// SPDX-License-Identifier: Apache-2.0
// kinf_storm: tests informers under faults.
//   kinf_storm [--seconds N] [--seed S] [--log]   random faults; in the end every informer must
//   equal the server kinf_storm --matrix [FAULT]                   each fault alone, as a table
#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "kinf/base/log.h"
#include "storm/storm.h"

namespace {

std::uint64_t number(const char* text) {
  std::uint64_t value = 0;
  const char* end = text + std::strlen(text);
  if (const auto [at, error] = std::from_chars(text, end, value);
      error != std::errc() || at != end) {
    fmt::print(stderr, "kinf_storm: \"{}\" is not a number\n", text);
    std::exit(2);
  }
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t seconds = 8;
  std::uint64_t seed = 1;
  bool matrix = false;
  bool with_log = false;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    const bool has_value = i + 1 < argc;
    if (flag == "--seconds" && has_value) {
      seconds = number(argv[++i]);
    } else if (flag == "--seed" && has_value) {
      seed = number(argv[++i]);
    } else if (flag == "--log") {
      with_log = true;
    } else if (flag == "--matrix") {
      matrix = true;
      if (has_value) only = argv[++i];
    } else {
      fmt::print(stderr, "usage: kinf_storm [--seconds N] [--seed S] [--log] | --matrix [FAULT]\n");
      return 2;
    }
  }
  // Do not log the handlers that throw on purpose.
  if (!with_log) kinf::log::set_sink([](std::string_view) {});
  kinf::RealClock clock;
  const bool held = matrix ? kinf::test::run_matrix(clock, only)
                           : kinf::test::run_storm(clock, seed, std::chrono::seconds(seconds));
  return held ? 0 : 1;
}
