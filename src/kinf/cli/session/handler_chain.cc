// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/handler_chain.h"

#include "kinf/api/event_handler.h"
#include "kinf/cli/selection/selection.h"

namespace kinf {
namespace {

/// Passes all changes on, but marks additions as found by a later list, not by the initial list.
class LateHandler final : public EventHandler {
 public:
  /// `inner` must outlive this object.
  explicit LateHandler(EventHandler& inner) : inner_(inner) {}

  void on_add(const Change& change) override {
    Change added = change;
    added.initial = false;
    added.origin.source = ChangeSource::relist;
    inner_.on_add(added);
  }
  void on_update(const Change& change) override { inner_.on_update(change); }
  void on_delete(const Change& change) override { inner_.on_delete(change); }
  void on_known(const Change& known) override { inner_.on_known(known); }
  void on_synced(const SyncedEvent& event) override { inner_.on_synced(event); }
  void on_idle() override { inner_.on_idle(); }

 private:
  EventHandler& inner_;
};

}  // namespace

/// Builds the chain from its end.
HandlerChain::HandlerChain(const Layers& layers, EventHandler& command) : front_(&command) {
  if (layers.is_late) {
    late_ = std::make_unique<LateHandler>(*front_);
    front_ = late_.get();
  }
  if (layers.selection != nullptr) {
    selecting_ = std::make_unique<SelectingHandler>(*layers.selection, *front_);
    front_ = selecting_.get();
  }
  for (const Layer& layer : {layers.saves, layers.records, layers.replays}) {
    if (layer) front_ = &layer(*front_);
  }
}

HandlerChain::~HandlerChain() = default;

Clock::Wall HandlerChain::due() const {
  return selecting_ ? selecting_->due() : Clock::Wall::max();
}

void HandlerChain::refresh(Clock::Wall now) {
  if (selecting_) selecting_->refresh(now);
}

}  // namespace kinf
