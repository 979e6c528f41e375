// SPDX-License-Identifier: Apache-2.0
// The types that a sandbox serves for a recording.
#pragma once

#include "kinf/recording/recording_schema.h"
#include "kinf/sandbox/api/api_types.h"

namespace kinf::sandbox {

/// Returns a read-only type. `columns`: those of its rows; may be null.
ApiType read_only_type(const RecordedType& recorded, std::shared_ptr<const TableColumns> columns);

/// Returns the read-only type of namespaces.
ApiType read_only_namespaces();

/// Returns a namespace of which only the name is known.
Json bare_namespace(const std::string& name, std::uint64_t version);

}  // namespace kinf::sandbox
