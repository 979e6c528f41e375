// SPDX-License-Identifier: Apache-2.0
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "kinf/base/hints.h"

namespace {

// The tests expect the hints of the program.
[[maybe_unused]] const bool hints_are_for_kinf = (kinf::hints_name_flags = true);

}  // namespace
