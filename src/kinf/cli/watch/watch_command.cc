// SPDX-License-Identifier: Apache-2.0
// kinf watch: prints every change of the selected objects as it arrives.
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "kinf/base/log.h"
#include "kinf/base/number_text.h"
#include "kinf/cli/connection/connection.h"
#include "kinf/cli/flags/watch_flags.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/runtime/exit_code.h"
#include "kinf/cli/session/clusters.h"
#include "kinf/cli/session/informer_set.h"
#include "kinf/cli/watch/event_output.h"

namespace kinf {
namespace {

/// How long to wait for all initial lists, which are then printed as one table.
constexpr Clock::Duration kGatheringTime = std::chrono::seconds(1);
/// The same for several clusters: more of them may fail to answer.
constexpr Clock::Duration kGatheringTimeOfClusters = std::chrono::milliseconds(300);

/// The command to run: watch, or history, which also prints each change.
struct Follow {
  const WatchCommand& command;
  const HistoryCommand* history = nullptr;  ///< the same as `command`; null for a watch

  InformerNeeds needs(const WatchPlan& plan) const {
    return history ? needs_of(*history) : needs_of(command, names_changed_paths(plan));
  }
};

/// Returns whether to log that the initial lists are complete. A history has no such lists.
bool announces(const Follow& follow, const CommandContext& context) {
  return follow.history == nullptr && context.environment.has_two_terminals();
}

/// Registers a handler of `output` with every informer.
Result<void> connect(Session& session, EventOutput& output, const Follow& follow,
                     const CommandContext& context) {
  const WatchCommand& command = follow.command;
  const bool is_history = follow.history != nullptr;
  const bool announce = announces(follow, context);
  InformerSet& informers = *session.informers;
  // By default a slow reader blocks the informer, so that every event is printed. With --latest,
  // newer changes replace queued ones.
  HandlerOptions delivery;
  delivery.delivery = command.latest ? Delivery::queued : Delivery::direct;
  delivery.when_full = WhenFull::coalesce;
  if (StateSaver* const state = informers.state()) output.set_state(state);
  if (is_history) {
    informers.on_gap([&output](const Gap& gap) { output.take_gap(gap); });
  }
  return informers.add_handlers(
      [&session, &informers, &output, announce, cluster = session.plan.cluster,
       bookmarks = command.bookmarks](InformerSet::Member& member) -> EventHandler& {
        if (member.planned.type == session.plan.events.get()) {
          return output.events_handler(*member.planned.type, cluster);
        }
        std::function<void()> after_initial;
        if (announce) {
          after_initial = [&informers, description = member.description] {
            informers.monitor().announce(description);
          };
        }
        EventHandler& handler =
            output.handler(*member.planned.type, std::move(after_initial), cluster);
        if (bookmarks == Bookmarks::all) {
          informers.monitor().add_delivery_hook(*member.observer,
                                                [&output, &handler](const Delivered& delivered) {
                                                  output.bookmark(handler, delivered);
                                                });
        }
        return handler;
      },
      delivery);
}

/// Logs how many changes --latest merged.
void report_folded(const InformerSet& informers) {
  std::uint64_t folded = 0;
  for (const InformerSet::Member& member : informers.members()) {
    folded += member.informer->stats().folded;
  }
  if (folded == 0) return;
  log::warning("{} merged into newer ones because the output was read too slowly",
               counted(folded, "change"));
}

/// Starts the informers of awaited types that the server knows by now. Returns whether types are
/// still awaited.
bool join_types(Session& session, EventOutput& output, const Follow& follow,
                const CommandContext& context) {
  const WatchCommand& command = follow.command;
  InformerSet& informers = *session.informers;
  Result<void> done =
      add_awaited_types(session.plan, *session.connection, command.global, command.informer);
  // If other informers run, they report the errors of the server, so ignore such an error here.
  if (!done && done.error().kind != ErrorKind::usage && !informers.members().empty()) done = {};
  if (done) {
    done = informers.add_new(follow.needs(session.plan));
  }
  if (done) {
    // Print the other types without waiting for the list of this one.
    informers.end_gathering([&] { output.stop_gathering(); });
    done = connect(session, output, follow, context);
  }
  if (done) done = informers.follow_namespaces();
  if (!done) {
    if (context.exit_request.code()) return false;
    report(done.error());
    context.exit_request.set(exit_code_for(done.error()));
    return false;
  }
  informers.start();
  return !session.plan.awaited.empty();
}

/// How often the server is asked for awaited types.
constexpr Clock::Duration kTypePeriod = std::chrono::seconds(1);

/// Runs the informers until the command ends.
void run_informers(Session& session, EventOutput& output, const Follow& follow,
                   Clock::Mono sync_deadline, const CommandContext& context) {
  const WatchCommand& command = follow.command;
  InformerSet& informers = *session.informers;
  const Clock::Mono gathered = informers.begin_gathering(
      session.plan.cluster.empty() ? kGatheringTime : kGatheringTimeOfClusters,
      [&output] { output.stop_gathering(); });
  informers.start();
  if (!session.plan.awaited.empty()) {
    informers.repeat(kTypePeriod, [&] { return join_types(session, output, follow, context); });
  }
  // Stop waiting for the initial lists at `gathered`, so that one slow or forbidden type or cluster
  // does not delay the others.
  const Clock::Mono limit = std::min(gathered, sync_deadline);
  const auto has_all_lists = [&] {
    return informers.has_synced() && !has_left_out_any({&session});
  };
  const bool settled = informers.wait(
      [&] {
        report_absent(session, command.informer, context.exit_request);
        return has_all_lists() || context.clock.now() >= limit;
      },
      Clock::kNever, limit);
  if (!settled) return;
  if (!has_all_lists()) informers.end_gathering([&] { output.stop_gathering(); });
  if (sync_deadline != Clock::kNever && !informers.wait_for_sync(sync_deadline)) return;
  wait_for_end(session, command.informer, context.exit_request);
}

EventOutputOptions output_options(const Follow& follow, const Session& session,
                                  const CommandContext& context) {
  const WatchCommand& command = follow.command;
  EventOutputOptions options;
  options.print = print_options(command.output, command.global, session.plan, context.environment);
  // These formats print event types only on request: -o name is often piped to xargs, and custom
  // columns and JSONPaths apply to the object.
  const bool bare = command.output.format == OutputFormat::name || command.output.has_expressions();
  options.print.with_events = command.output_watch_events.value_or(!bare);
  options.print.ignored = command.filter.ignored();
  options.print.start = context.clock.wall();
  options.sort = command.output.sort;
  options.is_history = follow.history != nullptr;
  options.in_order = options.is_history && session.connection->played() != nullptr;
  const bool waits = command.global.replay.speed.has_value();  // between the changes
  options.sorts_rows = options.in_order && command.with_events && !waits;
  options.print.several_objects = !session.plan.single_object;
  options.filter = command.filter;
  options.mark_initial_end = command.bookmarks != Bookmarks::none;
  options.watch_only = command.watch_only;
  options.notify_when_idle = session.connection->sandbox() != nullptr;
  options.max_events = command.max_events;
  options.events = command.events;
  options.until = command.until;
  options.jq = command.output.jq;
  options.for_terminal = context.environment.stdout_is_terminal;
  return options;
}

/// Prints the changes of one or more clusters in one output. If there are several clusters, retries
/// those that cannot be reached.
class WatchRun {
 public:
  WatchRun(const Follow& follow, const Clusters& clusters, Clock::Mono sync_deadline,
           const CommandContext& context)
      : follow_(follow),
        clusters_(clusters),
        sync_deadline_(sync_deadline),
        context_(context),
        writer_(STDOUT_FILENO, &context.exit_request) {
    writer_.widen();
  }

  /// Runs the informers of one cluster until the command ends or stops using this cluster.
  Result<void> run(CommandCluster& cluster) {
    const WatchCommand& command = follow_.command;
    Session& session = cluster.session();
    Result<void> ready;
    if (command.with_events) ready = add_events(session.plan, *session.connection);
    if (!ready) return ready;
    EventOutput& output = output_for(session);
    ready =
        add_informers(session, command.informer, follow_.needs(session.plan), cluster.context());
    if (ready) ready = connect(session, output, follow_, context_);
    if (ready) run_informers(session, output, follow_, sync_deadline_, cluster.context());
    if (session.informers) session.informers->stop();
    const bool may_try_again = clusters_.are_several() && !context_.exit_request.code();
    if (may_try_again) output.leave_cluster(cluster.name());
    return ready;
  }

  /// Prints the remaining events and the reports. Call it once, after all run() have returned.
  ExitCode finish() {
    MutexLock lock(mu_);
    if (output_) output_->finish();
    const bool is_saved = std::ranges::all_of(
        clusters_.sessions(), [](Session* session) { return session->informers->save_state(); });
    print_reports();
    const ExitCode code = context_.exit_request.code().value_or(ExitCode::ok);
    if (code == ExitCode::ok && misses_objects()) return ExitCode::not_found;
    const bool is_complete = is_saved && (!output_ || output_->unprinted() == 0);
    return code == ExitCode::ok && !is_complete ? ExitCode::other_error : code;
  }

 private:
  /// Returns the output. The first call creates it, with the columns that `session` needs.
  EventOutput& output_for(const Session& session) {
    MutexLock lock(mu_);
    if (!output_) {
      EventOutputOptions options = output_options(follow_, session, context_);
      options.print.with_cluster = clusters_.are_several();
      options.print.with_namespace =
          options.print.with_namespace || clusters_.have_different_namespaces();
      if (prints_colours(options.print)) writer_.keep_colours();
      output_ =
          std::make_unique<EventOutput>(options, writer_, context_.clock, context_.exit_request);
    }
    return *output_;
  }

  void print_reports() KINF_REQUIRES(mu_) {
    const bool is_timeout = context_.exit_request.code() == ExitCode::timed_out &&
                            context_.clock.now() < sync_deadline_;
    for (Session* session : clusters_.sessions()) {
      for (const AwaitedType& type : session->plan.awaited) {
        if (is_timeout) report(type.error);
      }
      if (follow_.command.latest) report_folded(*session->informers);
      if (follow_.command.informer.stats) {
        session->informers->print_stats(output_->printed(), output_->left_out());
      }
    }
  }

  /// Reports the objects that `kinf history` names but the recording does not have. Returns whether
  /// there are any.
  bool misses_objects() KINF_REQUIRES(mu_) {
    if (follow_.history == nullptr || !output_ || context_.exit_request.code()) return false;
    bool misses = false;
    for (const Session* session : clusters_.sessions()) {
      if (session->informers->is_replay() && misses_objects_of(*session)) misses = true;
    }
    return misses;
  }

  bool misses_objects_of(const Session& session) KINF_REQUIRES(mu_) {
    std::vector<const PlannedInformer*> missing;
    const auto& members = session.informers->members();
    for (const InformerSet::Member& member : members) {
      const PlannedInformer& planned = member.planned;
      const auto is_same = [&](const InformerSet::Member& other) {  // in another namespace
        return other.planned.type == planned.type && other.planned.name == planned.name;
      };
      const bool is_first = &*std::ranges::find_if(members, is_same) == &member;
      if (planned.name.empty() || !is_first) continue;
      const bool is_missing = std::ranges::all_of(members, [&](const auto& other) {
        return !is_same(other) || other.informer->stats().notifications == 0;
      });
      if (is_missing) missing.push_back(&planned);
    }
    const PlannedInformer& first = session.plan.informers.front();
    const bool is_empty = output_->printed() == 0;
    if (missing.empty() && is_empty && !first.name.empty()) missing.push_back(&first);
    for (const PlannedInformer* planned : missing) report(not_found_error(session, *planned));
    if (missing.empty() && is_empty) print_nothing_found(session.plan);
    return !missing.empty();
  }

  const Follow follow_;
  const Clusters& clusters_;
  const Clock::Mono sync_deadline_;
  const CommandContext& context_;
  FileWriter writer_;
  Mutex mu_;
  std::unique_ptr<EventOutput> output_ KINF_GUARDED_BY(mu_);
};

Result<ExitCode> run(const Follow& follow, const CommandContext& context) {
  const WatchCommand& command = follow.command;
  set_time_zone(command.output.time_zone);
  const Clock::Mono deadline = deadline_after(command.timeout, context.clock);
  const ExitTimer timer(context.exit_request, context.clock, deadline);
  const Clock::Mono sync_deadline = deadline_after(command.informer.sync_timeout, context.clock);
  const SessionRequest request{.global = command.global,
                               .flags = command.informer,
                               .deadline = std::min(deadline, sync_deadline),
                               .types = PlanTypes::known};
  Result<std::unique_ptr<Clusters>> clusters = Clusters::create(request, context);
  if (!clusters) return fail(clusters);
  const bool limits_lists = (*clusters)->are_several();  // --timeout limits the initial lists, too
  WatchRun watch(follow, **clusters, limits_lists ? request.deadline : sync_deadline, context);
  const Result<void> done =
      (*clusters)->keep_running([&](CommandCluster& cluster) { return watch.run(cluster); });
  if (!done) return fail(done);
  return watch.finish();
}

}  // namespace

Result<ExitCode> run_command(const WatchCommand& command, const CommandContext& context) {
  return run({command}, context);
}

Result<ExitCode> run_command(const HistoryCommand& command, const CommandContext& context) {
  return run({command, &command}, context);
}

}  // namespace kinf
