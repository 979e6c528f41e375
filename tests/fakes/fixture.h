// SPDX-License-Identifier: Apache-2.0
// Recorded answers of a real API server (tests/data/fixtures), for tests.
#pragma once

#include <string>

namespace kinf::test {

/// `name` is the path below the fixtures: `list/pods-empty.json`. Throws if there is none.
std::string fixture(const std::string& name);

}  // namespace kinf::test
