// SPDX-License-Identifier: Apache-2.0
// FakeClock: the clock that kinf offers to the tests of other programs.
#pragma once

#include "kinf/testing/fake_clock.h"

namespace kinf::test {

using testing::FakeClock;

}  // namespace kinf::test
