// SPDX-License-Identifier: Apache-2.0
// InformerSet: the SharedInformerFactory of one command, with what the command knows of each of its
// informers; started, waited for and stopped together.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kinf/cli/command_line.h"
#include "kinf/cli/connection.h"
#include "kinf/cli/ending.h"
#include "kinf/cli/informer_monitor.h"
#include "kinf/cli/watch_plan.h"
#include "kinf/informer/shared_informer_factory.h"

namespace kinf {

/// What a command needs of each object.
struct InformerNeeds {
  Representation representation = Representation::object;
  ObjectForm form = ObjectForm::raw;
  bool keep_managed_fields = false;
  QueueKind queue = QueueKind::in_order_atomic;
  Indexers indexers;
};

/// Threads: one owner.
class InformerSet {
 public:
  /// How long commands that end by themselves wait for the first lists.
  static constexpr std::chrono::seconds kSyncTimeout{60};

  struct Member {
    PlannedInformer planned;
    std::string description;
    HttpListerWatcher* source;  ///< owned by its informer
    SharedInformer* informer;   ///< owned by the factory
    bool absence_told = false;  ///< of the object asked for by name
  };

  /// Opens nothing yet. All references must outlive this.
  static Result<std::unique_ptr<InformerSet>> create(Connection& connection, const WatchPlan& plan,
                                                     const InformerFlags& flags,
                                                     const InformerNeeds& needs,
                                                     const MonitorOptions& monitor, Clock& clock,
                                                     Ending& ending);
  ~InformerSet();

  void start();
  /// Ends all; after it no handler is called.
  void stop();
  std::vector<Member>& members() { return members_; }
  const std::vector<Member>& members() const { return members_; }
  InformerMonitor& monitor() { return monitor_; }

  /// Blocks until `done()` holds, which is asked whenever something happens; true then. False if
  /// the command ends first, which it does with 5 if everything stays denied, or at `deadline`.
  /// Not everything that may happen wakes it: with `poll`, `done()` is also asked that often.
  bool wait(const std::function<bool()>& done, Clock::Mono deadline,
            std::optional<Clock::Duration> poll = {});
  /// Waits for the first list of all, no longer than `limit`; then an error and 124.
  bool wait_for_sync(std::optional<Clock::Duration> limit);

  /// One line of figures on stderr.
  void print_stats(std::uint64_t printed_events) const;

 private:
  InformerSet(const MonitorOptions& monitor, InformerOptions options, Clock& clock, Ending& ending)
      : clock_(clock),
        ending_(ending),
        monitor_(monitor, clock, ending),
        factory_(clock, std::move(options)) {}

  Clock& clock_;
  Ending& ending_;
  InformerMonitor monitor_;
  SharedInformerFactory factory_;
  std::vector<Member> members_;
};

}  // namespace kinf
