// SPDX-License-Identifier: Apache-2.0
// Finds out which part of the objects a JSONPath reads, so that kinf requests only that part.
#pragma once

#include <vector>

#include "kinf/query/jsonpath_syntax.h"

namespace kinf::jsonpath {

/// The kind of document that a template is applied to.
enum class Document {
  object,
  list,   ///< a List of objects
  event,  ///< an event of `kinf watch -o json`
};

/// Returns whether the template is known to read only the objects' metadata, so that objects
/// without other fields have the same result. `nodes` is the result of parse_jsonpath().
bool reads_only_metadata(const std::vector<Node>& nodes, Document document);

/// Returns whether the template is known to name a field of the objects that PartialObjectMetadata
/// does not have, such as `.spec`. For some templates, such as `{@}`, both functions return false.
bool reads_beyond_metadata(const std::vector<Node>& nodes, Document document);

}  // namespace kinf::jsonpath
