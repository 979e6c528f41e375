// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/replay.h"

#include <algorithm>
#include <utility>

#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/runtime/exit_code.h"
#include "kinf/informer/shared_informer.h"

namespace kinf {

Replay::Replay(Player& player, std::vector<SharedInformer*> informers, ReplayOrder& order,
               ExitRequest& exit_request, bool holds, std::optional<double> speed,
               std::function<void()> gathered)
    : player_(player),
      informers_(std::move(informers)),
      order_(order),
      exit_request_(exit_request),
      pace_(player.clock().real(), speed),
      gathered_(std::move(gathered)),
      holds_(holds) {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

Replay::~Replay() { stop(); }

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
  if (!next) return std::unexpected(next.error());
  if (*next) pace_.wait_for(**next, stop);
  return stop.stop_requested() ? true : player_.advance(stop);
}

void Replay::run(const std::stop_token& stop) {
  for (SharedInformer* informer : informers_) informer->begin();
  while (!stop.stop_requested()) {
    deliver(stop);
    order_.pass(player_);
    if (gathered_ && player_.has_gathered()) std::exchange(gathered_, {})();
    if (player_.has_listed()) wait_for_release(stop);
    const Result<bool> more = advance(stop);
    if (!more && more.error().kind != ErrorKind::stopped && !stop.stop_requested()) {
      report(more.error());
      exit_request_.set(exit_code_for(more.error()));
    }
    if (more && *more) continue;
    order_.pass(player_);
    if (more) has_ended_ = true;
    break;
  }
  for (SharedInformer* informer : informers_) informer->finish();
  exit_request_.notify();
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
    player_.clock().skip_to(wake);  // a pause between two requests
  }
}

}  // namespace kinf
