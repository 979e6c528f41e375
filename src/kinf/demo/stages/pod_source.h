// SPDX-License-Identifier: Apache-2.0
// PodSource: a ListerWatcher without a server. Its list is empty; its watch returns the pods that a
// stage adds. Used by the stages shared, slow-handler and resync. Also an example of a custom
// source.
#pragma once

#include <memory>
#include <vector>

#include "kinf/api/lister_watcher.h"
#include "kinf/base/sync.h"

namespace kinf {

/// Threads: any thread may call add() and wake(). For the other functions see ListerWatcher.
class PodSource final : public ListerWatcher {
 public:
  explicit PodSource(Clock& clock) : clock_(clock) {}

  void add(ObjectPtr pod);

  std::unique_ptr<ListCall> list(const ListOptions& options, ListSink& sink) override;
  std::unique_ptr<WatchCall> watch(const ListOptions& options) override;
  void wait(Clock::Mono deadline, const std::stop_token& stop) override;
  void wake() override;
  bool supports_watch_list() const override { return false; }
  std::string description() const override { return "pods without a server"; }

 private:
  class EmptyList;
  class Watch;

  Clock& clock_;
  Mutex mu_;
  CondVar changed_;
  std::vector<ObjectPtr> pods_ KINF_GUARDED_BY(mu_);
  bool woken_ KINF_GUARDED_BY(mu_) = false;
};

}  // namespace kinf
