// SPDX-License-Identifier: Apache-2.0
// InformerSet: starts, waits for and stops the informers of one command together.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kinf/cli/connection/connection.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/selection/namespace_follower.h"
#include "kinf/cli/selection/selecting_handler.h"
#include "kinf/cli/selection/watch_plan.h"
#include "kinf/cli/session/informer_monitor.h"
#include "kinf/cli/session/informer_needs.h"
#include "kinf/cli/session/late_handler.h"
#include "kinf/cli/session/replay.h"
#include "kinf/informer/shared_informer_factory.h"
#include "kinf/recording/recorder.h"
#include "kinf/recording/state/state_saver.h"

namespace kinf {

/// Threads: one owner.
class InformerSet {
 public:
  /// The default --sync-timeout of commands that end by themselves.
  static constexpr std::chrono::seconds kSyncTimeout{60};

  /// Returns options that call handlers from the informer's thread.
  static HandlerOptions direct_delivery();

  struct Member {
    PlannedInformer planned;
    std::string description;
    HttpListerWatcher* source;             ///< owned by its informer; null for a recording
    SharedInformer* informer;              ///< owned by the factory
    InformerIdentity identity{};           ///< of the informer in the factory
    InformerObserver* observer = nullptr;  ///< owned by the monitor
    std::size_t scope = 0;                 ///< of the recording that the set writes
    bool is_late = false;  ///< its namespace was joined later; its first list is no initial one
    bool absence_reported = false;  ///< the missing `planned.name` has been reported
    /// The conditions that kinf checks itself. Null: none.
    std::shared_ptr<const Selection> selection{};
    std::shared_ptr<SelectingHandler> handler{};  ///< checks them for the handler; may be null
    bool follows_members = true;                  ///< the memberships of all objects are known

    bool selects(const Object& object) const { return !selection || selection->selects(object); }
    /// Returns the objects in the cache that the command selects, beyond what the server selected,
    /// in no order. Their previous state counts as null. Incomplete if the exit code is set
    /// meanwhile.
    std::vector<ObjectPtr> objects() const;
  };

  /// Creates the informers of `plan`. Sends no request. All references must outlive this object.
  static Result<std::unique_ptr<InformerSet>> create(Connection& connection, const WatchPlan& plan,
                                                     const InformerFlags& flags,
                                                     const InformerNeeds& needs,
                                                     const CommandContext& context);
  ~InformerSet();

  /// Adds the informers of `plan` that are not members yet. Call add_handlers() and start() next.
  Result<void> add_new(Connection& connection, const WatchPlan& plan, const InformerFlags& flags,
                       const InformerNeeds& needs);
  /// Makes wait() join namespaces that are created later, and leave those that are deleted or not
  /// selected any longer, if `plan` reads namespaces one by one. `plan` is the one of create(). All
  /// references must outlive this object.
  Result<void> follow_namespaces(Connection& connection, WatchPlan& plan,
                                 const InformerFlags& flags, const InformerNeeds& needs);
  /// Registers, for each member without a handler, the handler that `handler_of` returns. It gets
  /// the changes of the selected objects only. stop() unregisters it. `handler_of` is kept for the
  /// namespaces that are joined later.
  Result<void> add_handlers(std::function<EventHandler&(Member&)> handler_of,
                            const HandlerOptions& options = direct_delivery());
  /// Starts the informers that have not been started.
  void start();
  /// Makes start() of a recording pause after the first lists, until release_changes().
  void hold_changes() { holds_changes_ = true; }
  /// Calls `end`, with which the output ceases to wait for the first lists. A recording notes when.
  void end_gathering(const std::function<void()>& end) {
    recorder_ ? recorder_->gathered(end) : end();
  }
  /// Makes start() of a recording call `end` when the recorded output ceased to wait.
  void on_gathered(std::function<void()> end) { on_gathered_ = std::move(end); }
  void release_changes() {
    if (replay_) replay_->release();
  }
  /// Stops all informers. No handler is called after it returns.
  void stop();
  std::vector<Member>& members() { return members_; }
  const std::vector<Member>& members() const { return members_; }
  InformerMonitor& monitor() { return monitor_; }
  /// Returns true if the command goes on without this member, to which the server denies access.
  bool has_left_out(const Member& member) const { return monitor_.has_left_out(*member.observer); }
  /// Returns true if all informers have their initial lists and it is known which objects of them
  /// are selected.
  bool has_synced() const;

  /// Blocks until `done()` returns true, then returns true. Calls `done` again after each
  /// ExitRequest::notify() and at `recheck`. Returns false if the exit code is set first. Sets it
  /// to 124 at `deadline`, and to 5 if the server denies access to every informer.
  bool wait(const std::function<bool()>& done, Clock::Mono deadline = Clock::kNever,
            Clock::Mono recheck = Clock::kNever);
  /// Makes wait() call `task` every `period` until it returns false.
  void repeat(Clock::Duration period, std::function<bool()> task);
  /// Waits until all informers have synced. At `deadline`, reports an error and sets exit code 124.
  bool wait_for_sync(Clock::Mono deadline);

  /// Returns the recorder of --record, or null. Call totals() after stop().
  const Recorder* recorder() const { return recorder_.get(); }
  /// Returns what saves the state of --state, or null. Members have the numbers of its scopes.
  StateSaver* state() { return state_.get(); }
  /// Saves what was handled. Call it after stop(), and after the last call of the StateSaver.
  /// Returns false if saving failed, which was reported.
  bool save_state() { return !state_ || state_->finish(); }
  /// Returns true if a recording was read to its end.
  bool replay_ended() const { return replay_ && replay_->has_ended(); }

  /// Writes one line of statistics to stderr. `left_out`: number of updates that the filter
  /// skipped; nullopt if there is no filter.
  void print_stats(std::uint64_t printed_events,
                   std::optional<std::uint64_t> left_out = std::nullopt) const;

 private:
  InformerSet(const MonitorOptions& monitor, InformerOptions options, const CommandContext& context)
      : clock_(context.clock),
        exit_request_(context.exit_request),
        stop_(context.stop),
        monitor_(monitor, clock_, exit_request_),
        factory_(clock_, std::move(options)) {}

  /// Adds the first informer of `plan` that is not a member yet.
  Result<void> add_member(Connection& connection, const WatchPlan& plan,
                          const InformerFlags& all_flags, const InformerNeeds& needs);
  /// Sets what decides which objects of a member are selected.
  Result<void> select(Member& member, const WatchPlan& plan, const InformerFlags& flags,
                      bool is_events) const;
  Result<void> open_recorder(Connection& connection, const RecordFlags& flags);
  /// Returns the number of the scope.
  Result<std::size_t> add_recorded_scope(Connection& connection, const PlannedInformer& planned,
                                         const InformerFlags& flags);
  Result<void> open_state(Connection& connection, const WatchPlan& plan,
                          const InformerFlags& flags);
  /// Restores the state of a member.
  Result<void> restore(std::size_t member, SharedInformer& informer, const HttpSource& source);
  /// Returns the source of one informer, and sets `http` if it is a server.
  Result<std::unique_ptr<ListerWatcher>> make_source(Connection& connection, HttpSource source,
                                                     const std::string& description,
                                                     HttpListerWatcher*& http);
  /// Finds out which objects belong to the selection now. On failure, reports it and sets the exit
  /// code.
  void follow_members();
  /// What follow_namespaces() follows.
  struct Followed {
    Connection& connection;
    WatchPlan& plan;
    const InformerFlags& flags;
    InformerNeeds needs;
    std::unique_ptr<NamespaceFollower> namespaces;
  };
  void follow_namespaces_now();
  void stop_left_out();
  Result<void> join_namespaces();
  void leave_namespaces();
  Result<void> register_handlers();

  Clock& clock_;
  ExitRequest& exit_request_;
  const std::stop_token stop_;
  std::shared_ptr<Where> where_;  ///< null: no --where
  InformerMonitor monitor_;
  SharedInformerFactory factory_;
  Clock::Duration sync_limit_{};              ///< for messages
  std::shared_ptr<Memberships> memberships_;  ///< null if there are none
  std::vector<Member> members_;
  std::function<EventHandler&(Member&)> handler_of_;
  HandlerOptions handler_options_;
  std::vector<std::unique_ptr<LateHandler>> late_handlers_;
  std::unique_ptr<StateSaver> state_;               ///< null: no --state
  bool saves_written_ = false;                      ///< saves what the handlers have written
  std::unique_ptr<Recorder> recorder_;              ///< null: no --record
  Player* player_ = nullptr;                        ///< null: no --from
  std::vector<HandlerRegistration> registrations_;  ///< of the first members, in their order
  /// Of handlers that only record: of no member, or of the first ones, in their order.
  std::vector<HandlerRegistration> recordings_;
  bool holds_changes_ = false;
  std::function<void()> on_gathered_;
  std::optional<double> replay_speed_;  ///< of --speed
  ReplayOrder replay_order_;
  std::unique_ptr<Replay> replay_;
  std::function<bool()> task_;  ///< see repeat()
  Clock::Duration task_period_{};
  Clock::Mono task_due_ = Clock::kNever;
  std::optional<Followed> followed_;  ///< last: its informer notifies exit_request_
};

}  // namespace kinf
