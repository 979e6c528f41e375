// SPDX-License-Identifier: Apache-2.0
// Deltas in the format of the vectors.
#pragma once

#include "conformance/fields.h"
#include "kinf/cache/queue.h"

namespace kinf::conformance {

/// `[TYPE, REF]`.
Json delta_json(const Delta& delta);
Json deltas_json(const Deltas& deltas);

}  // namespace kinf::conformance
