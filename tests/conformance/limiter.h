// SPDX-License-Identifier: Apache-2.0
// Rate limiters as the vectors declare them.
#pragma once

#include <memory>

#include "conformance/fields.h"
#include "kinf/workqueue/rate_limiter.h"

namespace kinf::conformance {

/// Every key of `declaration` is read, so that the caller's check passes.
std::unique_ptr<RateLimiter> limiter_from(Fields& declaration, const Clock& clock);

}  // namespace kinf::conformance
