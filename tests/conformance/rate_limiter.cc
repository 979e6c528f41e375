// SPDX-License-Identifier: Apache-2.0
#include "kinf/workqueue/rate_limiter.h"

#include <cstdlib>

#include "conformance/limiter.h"
#include "conformance/runner.h"
#include "fakes/fake_clock.h"

namespace kinf::conformance {
namespace {

constexpr std::int64_t kToleranceNs = 1000;  // for the floating point of buckets

bool has_bucket(const Json& limiter) {
  const std::string type = limiter.at("type");
  if (type == "bucket" || type == "default_controller") return true;
  const auto inner = limiter.find("of");
  if (inner == limiter.end()) return false;
  if (inner->is_object()) return has_bucket(*inner);
  for (const Json& one : *inner) {
    if (has_bucket(one)) return true;
  }
  return false;
}

class LimiterSequence final : public Sequence {
 public:
  explicit LimiterSequence(Fields& config)
      : limiter_(limiter_from(config, clock_)), is_exact_(!has_bucket(config.whole())) {}

  Json step(const std::string& op, Fields& args, const Json& /*expected*/) override {
    if (op == "when") return {{"delay_ns", limiter_->when(args.text("item")).count()}};
    if (op == "num_requeues") return {{"n", limiter_->num_requeues(args.text("item"))}};
    if (op == "forget") {
      limiter_->forget(args.text("item"));
    } else if (op == "advance") {
      clock_.advance(std::chrono::milliseconds(args.integer("ms")));
    } else {
      throw BadVector("unknown op " + op);
    }
    return nullptr;
  }

  Json state() override { return nullptr; }

  bool same_result(const Json& expected, const Json& got) override {
    if (is_exact_ || !expected.contains("delay_ns") || !got.contains("delay_ns")) {
      return expected == got;
    }
    return expected.size() == 1 && got.size() == 1 &&
           std::abs(expected["delay_ns"].get<std::int64_t>() -
                    got["delay_ns"].get<std::int64_t>()) <= kToleranceNs;
  }

 private:
  test::FakeClock clock_;
  std::unique_ptr<RateLimiter> limiter_;
  bool is_exact_;
};

class LimiterRunner final : public SequenceRunner {
  std::unique_ptr<Sequence> start(Fields& config) override {
    return std::make_unique<LimiterSequence>(config);
  }
};

const Registration kRateLimiter("rate_limiter", [] { return std::make_unique<LimiterRunner>(); });

}  // namespace
}  // namespace kinf::conformance
