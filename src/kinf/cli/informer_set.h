// SPDX-License-Identifier: Apache-2.0
// InformerSet: the informers of one command, in one SharedInformerFactory; started, waited for and
// stopped together.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kinf/cli/commands.h"
#include "kinf/cli/connection.h"
#include "kinf/cli/informer_monitor.h"
#include "kinf/cli/watch_plan.h"
#include "kinf/informer/shared_informer_factory.h"

namespace kinf {

/// What a command needs of each object.
struct InformerNeeds {
  Representation representation = Representation::object;
  ObjectForm form = ObjectForm::raw;
  bool keep_managed_fields = false;
  Indexers indexers;
};

/// Threads: one owner.
class InformerSet {
 public:
  /// How long commands that end by themselves wait for the first lists.
  static constexpr std::chrono::seconds kSyncTimeout{60};

  /// Handlers are called from the informer's thread.
  static HandlerOptions direct_delivery();

  struct Member {
    PlannedInformer planned;
    std::string description;
    HttpListerWatcher* source;      ///< owned by its informer
    SharedInformer* informer;       ///< owned by the factory
    bool absence_reported = false;  ///< of the object asked for by name
  };

  /// Sends no request yet. All references must outlive this.
  static Result<std::unique_ptr<InformerSet>> create(Connection& connection, const WatchPlan& plan,
                                                     const InformerFlags& flags,
                                                     const InformerNeeds& needs,
                                                     const CommandContext& context);
  ~InformerSet();

  /// Adds the informers of `plan` that are not members yet. They need handlers and a start().
  Result<void> add_new(Connection& connection, const WatchPlan& plan, const InformerFlags& flags,
                       const InformerNeeds& needs);
  /// Registers the handler that `handler_of` returns for each member without one, until stop().
  Result<void> add_handlers(const std::function<EventHandler&(Member&)>& handler_of,
                            const HandlerOptions& options = direct_delivery());
  /// Starts the informers that have not been started.
  void start();
  /// Ends all informers; no handler is called after it.
  void stop();
  std::vector<Member>& members() { return members_; }
  const std::vector<Member>& members() const { return members_; }
  InformerMonitor& monitor() { return monitor_; }

  /// Blocks until `done()` holds and returns true. `done` is called again after each notify() of
  /// ExitRequest, and at `recheck`. Returns false if the command ends first: at `deadline` (124),
  /// or because everything stays denied (5).
  bool wait(const std::function<bool()>& done, Clock::Mono deadline = Clock::kNever,
            Clock::Mono recheck = Clock::kNever);
  /// Makes wait() call `task` every `period`, until it returns false.
  void repeat(Clock::Duration period, std::function<bool()> task);
  /// Waits for the first list of all informers. At `deadline`, reports an error and ends with 124.
  bool wait_for_sync(Clock::Mono deadline);

  /// One line of figures on stderr. `left_out`: updates that did not pass the filter, if any.
  void print_stats(std::uint64_t printed_events,
                   std::optional<std::uint64_t> left_out = std::nullopt) const;

 private:
  InformerSet(const MonitorOptions& monitor, InformerOptions options, const CommandContext& context)
      : clock_(context.clock),
        exit_request_(context.exit_request),
        monitor_(monitor, clock_, exit_request_),
        factory_(clock_, std::move(options)) {}

  Clock& clock_;
  ExitRequest& exit_request_;
  InformerMonitor monitor_;
  SharedInformerFactory factory_;
  Clock::Duration sync_limit_{};  ///< for messages
  std::vector<Member> members_;
  std::vector<HandlerRegistration> registrations_;  ///< of the first members, in their order
  std::function<bool()> task_;                      ///< see repeat()
  Clock::Duration task_period_{};
  Clock::Mono task_due_ = Clock::kNever;
};

}  // namespace kinf
