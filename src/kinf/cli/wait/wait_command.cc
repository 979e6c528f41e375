// SPDX-License-Identifier: Apache-2.0
// kinf wait: blocks until the objects satisfy the conditions.
#include <fmt/format.h>

#include <thread>

#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/cli/session/clusters.h"
#include "kinf/cli/session/session.h"
#include "kinf/cli/wait/wait_output.h"
#include "kinf/cli/wait/wait_report.h"
#include "kinf/cli/wait/wait_timeout.h"

namespace kinf {
namespace {

using State = WaitTracker::State;

std::optional<ExitCode> exit_code_of(State state) {
  switch (state) {
    case State::waiting:
      return std::nullopt;
    case State::met:
      return ExitCode::ok;
    case State::failed:
      return ExitCode::condition;
    case State::broken:
      return ExitCode::other_error;
    case State::timed_out:
      break;
  }
  return ExitCode::timed_out;
}

/// Waits on one or more clusters, and reports what came out.
class WaitRun {
 public:
  WaitRun(const WaitCommand& command, const CommandContext& context, std::size_t clusters)
      : command_(command),
        context_(context),
        is_once_(command.timeout == Clock::Duration::zero()),
        deadline_(context.clock.now() +
                  (is_once_ ? command.informer.sync_timeout.value_or(InformerSet::kSyncTimeout)
                            : command.timeout)),
        sync_deadline_(deadline_after(command.informer.sync_timeout, context.clock)),
        sessions_(clusters),
        tracker_(command.goal, clusters, context.clock, context.stop),
        judge_([this](const std::stop_token& stop) { judge(stop); }) {}

  Clock::Mono deadline() const { return deadline_; }

  /// Runs the informers of one cluster until the command, or the use of this cluster, ends.
  Result<void> run(Session& session, std::size_t rank, const CommandContext& context) {
    if (Result<void> added = add(session, rank, context); !added) return added;
    InformerSet& informers = *session.informers;
    const bool is_played = session.connection->player() != nullptr;
    if (is_played) informers.hold_changes();
    informers.start();
    bool goes_on = !command_.informer.sync_timeout || informers.wait_for_sync(sync_deadline_);
    if (goes_on && command_.informer.must_exist) goes_on = all_exist(session, context);
    if (goes_on) {
      tracker_.all_added(rank);
      if (!is_once_) informers.release_changes();
      const bool is_over = informers.wait([&] { return is_played && has_seen_scenario(session); });
      if (is_over) context.exit_request.set(*exit_code_of(tracker_.end()));
    }
    informers.stop();
    return {};
  }
  /// Goes on without a cluster that cannot be read.
  void leave_out(std::size_t rank) { tracker_.leave_out(rank); }

  /// Prints the result. Call it once, after all run() have returned.
  ExitCode finish() {
    const ExitCode code = context_.exit_request.code().value_or(ExitCode::ok);
    const State state = tracker_.state();
    ExitCode written = ExitCode::ok;
    if (exit_code_of(state) == code) {
      if (state == State::met || state == State::timed_out) written = print_met();
      if (state == State::failed) report_failure();
      if (state == State::broken) report(*tracker_.error());
      if (state == State::timed_out) {
        WaitTimeout(tracker_, sessions_, is_once_ || context_.replay != nullptr, context_.clock)
            .report();
      }
    }
    if (command_.informer.stats) {
      for (const Session* session : sessions_) {
        if (session != nullptr) session->informers->print_stats(tracker_.changes());
      }
    }
    return code == ExitCode::ok ? written : code;
  }

 private:
  void judge(const std::stop_token& stop) {
    const std::optional<ExitCode> code = exit_code_of(tracker_.wait(deadline_, is_once_, stop));
    if (code) context_.exit_request.set(*code);
  }

  Result<void> add(Session& session, std::size_t rank, const CommandContext& context) {
    Result<void> added = add_informers(session, command_.informer, needs_of(command_), context);
    if (!added) return added;
    sessions_[rank] = &session;
    return session.informers->add_handlers(
        [this, rank, &session,
         number = std::size_t{0}](InformerSet::Member& member) mutable -> EventHandler& {
          const PlannedInformer& planned = member.planned;
          return tracker_.add(
              {rank, number++, planned.type, session.plan.cluster, planned.ns, planned.name});
        });
  }

  /// Checks --must-exist, once the lists are complete.
  bool all_exist(Session& session, const CommandContext& context) {
    InformerSet& informers = *session.informers;
    if (!informers.wait([&] { return informers.has_synced(); })) return false;
    report_absent(session, command_.informer, context.exit_request);
    return !context.exit_request.code();
  }

  ExitCode print_met() {
    const Result<std::string> text = met_text(tracker_, command_);
    if (text) return write_stdout(*text, &context_.exit_request);
    report(text.error());
    return ExitCode::other_error;
  }

  void report_failure() {
    const WaitTracker::Failure failure = *tracker_.failure();
    report_lines(failure.object.source->cluster,
                 fmt::format("{} failed: {}", kind_name(failure.object),
                             condition_state(*failure.condition, failure.object)),
                 {});
  }

  const WaitCommand& command_;
  const CommandContext& context_;
  const bool is_once_;
  const Clock::Mono deadline_;
  const Clock::Mono sync_deadline_;
  std::vector<Session*> sessions_;  ///< by rank; each is set by its own thread; null: none
  WaitTracker tracker_;
  std::jthread judge_;
};

/// Waits for the objects of several clusters. One that cannot be read is named and left out.
ExitCode wait_on_clusters(const WaitCommand& command, const CommandContext& context,
                          const std::vector<std::string>& names) {
  Mutex mu;
  std::optional<ExitCode> failure;
  std::size_t left = names.size();
  Clusters clusters(names, context);
  WaitRun run(command, context, names.size());
  clusters.run([&](Cluster& cluster) {
    Cluster::Attempt& attempt =
        cluster.attempt(command.global, command.informer, true, run.deadline());
    if (attempt.session) {
      const Result<void> done = run.run(*attempt.session, cluster.rank(), attempt.context);
      if (!done) cluster.fail_attempt(done.error());
    }
    if (context.exit_request.code()) return;  // the command has ended
    const ExitCode code = attempt.exit_request.code().value_or(ExitCode::other_error);
    MutexLock lock(mu);
    if (!failure) failure = code == ExitCode::timed_out ? ExitCode::no_server : code;
    if (--left == 0) return context.exit_request.set(*failure);
    run.leave_out(cluster.rank());
  });
  const ExitCode code = run.finish();
  return code == ExitCode::ok && failure ? *failure : code;
}

}  // namespace

Result<ExitCode> wait_command(const WaitCommand& command, const CommandContext& context) {
  const Result<std::vector<std::string>> contexts =
      chosen_contexts(command.global, context.environment);
  if (!contexts) return std::unexpected(contexts.error());
  if (!contexts->empty()) return wait_on_clusters(command, context, *contexts);
  std::optional<Session> session;
  WaitRun run(command, context, 1);
  Result<Session> opened =
      open_session(command.global, command.informer, true, context, run.deadline());
  if (!opened) return std::unexpected(std::move(opened).error());
  session = *std::move(opened);
  if (Result<void> done = run.run(*session, 0, context); !done) {
    return std::unexpected(std::move(done).error());
  }
  return run.finish();
}

}  // namespace kinf
