// SPDX-License-Identifier: Apache-2.0
// kinf wait: blocks until the objects satisfy the conditions.
#include <fmt/format.h>

#include <thread>

#include "kinf/base/log.h"
#include "kinf/cli/flags/wait_flags.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/cli/session/clusters.h"
#include "kinf/cli/session/informer_set.h"
#include "kinf/cli/wait/wait_report.h"

namespace kinf {
namespace {

using State = WaitTracker::State;

/// Returns the exit code of a state; nullopt for State::waiting.
std::optional<ExitCode> exit_code_of(State state) {
  constexpr std::pair<State, ExitCode> kCodes[] = {{State::met, ExitCode::ok},
                                                   {State::failed, ExitCode::condition},
                                                   {State::broken, ExitCode::other_error},
                                                   {State::timed_out, ExitCode::timed_out}};
  for (const auto& [one, code] : kCodes) {
    if (one == state) return code;
  }
  return std::nullopt;
}

/// The deadlines of a command.
struct WaitTimes {
  WaitTimes(const WaitCommand& command, const Clock& clock)
      : start(clock.now()),
        is_once(command.timeout == Clock::Duration::zero()),
        deadline(start + (is_once
                              ? command.informer.sync_timeout.value_or(InformerSet::kSyncTimeout)
                              : command.timeout)),
        sync_deadline(deadline_after(command.informer.sync_timeout, clock)) {}

  Clock::Mono start;
  bool is_once;  ///< true: checks once, when the initial lists are complete
  Clock::Mono deadline;
  Clock::Mono sync_deadline;
};

/// Waits on one or more clusters, and reports the result.
class WaitRun {
 public:
  WaitRun(const WaitCommand& command, const WaitTimes& times, const CommandContext& context,
          std::size_t clusters)
      : command_(command),
        times_(times),
        context_(context),
        sessions_(clusters),
        tracker_(command.goal, clusters, context.clock, context.stop),
        judge_([this](const std::stop_token& stop) { judge(stop); }) {}

  /// Runs the informers of one cluster until the command ends or stops using this cluster.
  Result<void> run(CommandCluster& cluster) {
    Session& session = cluster.session();
    const CommandContext& context = cluster.context();
    if (Result<void> fine = check_rollouts(command_.goal, session.plan); !fine) return fine;
    if (Result<void> added = add(session, cluster.rank(), context); !added) return added;
    InformerSet& informers = *session.informers;
    informers.hold_changes();  // affects only a replay
    show_progress(session);
    informers.start();
    bool goes_on = !command_.informer.sync_timeout || informers.wait_for_sync(times_.sync_deadline);
    if (goes_on && command_.informer.must_exist) goes_on = all_exist(session, context);
    if (goes_on) {
      tracker_.all_added(cluster.rank());
      if (!times_.is_once) informers.release_changes();
      // Stop after the last change of a recording. Do not stop after the end of a sandbox scenario,
      // because the objects of a server can still change.
      const bool is_over = informers.wait(
          [&] { return informers.is_replay() && informers.has_handled_last_change(); });
      if (is_over) context.exit_request.set(*exit_code_of(tracker_.end()));
    }
    informers.stop();
    session.status.reset();
    return {};
  }
  /// Continues without a cluster that cannot be read.
  void leave_out(std::size_t rank) { tracker_.leave_out(rank); }

  /// Prints the result. Call it once, after all run() have returned.
  ExitCode finish() {
    const ExitCode code = context_.exit_request.code().value_or(ExitCode::ok);
    const State state = tracker_.state();
    ExitCode written = ExitCode::ok;
    if (exit_code_of(state) == code) {
      if (state == State::met || state == State::timed_out) {
        written = print_met();
        if (command_.has_output && moments() != Moments::none) log_moments(tracker_, moments());
      }
      if (state == State::met) note_rollouts();
      if (state == State::failed) report_failure();
      if (state == State::broken) report(*tracker_.error());
      if (state == State::timed_out) {
        const bool is_once = times_.is_once || context_.replay != nullptr;
        report_timeout(tracker_, sessions_, is_once, context_.clock);
      }
    }
    if (code == ExitCode::interrupted || code == ExitCode::terminated) note_interruption();
    if (command_.informer.stats) {
      for (const Session* session : sessions_) {
        if (session != nullptr) session->informers->print_stats(tracker_.changes());
      }
    }
    return code == ExitCode::ok ? written : code;
  }

 private:
  void judge(const std::stop_token& stop) {
    const std::optional<ExitCode> code =
        exit_code_of(tracker_.wait(times_.deadline, times_.is_once, stop));
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

  Moments moments() const {
    if (context_.replay == nullptr || sessions_.front() == nullptr) return Moments::none;
    return sessions_.front()->informers->has_recorded_times() ? Moments::times : Moments::versions;
  }

  ExitCode print_met() {
    const Result<std::string> text = met_text(tracker_, command_, moments());
    if (text) return write_stdout(*text, &context_.exit_request);
    report(text.error());
    return ExitCode::other_error;
  }

  /// Shows on a terminal what is awaited, once the progress of the initial lists is over.
  void show_progress(Session& session) {
    if (session.status == nullptr) return;
    const auto progress = std::make_shared<ListProgress>(session.connection->origin());
    const InformerMonitor& monitor = session.informers->monitor();
    session.status->follow([this, progress, &monitor](Clock::Duration waited) {
      const std::vector<RunningList> lists = monitor.running_lists();
      if (!lists.empty()) return std::optional(progress->text(lists, waited));
      const bool is_over = tracker_.state() != State::waiting;
      return is_over ? std::nullopt
                     : std::optional(progress_text(tracker_, waited, context_.clock.wall()));
    });
  }

  /// Logs what was awaited when a signal ended the command.
  void note_interruption() {
    const std::string text =
        progress_text(tracker_, context_.clock.now() - times_.start, context_.clock.wall());
    if (!text.empty()) log::notice("wait: interrupted while {}", text);
  }

  void note_rollouts() {
    if (const std::string note = rollout_note(tracker_); !note.empty()) log::notice("{}", note);
  }

  void report_failure() {
    const WaitTracker::Failure failure = *tracker_.failure();
    report_lines(failure.object.source->cluster,
                 fmt::format("{} failed: {}", kind_name(failure.object),
                             condition_state(*failure.condition, failure.object)),
                 pod_reasons(failure.object, *sessions_[failure.object.source->cluster_rank]));
  }

  const WaitCommand& command_;
  const WaitTimes times_;
  const CommandContext& context_;
  /// The session of each cluster, by its rank. Null until the thread of the cluster has opened it.
  std::vector<Session*> sessions_;
  WaitTracker tracker_;
  std::jthread judge_;
};

/// Excludes unreadable clusters from the wait, and keeps the exit code of the first one.
class Unreadable {
 public:
  Unreadable(WaitRun& run, std::size_t clusters, ExitRequest& exit_request)
      : run_(run), left_(clusters), exit_request_(exit_request) {}

  /// Called when the command stops using a cluster. Leaves the cluster out, or ends the command if
  /// none is left.
  void ended(const CommandCluster& cluster) {
    if (exit_request_.code()) return;  // the command has ended
    const ExitCode code = cluster.code().value_or(ExitCode::other_error);
    MutexLock lock(mu_);
    if (!first_) first_ = code == ExitCode::timed_out ? ExitCode::no_server : code;
    if (--left_ == 0) return exit_request_.set(*first_);
    run_.leave_out(cluster.rank());
  }
  /// Returns `code`. If it is ok and a cluster was left out, returns the exit code of the first
  /// such cluster.
  ExitCode code_after(ExitCode code) {
    MutexLock lock(mu_);
    return code == ExitCode::ok ? first_.value_or(code) : code;
  }

 private:
  WaitRun& run_;
  std::size_t left_ KINF_GUARDED_BY(mu_);
  ExitRequest& exit_request_;
  Mutex mu_;
  std::optional<ExitCode> first_ KINF_GUARDED_BY(mu_);
};

}  // namespace

Result<ExitCode> run_command(const WaitCommand& command, const CommandContext& context) {
  const WaitTimes times(command, context.clock);
  Result<std::unique_ptr<Clusters>> opened = Clusters::create(
      {.global = command.global, .flags = command.informer, .deadline = times.deadline}, context);
  if (!opened) return fail(opened);
  Clusters& clusters = **opened;
  WaitRun run(command, times, context, clusters.size());
  Unreadable unreadable(run, clusters.size(), context.exit_request);
  const Result<void> done =
      clusters.run([&](CommandCluster& cluster) { return run.run(cluster); },
                   [&](const CommandCluster& cluster) { unreadable.ended(cluster); });
  if (!done) return fail(done);
  return unreadable.code_after(run.finish());
}

}  // namespace kinf
