// SPDX-License-Identifier: Apache-2.0
// kinf run: runs a program for every changed object. Informers add the keys of changed objects to a
// work queue; workers remove them and run the program.
#include <algorithm>
#include <thread>

#include "kinf/cli/run/object_command.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/session/clusters.h"
#include "kinf/cli/session/session.h"

namespace kinf {
namespace {

/// Adds the changes of one informer to the queue.
class QueueHandler final : public EventHandler {
 public:
  /// `synced` is called after the initial list.
  QueueHandler(RunController& runs, const ResourceType& type, bool no_initial, std::string cluster,
               StateSaver* state, std::function<void()> synced)
      : runs_(runs),
        type_(type),
        no_initial_(no_initial),
        cluster_(std::move(cluster)),
        state_(state),
        synced_(std::move(synced)) {}

  void on_add(const Change& change) override {
    if (!no_initial_ || !change.initial) return take(change);
    on_known(change);
    if (state_ != nullptr) state_->changed(type_, change);
  }
  void on_update(const Change& change) override { take(change); }
  void on_delete(const Change& change) override { take(change); }
  void on_known(const Change& known) override {
    runs_.set_delivered({&type_, known.key, cluster_}, known);
  }
  void on_synced(const SyncedEvent& event) override {
    (void)event;
    if (synced_) synced_();
  }

 private:
  void take(const Change& change) { runs_.changed({&type_, change.key, cluster_}, change); }

  RunController& runs_;
  const ResourceType& type_;
  const bool no_initial_;
  const std::string cluster_;
  StateSaver* const state_;  ///< null: no --state
  const std::function<void()> synced_;
};

PendingChanges::Matters matters(const UpdateFilter& filter) {
  if (filter.passes_all()) return {};
  return [filter](const Object& old_object, const Object& object) {
    return filter.passes(old_object, object);
  };
}

ObjectCommandOptions command_options(const RunCommand& command, const std::string& cluster,
                                     const Environment& environment) {
  ObjectCommandOptions options;
  options.command = command.command;
  options.environment = environment.all;
  options.cluster = cluster;
  options.as_batch = command.as_batch;
  options.show_secrets = command.show_secrets;
  options.timeout = command.command_timeout;
  return options;
}

/// Threads that run commands. The destructor waits until running commands have ended.
class Workers {
 public:
  Workers(RunController& runs, int count, ExitRequest& exit_request) {
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([&runs, &exit_request, stop = stop_.get_token()] {
        while (runs.work(stop)) exit_request.notify();
      });
    }
  }
  ~Workers() { stop(); }
  /// Starts no further commands.
  void stop() { stop_.request_stop(); }

 private:
  std::stop_source stop_;
  std::vector<std::jthread> threads_;
};

/// Waits for a signal, or until a sandbox scenario has ended and its changes are processed.
void wait_for_end(Session& session, const RunCommand& command, RunController& runs,
                  ExitRequest& exit_request) {
  InformerSet& informers = *session.informers;
  const auto has_ended = [&] {
    report_absent(session, command.informer, exit_request);
    return has_seen_scenario(session);
  };
  if (!informers.wait(has_ended)) return;
  informers.stop();  // delivers all changes to the queue
  informers.wait([&] { return runs.is_idle(); });
}

/// The queue, the program that it runs, and the handlers that fill it.
class Run {
 public:
  Run(const RunCommand& command, std::unique_ptr<ObjectCommand> program, bool name_types,
      const CommandContext& context)
      : command_(command),
        context_(context),
        program_(std::move(program)),
        runs_(
            command.limits, context.clock, matters(command.filter),
            [this](const std::vector<RunItem>& batch) { return launch(batch); }, name_types,
            [this] {
              if (command_.fail_fast) context_.exit_request.set(ExitCode::condition);
            }) {}

  /// Adds the informers of the session and their handlers.
  Result<void> add(Session& session, const CommandContext& context) {
    Result<void> added = add_informers(session, command_.informer, needs_of(command_), context);
    if (!added) return added;
    InformerSet& informers = *session.informers;
    if (informers.state() != nullptr) state_ = informers.state();
    return informers.add_handlers([&](InformerSet::Member& member) -> EventHandler& {
      std::function<void()> synced;
      if (state_ != nullptr) {
        synced = [this, scope = static_cast<std::size_t>(&member - informers.members().data())] {
          state_->completed(scope);
        };
      }
      MutexLock lock(mu_);
      return *handlers_.emplace_back(
          std::make_unique<QueueHandler>(runs_, *member.planned.type, command_.no_initial,
                                         session.plan.cluster, state_, std::move(synced)));
    });
  }
  /// Runs commands while `work` runs; then waits for those that have started.
  void run(const std::function<void()>& work) {
    Workers workers(runs_, command_.concurrency, context_.exit_request);
    work();
    workers.stop();
    runs_.drain(context_.clock.now() + command_.drain);
    kill_.request_stop();
  }
  RunController& controller() { return runs_; }

 private:
  /// Runs the program, and saves what it has handled.
  std::optional<std::string> launch(const std::vector<RunItem>& batch) {
    std::optional<std::string> failure = program_->run(batch, kill_.get_token());
    if (failure || state_ == nullptr) return failure;
    for (const RunItem& item : batch) state_->changed(*item.key.type, item.change);
    return failure;
  }

  const RunCommand& command_;
  const CommandContext& context_;
  const std::unique_ptr<ObjectCommand> program_;
  std::stop_source kill_;
  RunController runs_;
  StateSaver* state_ = nullptr;  ///< set before the first run; null: no --state
  Mutex mu_;
  std::vector<std::unique_ptr<QueueHandler>> handlers_ KINF_GUARDED_BY(mu_);
};

/// Fills the queue from several clusters. A cluster that is away is tried again.
void run_on_clusters(Run& run, Clusters& clusters, const RunCommand& command,
                     Clock::Mono sync_deadline) {
  clusters.keep_running([&](Cluster& cluster) {
    Cluster::Attempt& attempt =
        cluster.attempt(command.global, command.informer, true, sync_deadline);
    if (!attempt.session) return;
    if (const Result<void> added = run.add(*attempt.session, attempt.context); !added) {
      return cluster.fail_attempt(added.error());
    }
    InformerSet& informers = *attempt.session->informers;
    informers.start();
    informers.wait([&] {
      report_absent(*attempt.session, command.informer, attempt.context.exit_request);
      return false;
    });
    if (informers.monitor().all_synced()) cluster.set_working();
    informers.stop();
    if (command.informer.stats) informers.print_stats(0);
  });
}

}  // namespace

Result<ExitCode> run_command(const RunCommand& command, const CommandContext& context) {
  const Clock::Mono sync_deadline = deadline_after(command.informer.sync_timeout, context.clock);
  const Result<std::vector<std::string>> contexts =
      chosen_contexts(command.global, context.environment);
  if (!contexts) return std::unexpected(contexts.error());
  std::optional<Session> session;
  if (contexts->empty()) {
    Result<Session> opened =
        open_session(command.global, command.informer, true, context, sync_deadline);
    if (!opened) return std::unexpected(std::move(opened).error());
    session = *std::move(opened);
  }
  const std::string cluster = session ? session->connection->config().context : "";
  Result<std::unique_ptr<ObjectCommand>> program =
      ObjectCommand::create(command_options(command, cluster, context.environment), context.clock);
  if (!program) return std::unexpected(std::move(program).error());
  const bool name_types =
      session ? session->plan.several_types() : command.informer.types.size() > 1;
  Run run(command, *std::move(program), name_types, context);
  if (!session) {
    Clusters clusters(*contexts, context);
    run.run([&] { run_on_clusters(run, clusters, command, sync_deadline); });
    return context.exit_request.code().value_or(ExitCode::ok);
  }
  if (Result<void> added = run.add(*session, context); !added) {
    return std::unexpected(std::move(added).error());
  }
  InformerSet& informers = *session->informers;
  run.run([&] {
    informers.start();
    const bool goes_on = !command.informer.sync_timeout || informers.wait_for_sync(sync_deadline);
    if (goes_on) wait_for_end(*session, command, run.controller(), context.exit_request);
    informers.stop();
  });
  const bool saved = informers.save_state();
  if (command.informer.stats) informers.print_stats(0);
  const ExitCode code = context.exit_request.code().value_or(ExitCode::ok);
  return code == ExitCode::ok && !saved ? ExitCode::other_error : code;
}

}  // namespace kinf
