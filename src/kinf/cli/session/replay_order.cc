// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/replay_order.h"

#include <algorithm>
#include <utility>

namespace kinf {

class ReplayOrder::Handler final : public EventHandler {
 public:
  explicit Handler(EventHandler& inner) : inner_(inner) {}

  void on_add(const Change& change) override { waiting_.emplace_back(change); }
  void on_update(const Change& change) override { waiting_.emplace_back(change); }
  void on_delete(const Change& change) override { waiting_.emplace_back(change); }
  void on_synced(const SyncedEvent& event) override { waiting_.emplace_back(event); }

  /// Passes on everything up to the change of an object, if there is one.
  void pass_until(const std::string& key) {
    const auto found = std::ranges::find_if(waiting_, [&](const Waiting& one) {
      const auto* const change = std::get_if<Change>(&one);
      return change != nullptr && change->key == key;
    });
    if (found != waiting_.end()) pass(static_cast<std::size_t>(found - waiting_.begin()) + 1);
  }
  void pass_all() {
    pass(waiting_.size());
    if (std::exchange(called_since_idle_, false)) inner_.on_idle();
  }

 private:
  using Waiting = std::variant<Change, SyncedEvent>;

  void pass(std::size_t count) {
    called_since_idle_ = called_since_idle_ || count > 0;
    for (; count > 0; --count) {
      const Waiting one = std::move(waiting_.front());
      waiting_.pop_front();
      if (const auto* const change = std::get_if<Change>(&one)) {
        inner_.handle(*change);
      } else {
        inner_.on_synced(std::get<SyncedEvent>(one));
      }
    }
  }

  EventHandler& inner_;
  std::deque<Waiting> waiting_;
  bool called_since_idle_ = false;
};

ReplayOrder::ReplayOrder() = default;
ReplayOrder::~ReplayOrder() = default;

EventHandler& ReplayOrder::handler(EventHandler& inner) {
  handlers_.push_back(std::make_unique<Handler>(inner));
  return *handlers_.back();
}

void ReplayOrder::pass(const Player& player) {
  for (const ReachedChange& reached : player.reached()) {
    if (player.is_in_list(reached.source)) handlers_[reached.source]->pass_until(reached.key);
  }
  for (std::size_t i = 0; i < handlers_.size(); ++i) {
    if (!player.is_in_list(i)) handlers_[i]->pass_all();
  }
}

}  // namespace kinf
