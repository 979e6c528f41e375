// SPDX-License-Identifier: Apache-2.0
// TracedSource: prints each request that a ListerWatcher sends, and how it ends. Used by the stage
// `faults`, and an example of a source around another one.
#pragma once

#include <memory>

#include "kinf/demo/stage.h"

namespace kinf {

/// Threads: see ListerWatcher.
class TracedSource final : public ListerWatcher {
 public:
  /// `demo` must outlive this object.
  TracedSource(Demo& demo, std::unique_ptr<ListerWatcher> inner)
      : demo_(demo), inner_(std::move(inner)) {}

  std::unique_ptr<ListCall> list(const ListOptions& options, ListSink& sink) override;
  std::unique_ptr<WatchCall> watch(const ListOptions& options) override;
  void wait(Clock::Mono deadline, const std::stop_token& stop) override {
    inner_->wait(deadline, stop);
  }
  void wake() override { inner_->wake(); }
  void reset_connections() override { inner_->reset_connections(); }
  bool supports_watch_list() const override { return inner_->supports_watch_list(); }
  void give_up_watch_list() override { inner_->give_up_watch_list(); }
  bool prefers_watch_list() const override { return inner_->prefers_watch_list(); }
  NewestFromMemory newest_from_memory() const override { return inner_->newest_from_memory(); }
  std::string description() const override { return inner_->description(); }

 private:
  class List;
  class Watch;

  Demo& demo_;
  const std::unique_ptr<ListerWatcher> inner_;
};

}  // namespace kinf
