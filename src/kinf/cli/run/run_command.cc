// SPDX-License-Identifier: Apache-2.0
// kinf run: runs a program for every changed object. Informers add the keys of changed objects to a
// work queue; workers remove them and run the program.
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "kinf/base/duration.h"
#include "kinf/base/log.h"
#include "kinf/cli/connection/connection.h"
#include "kinf/cli/flags/run_flags.h"
#include "kinf/cli/run/object_command.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/session/clusters.h"
#include "kinf/cli/session/informer_set.h"
#include "kinf/recording/state/state_saver.h"

namespace kinf {
namespace {

/// Adds the changes of one informer to the queue.
class QueueHandler final : public EventHandler {
 public:
  /// What to call for --state: before each change, and after the initial list. May be empty.
  struct Hooks {
    std::function<void()> changing{};
    std::function<void()> synced{};
  };
  QueueHandler(RunController& runs, const ResourceType& type, bool no_initial, std::string cluster,
               StateSaver* state, Hooks hooks)
      : runs_(runs),
        type_(type),
        no_initial_(no_initial),
        cluster_(std::move(cluster)),
        state_(state),
        hooks_(std::move(hooks)) {}

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
  void on_synced(const SyncedEvent&) override {
    if (hooks_.synced) hooks_.synced();
  }

 private:
  void take(const Change& change) {
    if (hooks_.changing && change.type != ChangeType::resync) hooks_.changing();
    runs_.changed({&type_, change.key, cluster_}, change);
  }

  RunController& runs_;
  const ResourceType& type_;
  const bool no_initial_;
  const std::string cluster_;
  StateSaver* const state_;  ///< null without --state
  const Hooks hooks_;
};

PendingChanges::Matters matters(const UpdateFilter& filter) {
  if (filter.passes_all()) return {};
  return [filter](const Object& old_object, const Object& object) {
    return filter.passes(old_object, object);
  };
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
  /// Makes the threads start no further commands.
  void stop() { stop_.request_stop(); }

 private:
  std::stop_source stop_;
  std::vector<std::jthread> threads_;
};

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
              has_given_up_ = true;
              if (command_.fail_fast) context_.exit_request.set(ExitCode::condition);
            }) {}

  /// Adds the informers of the session and their handlers.
  Result<void> add(Session& session, const CommandContext& context) {
    Result<void> added = add_informers(session, command_.informer, needs_of(command_), context);
    if (!added) return added;
    InformerSet& informers = *session.informers;
    if (informers.state() != nullptr) state_ = informers.state();
    return informers.add_handlers([&](InformerSet::Member& member) -> EventHandler& {
      QueueHandler::Hooks hooks;
      if (state_ != nullptr) {
        hooks.changing = [this, scope = member.scope] { forget_version(scope); };
        hooks.synced = [this, scope = member.scope] { state_->completed(scope); };
        informers.monitor().add_delivery_hook(*member.observer,
                                              [this, scope = member.scope](const Delivered& last) {
                                                delivered(scope, last.resource_version);
                                              });
      }
      MutexLock lock(mu_);
      return *handlers_.emplace_back(
          std::make_unique<QueueHandler>(runs_, *member.planned.type, command_.no_initial,
                                         session.plan.cluster, state_, std::move(hooks)));
    });
  }
  /// Calls `work`, during which the workers run commands. Then waits for the commands that still
  /// run.
  void run(const std::function<void()>& work) {
    Workers workers(runs_, command_.concurrency, context_.exit_request);
    work();
    workers.stop();
    const Clock::Mono start = context_.clock.now();
    const Clock::Mono deadline = start + command_.drain;
    if (!runs_.drain(std::min(start + kSilence, deadline))) {
      if (command_.drain > kSilence) report_running();
      runs_.drain(deadline);
    }
    kill_.request_stop();
    if (runs_.has_delivered_all()) save_versions();
  }
  RunController& controller() { return runs_; }

 private:
  /// How long to wait at the end without a word.
  static constexpr Clock::Duration kSilence = std::chrono::seconds(1);

  /// Notes the version up to which the informer of a scope has delivered everything.
  void delivered(std::size_t scope, const std::string& version) {
    {
      MutexLock lock(mu_);
      delivered_[scope] = version;
    }
    if (runs_.is_idle()) save_versions();
  }

  void forget_version(std::size_t scope) {
    MutexLock lock(mu_);
    delivered_.erase(scope);
  }

  /// Notes in the state from which versions the next start continues. Call it when all changes that
  /// were delivered were handled.
  void save_versions() {
    if (state_ == nullptr || has_given_up_) return;
    MutexLock lock(mu_);
    for (const auto& [scope, version] : delivered_) state_->reached(scope, version);
  }

  /// Logs what the command waits for at its end.
  void report_running() {
    constexpr std::size_t kShownKeys = 3;
    MutexLock lock(mu_);
    if (running_.empty()) return;
    std::vector<std::string> shown(running_.begin(), running_.end());
    if (shown.size() > kShownKeys) {
      shown.resize(kShownKeys);
      shown.push_back(fmt::format("{} more", running_.size() - kShownKeys));
    }
    log::notice("run: waiting up to {} for the commands of {}; a second Ctrl-C ends kinf at once",
                duration_text(command_.drain), fmt::join(shown, ", "));
  }

  /// Runs the program for a batch of changes. If that succeeds, records the changes in the state.
  std::optional<std::string> launch(const std::vector<RunItem>& batch) {
    const std::string& name = batch.front().key.key;
    {
      MutexLock lock(mu_);
      running_.insert(name);
    }
    std::optional<std::string> failure = program_->run(batch, kill_.get_token());
    {
      MutexLock lock(mu_);
      running_.erase(running_.find(name));
    }
    if (failure || state_ == nullptr) return failure;
    for (const RunItem& item : batch) state_->changed(*item.key.type, item.change);
    return failure;
  }

  const RunCommand& command_;
  const CommandContext& context_;
  const std::unique_ptr<ObjectCommand> program_;
  std::stop_source kill_;
  RunController runs_;
  StateSaver* state_ = nullptr;             ///< set before the first run; null without --state
  std::atomic<bool> has_given_up_ = false;  ///< a change was not handled; the next start repeats it
  Mutex mu_;
  /// By scope: the version up to which everything was delivered. Empty without --state.
  std::map<std::size_t, std::string> delivered_ KINF_GUARDED_BY(mu_);
  std::vector<std::unique_ptr<QueueHandler>> handlers_ KINF_GUARDED_BY(mu_);
  /// The key of the first object of each command that runs now.
  std::multiset<std::string> running_ KINF_GUARDED_BY(mu_);
};

/// Fills the queue from one cluster until the command ends or stops using this cluster.
void fill_queue(Run& run, CommandCluster& cluster, bool limits_lists, const RunCommand& command,
                Clock::Mono sync_deadline) {
  Session& session = cluster.session();
  InformerSet& informers = *session.informers;
  informers.start();
  if (!limits_lists || informers.wait_for_sync(sync_deadline)) {
    if (wait_for_end(session, command.informer, cluster.context().exit_request)) {
      informers.stop();  // delivers all changes to the queue
      informers.wait([&] { return run.controller().is_idle(); });
    }
  }
  informers.stop();
}

}  // namespace

Result<ExitCode> run_command(const RunCommand& command, const CommandContext& context) {
  const Clock::Mono sync_deadline = deadline_after(command.informer.sync_timeout, context.clock);
  Result<std::unique_ptr<Clusters>> opened = Clusters::create(
      {.global = command.global, .flags = command.informer, .deadline = sync_deadline}, context);
  if (!opened) return fail(opened);
  Clusters& clusters = **opened;
  // With several clusters, no session is open yet. Each run then gets the name of its own cluster,
  // and messages name the type if several types are requested.
  const Session* const only = clusters.are_several() ? nullptr : &clusters.all().front()->session();
  const std::string cluster = only != nullptr ? only->connection->config().context : "";
  const bool shows_secrets =
      command.show_secrets && (only == nullptr || !only->plan.secrets_masked);
  auto program = ObjectCommand::create({.command = command.command,
                                        .environment = context.environment.all,
                                        .cluster = cluster,
                                        .as_batch = command.as_batch,
                                        .show_secrets = shows_secrets,
                                        .timeout = command.command_timeout},
                                       context.clock);
  if (!program) return fail(program);
  const bool name_types =
      only != nullptr ? only->plan.several_types() : command.informer.types.size() > 1;
  Run run(command, *std::move(program), name_types, context);
  const bool limits_lists = command.informer.sync_timeout && only != nullptr;
  Result<void> done;
  run.run([&] {
    done = clusters.keep_running([&](CommandCluster& one) {
      Result<void> added = run.add(one.session(), one.context());
      if (added) fill_queue(run, one, limits_lists, command, sync_deadline);
      return added;
    });
  });
  if (!done) return fail(done);
  bool saved = true;
  for (Session* session : clusters.sessions()) {
    saved = session->informers->save_state() && saved;
    if (command.informer.stats) session->informers->print_stats(0);
  }
  const ExitCode code = context.exit_request.code().value_or(ExitCode::ok);
  return code == ExitCode::ok && !saved ? ExitCode::other_error : code;
}

}  // namespace kinf
