// SPDX-License-Identifier: Apache-2.0
// Finds out which part of the objects a JSONPath reads, so that kinf requests no more.
#pragma once

#include <vector>

#include "kinf/query/jsonpath_syntax.h"

namespace kinf::jsonpath {

/// What a template is applied to.
enum class Document {
  object,
  list,   ///< a List of objects
  event,  ///< with the fields of `kinf watch -o json`
};

/// Returns whether the template certainly reads only the objects' metadata: then it has the same
/// result for objects without the rest. `nodes` is the result of parse_jsonpath().
bool reads_only_metadata(const std::vector<Node>& nodes, Document document);

/// Returns whether the template certainly names a field of the objects that PartialObjectMetadata
/// does not have, such as `.spec`. Not the opposite of reads_only_metadata(): `{@}` is neither.
bool reads_beyond_metadata(const std::vector<Node>& nodes, Document document);

}  // namespace kinf::jsonpath
