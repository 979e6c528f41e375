// SPDX-License-Identifier: Apache-2.0
// TracedSource: a source that prints the requests of an informer. Also an example of a source that
// wraps another source.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "kinf/api/lister_watcher.h"

namespace kinf {

class Demo;

/// Wraps a ListerWatcher, and prints each of its requests, the events of its watches, and how each
/// request ended. Threads: see ListerWatcher.
class TracedSource final : public ListerWatcher {
 public:
  /// Called on the reflector's thread when a watch has ended, before the next request.
  using WatchEnded = std::function<void()>;

  /// `demo` must outlive this object. `ended` may be empty.
  TracedSource(Demo& demo, std::unique_ptr<ListerWatcher> inner, WatchEnded ended = {})
      : demo_(demo), inner_(std::move(inner)), ended_(std::move(ended)) {}

  std::unique_ptr<ListCall> list(const ListOptions& options, ListSink& sink) override;
  std::unique_ptr<WatchCall> watch(const ListOptions& options) override;
  void wait(Clock::Mono deadline, const std::stop_token& stop) override {
    inner_->wait(deadline, stop);
  }
  void wake() override { inner_->wake(); }
  void reset_connections() override;
  bool supports_watch_list() const override { return inner_->supports_watch_list(); }
  void give_up_watch_list() override { inner_->give_up_watch_list(); }
  bool prefers_watch_list() const override { return inner_->prefers_watch_list(); }
  NewestFromMemory newest_from_memory() const override { return inner_->newest_from_memory(); }
  std::string description() const override { return inner_->description(); }

 private:
  Demo& demo_;
  const std::unique_ptr<ListerWatcher> inner_;
  const WatchEnded ended_;
};

}  // namespace kinf
