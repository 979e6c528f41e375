// SPDX-License-Identifier: Apache-2.0
#include "conformance/limiter.h"
#include "conformance/runner.h"
#include "fakes/fake_clock.h"
#include "kinf/workqueue/rate_limiting_queue.h"

namespace kinf::conformance {
namespace {

class WorkQueueSequence final : public Sequence {
 public:
  explicit WorkQueueSequence(Fields& limiter) : queue_(clock_, limiter_from(limiter, clock_)) {}

  Json step(const std::string& op, Fields& args, const Json& /*expected*/) override {
    if (op == "get") return get();
    if (op == "num_requeues") return {{"n", queue_.num_requeues(args.text("item"))}};
    if (op == "len") return {{"n", queue_.len()}};
    if (op == "add") {
      queue_.add(args.text("item"));
    } else if (op == "done") {
      queue_.done(args.text("item"));
    } else if (op == "add_after") {
      queue_.add_after(args.text("item"), std::chrono::microseconds(args.integer("us")));
    } else if (op == "add_rate_limited") {
      queue_.add_rate_limited(args.text("item"));
    } else if (op == "forget") {
      queue_.forget(args.text("item"));
    } else if (op == "advance") {
      clock_.advance(std::chrono::microseconds(args.integer("us")));
    } else if (op == "shut_down") {
      queue_.shut_down();
    } else if (op == "shut_down_with_drain") {
      queue_.begin_drain();
      draining_ = true;
    } else {
      throw BadVector("unknown op " + op);
    }
    return nullptr;
  }

  Json state() override {
    Json state = {{"len", queue_.len()}, {"shutting_down", queue_.is_shutting_down()}};
    if (draining_) state["drained"] = queue_.is_drained();
    return state;
  }

 private:
  Json get() {
    const auto item = queue_.try_get();
    if (item) return {{"item", *item}, {"shutdown", false}};
    if (!queue_.is_shutting_down()) throw BadVector("a get that would never return");
    return {{"shutdown", true}};
  }

  test::FakeClock clock_;
  RateLimitingQueue queue_;
  bool draining_ = false;
};

class WorkQueueRunner final : public SequenceRunner {
  std::unique_ptr<Sequence> start(Fields& config) override {
    Fields limiter(&config.at("limiter"), "limiter");
    auto sequence = std::make_unique<WorkQueueSequence>(limiter);
    limiter.expect_all_read();
    return sequence;
  }
};

const Registration kWorkqueue("workqueue", [] { return std::make_unique<WorkQueueRunner>(); });

}  // namespace
}  // namespace kinf::conformance
