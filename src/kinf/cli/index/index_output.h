// SPDX-License-Identifier: Apache-2.0
// Formats the output of `kinf index` and the hints for queries without a match.
#pragma once

#include <string>

#include "kinf/cli/flags/index_flags.h"
#include "kinf/cli/session/informer_set.h"
#include "kinf/print/index_text.h"
#include "kinf/print/objects_printer.h"

namespace kinf {

/// The answer of one cluster.
struct IndexPart {
  IndexAnswer answer;
  ValuesOf values_of;
};

using IndexText = ObjectsText;

/// Formats the answers of one or more clusters, sorted together. A table or CSV has the rows of all
/// clusters; JSON and YAML have one document per cluster. `as_list`: a JSONPath applies to a List
/// of the objects, even if there is only one. Ages are relative to `now`. Logs damaged objects.
Result<IndexText> answer_text(std::vector<IndexPart> parts, const IndexCommand& command,
                              bool as_list, const PrintOptions& options, Clock::Wall now);

/// Explains why no object matches or has a value. Returns lines that begin with `hint:`, or an
/// empty string.
std::string index_hints(const IndexPart& part, const InformerSet& informers);

}  // namespace kinf
