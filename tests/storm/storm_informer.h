// SPDX-License-Identifier: Apache-2.0
// StormInformer: one informer on a StormCluster with several handlers of different manners, and
// what must hold of all of them at the end.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "kinf/informer/shared_informer.h"
#include "storm/cluster.h"
#include "storm/history.h"

namespace kinf::test {

struct InformerPlan {
  std::string name;
  Representation representation = Representation::object;
  WatchListMode watch_list = WatchListMode::automatic;
  QueueKind queue = QueueKind::in_order_atomic;
  std::int64_t page_size = 0;
  bool red_only = false;  ///< by a label that objects gain and lose
};

/// Threads: one owner.
class StormInformer {
 public:
  /// The cluster outlives the informer. `seed` decides its jitter.
  StormInformer(const InformerPlan& plan, StormCluster& cluster, Clock& clock, std::uint64_t seed);

  /// Adds a handler that stays.
  void add_handler(const std::string& name, const HandlerOptions& options,
                   HistoryManners manners = {});
  /// Adds one that remove_passing_handler() takes away.
  void add_passing_handler();
  void remove_passing_handler();
  void start() { informer_->start(); }
  void stop() { informer_->stop(); }

  const InformerPlan& plan() const { return plan_; }
  SharedInformer& informer() { return *informer_; }
  ClusterState cached() const;
  /// Notes how much waits now.
  void sample();

  /// What keeps this from equalling the server; empty if nothing does.
  std::string lag() const;
  /// Broken promises so far, in words: impossible histories, callbacks after the removal, queues
  /// beyond their bounds, too many requests.
  std::vector<std::string> violations() const;
  std::uint64_t events() const;
  std::size_t most_requests() const;

 private:
  struct Told {
    Told(std::string name, Clock& clock, HistoryManners manners)
        : history(std::move(name), clock, manners) {}
    History history;
    HandlerRegistration registration;
  };

  const InformerPlan plan_;
  StormCluster& cluster_;
  Clock& clock_;
  ClientName client_;
  std::unique_ptr<SharedInformer> informer_;
  std::list<Told> handlers_;
  std::unique_ptr<History> passing_;
  HandlerRegistration passing_registration_;
  std::uint64_t passed_events_ = 0;
  std::size_t most_queued_ = 0;
  std::size_t most_backlog_ = 0;
};

}  // namespace kinf::test
