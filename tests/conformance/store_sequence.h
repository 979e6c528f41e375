// SPDX-License-Identifier: Apache-2.0
// The reading steps that the vectors of both stores share.
#pragma once

#include <optional>
#include <string>

#include "conformance/fields.h"
#include "kinf/cache/store_reader.h"
#include "kinf/cache/thread_safe_store.h"

namespace kinf::conformance {

/// The result of a reading step; nothing if `op` is not one.
std::optional<Json> read_step(const StoreReader& store, const std::string& op, Fields& args);

/// Reads one write of a transaction. The vectors of the indexer have no keys.
StoreWrite write_from(const Json& transaction);

/// `{"n", "rv"}`.
Json store_state(const StoreReader& store);

/// The result of an add or update. Where the vector says that Go panics, kinf's error must have the
/// same text: `panic` is then the key.
Json write_result(const Result<void>& written, const Json& expected);

}  // namespace kinf::conformance
