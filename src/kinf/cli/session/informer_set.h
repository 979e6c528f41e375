// SPDX-License-Identifier: Apache-2.0
// InformerSet: starts, waits for and stops the informers of one command together.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/selection/watch_plan.h"
#include "kinf/cli/session/handler_chain.h"
#include "kinf/cli/session/informer_monitor.h"
#include "kinf/cli/session/informer_needs.h"
#include "kinf/cli/session/session_stores.h"
#include "kinf/informer/shared_informer_factory.h"

namespace kinf {

class HttpListerWatcher;
class NamespaceJoiner;
class Replay;
class TypeJoiner;
struct Gap;

/// Threads: one owner.
class InformerSet {
 public:
  /// The default --sync-timeout of commands that end by themselves.
  static constexpr std::chrono::seconds kSyncTimeout{60};

  /// Returns options that call handlers from the informer's thread.
  static HandlerOptions direct_delivery();

  /// The objects and options from which the informers are created. The references must outlive the
  /// set.
  struct Inputs {
    Connection& connection;
    WatchPlan& plan;
    const InformerFlags& flags;
    InformerNeeds needs;
    CommandContext context;
  };

  /// One informer with its source, selection and handlers.
  struct Member {
    /// The handler of the command, and the handlers before it.
    struct Handling {
      Handling(const HandlerChain::Layers& layers, EventHandler& command)
          : chain(layers, command) {}

      HandlerChain chain;
      std::optional<HandlerRegistration> recording{};  ///< of the recorder, if it is not in `chain`
      std::optional<HandlerRegistration> registration{};
      std::optional<HandlerRegistration> definitions{};  ///< of the TypeJoiner
    };

    bool selects(const Object& object) const { return !selection || selection->selects(object); }
    /// Returns the objects in the cache that pass `selection`, in unspecified order. Conditions get
    /// null as the previous state. The result is incomplete if the exit code is set meanwhile.
    std::vector<ObjectPtr> objects() const;

    PlannedInformer planned;
    std::string description;
    HttpListerWatcher* source = nullptr;   ///< owned by `informer`; null for a recording
    SharedInformer* informer = nullptr;    ///< owned by the factory
    InformerIdentity identity{};           ///< the key of the informer in the factory
    InformerObserver* observer = nullptr;  ///< owned by the monitor
    /// The number of the informer in the recording and the state.
    std::size_t scope = 0;
    /// True if the namespace or the type was joined later. The first list is then not an initial
    /// list.
    bool is_late = false;
    bool absence_reported = false;  ///< it was reported that `planned.name` does not exist
    bool follows_members = true;    ///< false until it is known which objects are selected
    /// The conditions that kinf checks itself; null if there are none.
    std::shared_ptr<const Selection> selection{};
    std::unique_ptr<Handling> handling;  ///< null until a handler is registered
  };

  /// Creates the informers of the plan, which write to `stores`. Sends no request.
  static Result<std::unique_ptr<InformerSet>> create(Inputs inputs, SessionStores stores = {});
  ~InformerSet();

  /// Adds the informers of the plan that are not members yet. Call add_handlers() and start() next.
  Result<void> add_new(InformerNeeds needs);
  /// If the plan reads namespaces one by one, makes wait() join namespaces that are created later,
  /// and leave those that are deleted or no longer selected.
  Result<void> follow_namespaces();
  /// Registers, for each member without a handler, the handler that `handler_of` returns. The
  /// handler receives only the changes of selected objects. stop() unregisters it. `handler_of` is
  /// kept for the namespaces that are joined later.
  Result<void> add_handlers(std::function<EventHandler&(Member&)> handler_of,
                            const HandlerOptions& options = direct_delivery());
  /// Starts the informers that have not been started.
  void start();
  /// Makes a replay pause after the initial lists, until release_changes(). Call it before start().
  void hold_changes();
  void release_changes();
  /// In a replay, makes `report` get the gaps of the recording instead of stderr. Its thread is the
  /// one that calls the handlers. Call it before start().
  void on_gap(std::function<void(const Gap& gap)> report);
  /// Returns the deadline for waiting for the initial lists: `limit` from now. In a replay, returns
  /// kNever instead, and calls `end` at the point at which the recorded command stopped waiting.
  Clock::Mono begin_gathering(Clock::Duration limit, std::function<void()> end);
  /// Calls `end`, which makes the output stop waiting for the initial lists. With --record, also
  /// records between which changes this happened.
  void end_gathering(const std::function<void()>& end);
  /// Stops all informers. No handler is called after it returns.
  void stop();

  std::vector<Member>& members() { return members_; }
  const std::vector<Member>& members() const { return members_; }
  InformerMonitor& monitor() { return monitor_; }
  /// Returns whether the command continues without this member, because the server denies access to
  /// it.
  bool has_left_out(const Member& member) const { return monitor_.has_left_out(*member.observer); }
  bool is_denied(const Member& member) const { return monitor_.is_denied(*member.observer); }
  /// Returns whether all informers have their initial lists, and it is known which of their objects
  /// are selected.
  bool has_synced() const;
  /// Returns whether the recording or the sandbox scenario has ended and all handlers are done.
  /// ExitRequest::notify() is called when the result may have changed.
  bool has_handled_last_change() const;
  /// Returns whether the informers read a recording or a stream.
  bool is_replay() const { return replay_ != nullptr; }
  /// Returns whether they are, and it has times.
  bool has_recorded_times() const;

  /// Blocks until `done()` returns true, then returns true. Calls `done` again after each
  /// ExitRequest::notify() and at `recheck`. Returns false if the exit code is set first. Sets the
  /// exit code to 124 at `deadline`, and to 5 if the server denies access to every informer.
  bool wait(const std::function<bool()>& done, Clock::Mono deadline = Clock::kNever,
            Clock::Mono recheck = Clock::kNever);
  /// Makes wait() call `task` every `period` until it returns false.
  void repeat(Clock::Duration period, std::function<bool()> task);
  /// Waits until all informers have synced. At `deadline`, reports an error and sets exit code 124.
  bool wait_for_sync(Clock::Mono deadline);

  /// Returns the recorder, or null. Call Recorder::totals() after stop().
  const Recorder* recorder() const { return stores_.recorder.get(); }
  /// Returns the saver of --state, or null. Member::scope is the number of the informer in it.
  StateSaver* state() { return stores_.state.get(); }
  /// Saves what was handled. Call it after stop(), and after the last call of the StateSaver.
  /// Returns false if saving failed; the error has then been reported.
  bool save_state();

  /// Writes one line of statistics to stderr. `left_out`: number of updates that the filter
  /// skipped; nullopt if there is no filter.
  void print_stats(std::uint64_t printed_events,
                   std::optional<std::uint64_t> left_out = std::nullopt) const;

  /// Adds and starts the informers that were added to the plan for new namespaces or types. Only
  /// for NamespaceJoiner.
  Result<void> join_planned();
  /// Removes the informer at index `member` from this object and from the plan. Only for
  /// NamespaceJoiner.
  void leave_planned(std::size_t member);

 private:
  /// The arguments of add_handlers().
  struct Handlers {
    std::function<EventHandler&(Member&)> of;
    HandlerOptions options;
  };
  /// A task that wait() repeats; see repeat().
  struct Task {
    std::function<bool()> run;
    Clock::Duration period{};
    Clock::Mono due = Clock::kNever;
  };

  InformerSet(Inputs inputs, SessionStores stores);
  Result<void> add_member(const PlannedInformer& planned);
  Result<void> register_handlers();
  Result<void> register_handler(Member& member);
  Clock& clock() const { return inputs_.context.clock; }
  ExitRequest& exit_request() const { return inputs_.context.exit_request; }
  Clock::Duration sync_limit() const;
  /// Reports an error and sets the exit code, unless it is set.
  void end_with(const Error& error);
  /// Passes the changes of the definitions of types on to the TypeJoiner.
  Result<void> observe_definitions(Member& member, Member::Handling& handling);
  void follow_namespaces_now();
  /// Joins the types that the server has got, and leaves those that it has lost (--all-types).
  void follow_types_now();
  void leave_type(const GroupVersionResource& type);
  /// Finds out again which objects are selected by their namespaces and owners; see Memberships. On
  /// failure, ends the command.
  void follow_members();
  void stop_left_out();
  /// Passes on the objects that are selected from now on (--failing). Returns when to call it
  /// again. A replay needs no timer: its changes bring the time with them.
  Clock::Mono refresh_due();
  void hint_at_typos();

  Inputs inputs_;
  std::unique_ptr<TypeJoiner> types_;  ///< null without --all-types; the monitor calls it
  InformerMonitor monitor_;
  SharedInformerFactory factory_;
  SessionStores stores_;
  std::unique_ptr<Replay> replay_;  ///< null if the informers read a server
  std::vector<Member> members_;
  Handlers handlers_;
  Task task_;
  bool typos_checked_ = false;               ///< whether hint_at_typos() has read the initial lists
  std::unique_ptr<NamespaceJoiner> joiner_;  ///< destroyed first: its informer notifies ExitRequest
};

}  // namespace kinf
