// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/entry_point.h"
#include "kinf/cli/runtime/failure_handlers.h"

namespace {

/// Runs before the constructors of global objects, which allocate.
[[gnu::constructor(101)]] void prepare() { kinf::install_failure_handlers(); }

}  // namespace

int main(int argc, char** argv) { return kinf::run(argc, argv); }
