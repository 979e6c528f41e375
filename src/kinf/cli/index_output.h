// SPDX-License-Identifier: Apache-2.0
// Formats the output of `kinf index`, and hints for queries without a match.
#pragma once

#include <string>

#include "kinf/cli/command_line.h"
#include "kinf/cli/environment.h"
#include "kinf/cli/session.h"
#include "kinf/print/index_text.h"

namespace kinf {

/// Returns true if every --by has a value. kinf then looks up objects instead of grouping them.
bool looks_up(const IndexCommand& command);
/// Returns true if the output is a table of objects with cells from the server.
bool prints_cells(const IndexCommand& command);
/// Returns true if the output needs the documents of the objects.
bool prints_documents(const IndexCommand& command);

/// Fails with a usage error if an -o expression is invalid or flags conflict.
Result<void> check_output(const IndexCommand& command);

/// The answer of one cluster.
struct IndexPart {
  IndexAnswer answer;
  ValuesOf values_of;
};

struct IndexText {
  std::string text;
  std::size_t damaged = 0;  ///< objects that are left out because their documents are damaged
};

/// Formats the answers of one or more clusters, sorted together: as one table or CSV document, as
/// JSON and YAML with one document per cluster. `as_list`: a JSONPath applies to a List of the
/// objects, even if there is only one. Ages are relative to `now`. Logs damaged objects.
Result<IndexText> answer_text(std::vector<IndexPart> parts, const IndexCommand& command,
                              bool as_list, const PrintOptions& options, Clock::Wall now);

/// Explains why no object matches or has a value. Returns lines that begin with `hint:`, or an
/// empty string.
std::string index_hints(const IndexAnswer& answer, const InformerSet& informers);

}  // namespace kinf
