// SPDX-License-Identifier: Apache-2.0
// The answers of `kinf index` in the form asked for, and hints where there is nothing to answer.
#pragma once

#include <string>

#include "kinf/cli/command_line.h"
#include "kinf/cli/environment.h"
#include "kinf/cli/session.h"
#include "kinf/print/index_text.h"

namespace kinf {

/// Whether every spec has a value: objects are looked up, not counted.
bool looks_up(const IndexCommand& command);
/// Whether the objects themselves are printed, in cells that the server makes.
bool prints_cells(const IndexCommand& command);
/// Whether the output shows more of an object than its metadata.
bool prints_documents(const IndexCommand& command);

/// A usage error for an expression of -o that cannot be read, and for flags that do not go
/// together.
Result<void> check_output(const IndexCommand& command);

/// `now` is what ages are counted to.
Result<std::string> answer_text(const IndexAnswer& answer, const IndexCommand& command,
                                const Session& session, const ValuesOf& values_of,
                                const PrintOptions& options, Clock::Wall now);

/// Why nothing matches, or why no object has a value. Lines that begin with `hint:`.
std::string index_hints(const IndexAnswer& answer, const InformerSet& informers);

}  // namespace kinf
