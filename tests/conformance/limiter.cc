// SPDX-License-Identifier: Apache-2.0
#include "conformance/limiter.h"

#include <chrono>

namespace kinf::conformance {
namespace {

using std::chrono::milliseconds;

std::unique_ptr<RateLimiter> inner_limiter(const Json& declaration, const Clock& clock) {
  Fields fields(&declaration, "limiter");
  auto limiter = limiter_from(fields, clock);
  fields.expect_all_read();
  return limiter;
}

}  // namespace

std::unique_ptr<RateLimiter> limiter_from(Fields& declaration, const Clock& clock) {
  const auto ms = [&](const char* key) { return milliseconds(declaration.integer(key)); };
  const std::string type = declaration.text("type");
  if (type == "exponential") {
    return std::make_unique<ExponentialFailureLimiter>(ms("base_ms"), ms("max_ms"));
  }
  if (type == "fast_slow") {
    return std::make_unique<FastSlowLimiter>(ms("fast_ms"), ms("slow_ms"),
                                             static_cast<int>(declaration.integer("max_fast")));
  }
  if (type == "bucket") {
    return std::make_unique<BucketLimiter>(clock, declaration.at("qps").get<double>(),
                                           static_cast<int>(declaration.integer("burst")));
  }
  if (type == "with_max_wait") {
    return std::make_unique<MaxWaitLimiter>(inner_limiter(declaration.at("of"), clock),
                                            ms("max_ms"));
  }
  if (type == "max_of") {
    std::vector<std::unique_ptr<RateLimiter>> limiters;
    for (const Json& one : declaration.at("of")) limiters.push_back(inner_limiter(one, clock));
    return std::make_unique<MaxOfLimiter>(std::move(limiters));
  }
  if (type == "default_item_based") return default_item_based_limiter();
  if (type == "default_controller") return default_controller_limiter(clock);
  throw BadVector("unknown limiter " + type);
}

}  // namespace kinf::conformance
