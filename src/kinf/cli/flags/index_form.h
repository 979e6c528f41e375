// SPDX-License-Identifier: Apache-2.0
// What the flags of `kinf index` ask for, and whether they fit each other.
#pragma once

#include "kinf/base/error.h"
#include "kinf/cli/flags/command_line.h"

namespace kinf {

/// Returns true if every --by has a value. kinf then looks up objects instead of grouping them.
bool looks_up(const IndexCommand& command);
/// Returns true if the output is a table of objects with cells from the server.
bool prints_cells(const IndexCommand& command);
/// Returns true if the output needs the documents of the objects.
bool prints_documents(const IndexCommand& command);

/// Fails with a usage error if an -o expression is invalid or flags conflict.
Result<void> check_output(const IndexCommand& command);

}  // namespace kinf
