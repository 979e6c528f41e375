// SPDX-License-Identifier: Apache-2.0
// Recorded answers of a real API server (tests/data/fixtures), for tests.
#pragma once

#include <string>

namespace kinf::test {

/// Reads a fixture; `name` is its path: `list/pods-empty.json`. Throws if it does not exist.
std::string fixture(const std::string& name);

/// The same for an answer to discovery: `api-v1.json`.
inline std::string discovery_fixture(const std::string& name) {
  return fixture("discovery/" + name);
}

}  // namespace kinf::test
