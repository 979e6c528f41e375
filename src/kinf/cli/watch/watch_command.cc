// SPDX-License-Identifier: Apache-2.0
// kinf watch: prints every change of the selected objects as it arrives.
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "kinf/base/log.h"
#include "kinf/base/number_text.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/runtime/exit_code.h"
#include "kinf/cli/session/clusters.h"
#include "kinf/cli/session/session.h"
#include "kinf/cli/watch/event_output.h"

namespace kinf {
namespace {

/// How long to wait for all initial lists, which are then printed as one table.
constexpr Clock::Duration kGatheringTime = std::chrono::seconds(1);

/// What watch and history have in common: they print each change.
struct Follow {
  const WatchCommand& command;
  const HistoryCommand* history = nullptr;  ///< null: a watch

  InformerNeeds needs(const WatchPlan& plan) const {
    return history ? needs_of(*history) : needs_of(command, plan.several_types());
  }
};

/// Registers a handler of `output` with every informer.
Result<void> connect(Session& session, EventOutput& output, const WatchCommand& command,
                     bool announce, const std::string& cluster = {}) {
  InformerSet& informers = *session.informers;
  // By default a slow reader blocks the informer, so that every event is printed. With --latest,
  // newer changes replace queued ones.
  HandlerOptions delivery;
  delivery.delivery = command.latest ? Delivery::queued : Delivery::direct;
  delivery.when_full = WhenFull::coalesce;
  if (StateSaver* const state = informers.state()) output.set_state(state);
  return informers.add_handlers(
      [&session, &informers, &output, announce, cluster,
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
          informers.monitor().add_idle_hook(
              *member.observer, [&output, &handler, informer = member.informer] {
                output.bookmark(handler, informer->indexer().last_store_sync_resource_version());
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
  // While informers run, they report the errors of the server.
  if (!done && done.error().kind != ErrorKind::usage && !informers.members().empty()) done = {};
  if (done) {
    done = informers.add_new(*session.connection, session.plan, command.informer,
                             follow.needs(session.plan));
  }
  if (done) {
    // the other types do not wait for this one
    informers.end_gathering([&] { output.stop_gathering(); });
    done = connect(session, output, command, context.environment.stderr_is_terminal);
  }
  if (done) {
    done = informers.follow_namespaces(*session.connection, session.plan, command.informer,
                                       follow.needs(session.plan));
  }
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
  const Clock::Mono gathered =
      session.connection->player() ? Clock::kNever : context.clock.now() + kGatheringTime;
  informers.on_gathered([&output] { output.stop_gathering(); });
  informers.start();
  if (!session.plan.awaited.empty()) {
    informers.repeat(kTypePeriod, [&] { return join_types(session, output, follow, context); });
  }
  if (sync_deadline != Clock::kNever && !informers.wait_for_sync(sync_deadline)) return;
  // Print the other types if one type is slow or forbidden.
  const bool settled = informers.wait(
      [&] {
        report_absent(session, command.informer, context.exit_request);
        return informers.has_synced() || context.clock.now() >= gathered;
      },
      Clock::kNever, gathered);
  if (!settled) return;
  if (!informers.has_synced()) informers.end_gathering([&] { output.stop_gathering(); });
  informers.wait([&] {
    report_absent(session, command.informer, context.exit_request);
    return has_seen_scenario(session);
  });
}

EventOutputOptions output_options(const Follow& follow, const Session& session,
                                  const CommandContext& context) {
  const WatchCommand& command = follow.command;
  EventOutputOptions options;
  options.print = print_options(command.output, command.global, session.plan, context.environment);
  // These formats print event types only on request: -o name feeds xargs, and the columns and paths
  // of the user are those of the object.
  const bool bare = command.output.format == OutputFormat::name || command.output.has_expressions();
  options.print.with_events = command.output_watch_events.value_or(!bare);
  options.print.ignored = command.filter.ignored();
  options.print.start = context.clock.wall();
  options.sort = command.output.sort;
  options.is_history = follow.history != nullptr;
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

/// Watches several clusters in one output. A cluster that is away is tried again.
class ClusterWatch {
 public:
  ClusterWatch(const Follow& follow, const CommandContext& context,
               const std::vector<std::string>& names)
      : follow_(follow),
        command_(follow.command),
        context_(context),
        different_namespaces_(
            have_different_namespaces(names, follow.command.global, context.environment)),
        writer_(STDOUT_FILENO, &context.exit_request),
        clusters_(names, context) {
    writer_.widen();
  }

  ExitCode run(Clock::Mono deadline, Clock::Mono sync_deadline) {
    clusters_.keep_running(
        [&](Cluster& cluster) { run_once(cluster, std::min(deadline, sync_deadline)); });
    MutexLock lock(mu_);
    if (output_) output_->finish();
    print_reports();
    const ExitCode code = context_.exit_request.code().value_or(ExitCode::ok);
    const bool complete = !output_ || output_->unprinted() == 0;
    return code == ExitCode::ok && !complete ? ExitCode::other_error : code;
  }

 private:
  void run_once(Cluster& cluster, Clock::Mono sync_deadline) {
    Cluster::Attempt& attempt =
        cluster.attempt(command_.global, command_.informer, true, sync_deadline);
    if (!attempt.session) return;
    Session& session = *attempt.session;
    EventOutput& output = output_for(session);
    Result<void> ready;
    if (command_.with_events) ready = add_events(session.plan, *session.connection);
    if (ready) {
      ready =
          add_informers(session, command_.informer, follow_.needs(session.plan), attempt.context);
    }
    if (ready) {
      ready = connect(session, output, command_, context_.environment.stderr_is_terminal,
                      cluster.name());
    }
    if (!ready) return cluster.fail_attempt(ready.error());
    run_informers(session, output, follow_, sync_deadline, attempt.context);
    if (session.informers->monitor().all_synced()) cluster.set_working();
    session.informers->stop();
  }

  /// Returns the output. The first session decides about its columns.
  EventOutput& output_for(const Session& session) {
    MutexLock lock(mu_);
    if (!output_) {
      EventOutputOptions options = output_options(follow_, session, context_);
      options.print.with_cluster = true;
      options.print.with_namespace = options.print.with_namespace || different_namespaces_;
      if (prints_colours(options.print)) writer_.keep_colours();
      output_ =
          std::make_unique<EventOutput>(options, writer_, context_.clock, context_.exit_request);
    }
    return *output_;
  }

  void print_reports() KINF_REQUIRES(mu_) {
    for (const auto& cluster : clusters_.all()) {
      const std::optional<Session>& session = cluster->last().session;
      if (!session || !session->informers) continue;
      if (command_.latest) report_folded(*session->informers);
      if (command_.informer.stats) {
        session->informers->print_stats(output_->printed(), output_->left_out());
      }
    }
  }

  const Follow follow_;
  const WatchCommand& command_;
  const CommandContext& context_;
  const bool different_namespaces_;
  FileWriter writer_;
  Mutex mu_;
  std::unique_ptr<EventOutput> output_ KINF_GUARDED_BY(mu_);
  Clusters clusters_;  ///< last: its informers call the output
};

Result<ExitCode> run(const Follow& follow, const CommandContext& context) {
  const WatchCommand& command = follow.command;
  set_time_zone(command.output.time_zone);
  const Clock::Mono deadline = deadline_after(command.timeout, context.clock);
  const ExitTimer timer(context.exit_request, context.clock, deadline);
  const Clock::Mono sync_deadline = deadline_after(command.informer.sync_timeout, context.clock);
  const Result<std::vector<std::string>> contexts =
      chosen_contexts(command.global, context.environment);
  if (!contexts) return std::unexpected(contexts.error());
  if (!contexts->empty()) {
    return ClusterWatch(follow, context, *contexts).run(deadline, sync_deadline);
  }
  Result<Session> session = open_session(command.global, command.informer, true, context,
                                         std::min(deadline, sync_deadline), PlanTypes::known);
  if (!session) return std::unexpected(std::move(session).error());
  if (command.with_events) {
    if (Result<void> added = add_events(session->plan, *session->connection); !added) {
      return std::unexpected(std::move(added).error());
    }
  }
  const EventOutputOptions options = output_options(follow, *session, context);
  FileWriter stdout_writer(STDOUT_FILENO, &context.exit_request);
  stdout_writer.widen();
  if (prints_colours(options.print)) stdout_writer.keep_colours();
  EventOutput output(options, stdout_writer, context.clock, context.exit_request);
  Result<void> ready =
      add_informers(*session, command.informer, follow.needs(session->plan), context);
  if (ready) {
    ready = connect(*session, output, command, context.environment.stderr_is_terminal);
  }
  if (!ready) return std::unexpected(std::move(ready).error());
  run_informers(*session, output, follow, sync_deadline, context);
  session->informers->stop();
  output.finish();
  const bool saved = session->informers->save_state();
  if (context.exit_request.code() == ExitCode::timed_out && context.clock.now() < sync_deadline) {
    for (const AwaitedType& type : session->plan.awaited) report(type.error);
  }
  if (command.latest) report_folded(*session->informers);
  if (command.informer.stats) {
    session->informers->print_stats(output.printed(), output.left_out());
  }
  const ExitCode code = context.exit_request.code().value_or(ExitCode::ok);
  if (follow.history && session->connection->player() != nullptr && code == ExitCode::ok &&
      output.printed() == 0) {
    report(not_found_error(*session, session->plan.informers.front()));
    return ExitCode::not_found;
  }
  const bool is_incomplete = output.unprinted() > 0 || !saved;
  return code == ExitCode::ok && is_incomplete ? ExitCode::other_error : code;
}

}  // namespace

Result<ExitCode> watch_command(const WatchCommand& command, const CommandContext& context) {
  return run({command}, context);
}

Result<ExitCode> history_command(const HistoryCommand& command, const CommandContext& context) {
  WatchCommand watch;
  static_cast<ShowFlags&>(watch) = command;
  watch.max_events = command.max_events;
  return run({watch, &command}, context);
}

}  // namespace kinf
