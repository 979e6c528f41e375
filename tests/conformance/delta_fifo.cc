// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/delta_fifo.h"

#include "conformance/deltas.h"
#include "conformance/queue_sequence.h"
#include "conformance/transform.h"

namespace kinf::conformance {
namespace {

class DeltaFifoSequence final : public QueueSequence {
 public:
  DeltaFifoSequence(bool known, bool emit_replaced, Transform transform)
      : QueueSequence(known),
        queue_({.known_objects = known_objects(),
                .emit_replaced = emit_replaced,
                .key_function = {},
                .transform = std::move(transform),
                .capacity = 1'000'000,
                .behaviour = Behaviour::client_go}) {}

 protected:
  Queue& queue() override { return queue_; }

  std::pair<std::string, Json> contents() override {
    Json queued = Json::array();
    for (const Deltas& deltas : queue_.snapshot()) {
      queued.push_back(Json::array({deltas.front().key, deltas_json(deltas)}));
    }
    return {"queue", std::move(queued)};
  }

 private:
  DeltaFifo queue_;
};

class DeltaFifoRunner final : public SequenceRunner {
  std::unique_ptr<Sequence> start(Fields& config) override {
    return std::make_unique<DeltaFifoSequence>(config.flag("known_objects"),
                                               config.flag("emit_replaced"),
                                               transform_from(config.find("transform")));
  }
};

const Registration kDeltaFifo("delta_fifo", [] { return std::make_unique<DeltaFifoRunner>(); });

}  // namespace
}  // namespace kinf::conformance
