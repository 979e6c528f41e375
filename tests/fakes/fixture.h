// SPDX-License-Identifier: Apache-2.0
// Recorded answers of a real API server (tests/data/fixtures), for tests.
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace kinf::test {

/// `name` is the path below the fixtures: `list/pods-empty.json`. Throws if there is none.
inline std::string fixture(const std::string& name) {
  std::ifstream in(std::string(KINF_TEST_DATA) + "/data/fixtures/" + name, std::ios::binary);
  if (!in) throw std::runtime_error("no fixture " + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace kinf::test
