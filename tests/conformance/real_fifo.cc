// SPDX-License-Identifier: Apache-2.0
#include "conformance/deltas.h"
#include "conformance/queue_sequence.h"
#include "conformance/transform.h"
#include "kinf/cache/in_order_fifo.h"

namespace kinf::conformance {
namespace {

class RealFifoSequence final : public QueueSequence {
 public:
  RealFifoSequence(bool known, InOrderFifoOptions options) : QueueSequence(known) {
    options.known_objects = known_objects();
    options.capacity = 1'000'000;
    options.behaviour = Behaviour::client_go;
    auto created = InOrderFifo::create(std::move(options));
    if (!created) throw BadVector(created.error().message);
    queue_ = std::move(*created);
  }

 protected:
  Queue& queue() override { return *queue_; }

  std::pair<std::string, Json> contents() override {
    Deltas items;
    for (const Deltas& unit : queue_->snapshot()) items.push_back(unit.front());
    return {"items", deltas_json(items)};
  }

 private:
  std::unique_ptr<InOrderFifo> queue_;
};

class RealFifoRunner final : public SequenceRunner {
  std::unique_ptr<Sequence> start(Fields& config) override {
    InOrderFifoOptions options;
    options.atomic_events = config.flag("atomic_events");
    options.emit_bookmarks = config.flag("emit_bookmark");
    options.transform = transform_from(config.find("transform"));
    return std::make_unique<RealFifoSequence>(config.flag("known_objects"), std::move(options));
  }
};

const Registration kRealFifo("real_fifo", [] { return std::make_unique<RealFifoRunner>(); });

}  // namespace
}  // namespace kinf::conformance
