// SPDX-License-Identifier: Apache-2.0
// StormInformer: one informer on a StormCluster with several handlers of different behaviour, and
// the checks for all of them at the end.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinf/base/or_exit.h"
#include "kinf/informer/shared_informer.h"
#include "storm/cluster.h"
#include "storm/history.h"

namespace kinf::test {

struct InformerPlan {
  std::string name;
  Representation representation = Representation::object;
  WatchListMode watch_list = WatchListMode::automatic;
  QueueKind queue = QueueKind::in_order_atomic;
  std::optional<std::int64_t> page_size;
  bool red_only = false;  ///< selects by a label that objects gain and lose
};

/// Threads: one owner.
class StormInformer {
 public:
  /// The cluster outlives the informer. `seed` determines its jitter.
  StormInformer(const InformerPlan& plan, StormCluster& cluster, Clock& clock, std::uint64_t seed);

  /// Adds a handler that stays.
  void add_handler(const std::string& name, const HandlerOptions& options,
                   HistoryOptions history = {});
  /// Adds one that remove_passing_handler() removes.
  void add_passing_handler();
  void remove_passing_handler();
  void start() { or_exit(informer_->start()); }
  void stop() { informer_->stop(); }

  const InformerPlan& plan() const { return plan_; }
  SharedInformer& informer() { return *informer_; }
  ClusterState cached() const;
  /// Records the current queue lengths.
  void sample();

  /// The differences to the server; empty if there are none.
  std::string lag() const;
  /// The broken promises so far: impossible histories, callbacks after the removal, queues beyond
  /// their bounds, too many requests.
  std::vector<std::string> violations() const;
  std::uint64_t events() const;
  std::size_t most_requests() const;

 private:
  struct Registered {
    Registered(std::string name, Clock& clock, HistoryOptions options)
        : history(std::move(name), clock, options) {}
    History history;
    HandlerRegistration registration;
  };

  const InformerPlan plan_;
  StormCluster& cluster_;
  Clock& clock_;
  ClientName client_;
  std::unique_ptr<SharedInformer> informer_;
  std::list<Registered> handlers_;
  std::unique_ptr<History> passing_;
  HandlerRegistration passing_registration_;
  std::uint64_t passed_events_ = 0;
  std::size_t most_queued_ = 0;
  std::size_t most_backlog_ = 0;
};

}  // namespace kinf::test
