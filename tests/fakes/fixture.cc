// SPDX-License-Identifier: Apache-2.0
#include "fakes/fixture.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace kinf::test {

std::string fixture(const std::string& name) {
  std::ifstream in(std::string(KINF_TEST_DATA) + "/data/fixtures/" + name, std::ios::binary);
  if (!in) throw std::runtime_error("no fixture " + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace kinf::test
