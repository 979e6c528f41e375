// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/replay.h"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <variant>

#include "kinf/api/event_handler.h"
#include "kinf/base/log.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/runtime/exit_code.h"
#include "kinf/cli/runtime/exit_request.h"
#include "kinf/informer/shared_informer.h"
#include "kinf/recording/play/player.h"

namespace kinf {

class Replay::OrderedHandler final : public EventHandler {
 public:
  explicit OrderedHandler(EventHandler& inner) : inner_(inner) {}

  void on_add(const Change& change) override { waiting_.emplace_back(change); }
  void on_update(const Change& change) override { waiting_.emplace_back(change); }
  void on_delete(const Change& change) override { waiting_.emplace_back(change); }
  void on_synced(const SyncedEvent& event) override { waiting_.emplace_back(event); }

  /// Passes on everything up to the first waiting change of the object `key`. Does nothing if no
  /// such change waits.
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

Replay::Replay(Player& player, ExitRequest& exit_request, std::optional<double> speed)
    : player_(player), exit_request_(exit_request), pace_(player.clock().real(), speed) {}

Replay::~Replay() { stop(); }

EventHandler& Replay::handler(EventHandler& inner) {
  handlers_.push_back(std::make_unique<OrderedHandler>(inner));
  return *handlers_.back();
}

void Replay::hold() {
  MutexLock lock(mu_);
  holds_ = true;
}

void Replay::start(std::vector<SharedInformer*> informers) {
  if (thread_.joinable()) return;
  informers_ = std::move(informers);
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Replay::stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void Replay::release() {
  MutexLock lock(mu_);
  holds_ = false;
  released_.notify_all();
}

void Replay::wait_for_release(const std::stop_token& stop) {
  MutexLock lock(mu_);
  while (holds_ && !stop.stop_requested()) released_.wait(mu_, stop);
}

Result<bool> Replay::advance(const std::stop_token& stop) {
  const Result<std::optional<Clock::Wall>> next = player_.next_time(stop);
  if (!next) return fail(next);
  if (*next) pace_.wait_for(**next, stop);
  return stop.stop_requested() ? true : player_.advance(stop);
}

void Replay::run(const std::stop_token& stop) {
  for (SharedInformer* informer : informers_) {
    const Result<void> begun = informer->begin();
    if (!begun) log::warning("{}", begun.error().message);
  }
  while (!stop.stop_requested()) {
    deliver(stop);
    pass_reached();
    if (gathered_ && player_.has_gathered()) std::exchange(gathered_, {})();
    if (player_.has_listed()) wait_for_release(stop);
    const Result<bool> more = advance(stop);
    if (!more && more.error().kind != ErrorKind::stopped && !stop.stop_requested()) {
      report(more.error());
      exit_request_.set(exit_code_for(more.error()));
    }
    if (more && *more) continue;
    pass_reached();
    if (more) has_ended_ = true;
    break;
  }
  for (SharedInformer* informer : informers_) informer->finish();
  exit_request_.notify();
}

void Replay::pass_reached() {
  for (const ReachedChange& reached : player_.reached()) {
    if (player_.is_in_list(reached.source)) handlers_[reached.source]->pass_until(reached.key);
  }
  for (std::size_t i = 0; i < handlers_.size(); ++i) {
    if (!player_.is_in_list(i)) handlers_[i]->pass_all();
  }
}

void Replay::deliver(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    bool moved = false;
    Clock::Mono wake = Clock::kNever;
    for (SharedInformer* informer : informers_) {
      StepResult result = informer->step();
      moved = moved || result.moved;
      while (result.moved && !stop.stop_requested()) result = informer->step();
      wake = std::min(wake, result.wake);
    }
    if (moved) continue;
    if (!player_.has_pending() || wake == Clock::kNever) return;
    player_.clock().skip_to(wake);  // skips a pause between two requests
  }
}

}  // namespace kinf
