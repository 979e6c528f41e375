// SPDX-License-Identifier: Apache-2.0
// kinf run: runs a program for every changed object. Informers add the keys of changed objects to a
// work queue; workers remove them and run the program.
#include <algorithm>
#include <thread>

#include "kinf/cli/commands.h"
#include "kinf/cli/object_command.h"
#include "kinf/cli/session.h"

namespace kinf {
namespace {

/// Adds the changes of one informer to the queue.
class QueueHandler final : public EventHandler {
 public:
  QueueHandler(RunController& runs, const ResourceType& type, bool no_initial)
      : runs_(runs), type_(type), no_initial_(no_initial) {}

  void on_add(const Change& change) override {
    if (!no_initial_ || !change.initial) return take(change);
    runs_.set_delivered({&type_, change.key}, change);
  }
  void on_update(const Change& change) override { take(change); }
  void on_delete(const Change& change) override { take(change); }

 private:
  void take(const Change& change) { runs_.changed({&type_, change.key}, change); }

  RunController& runs_;
  const ResourceType& type_;
  const bool no_initial_;
};

PendingChanges::Matters matters(const UpdateFilter& filter) {
  if (filter.passes_all()) return {};
  return [filter](const Object& old_object, const Object& object) {
    return filter.passes(old_object, object);
  };
}

ObjectCommandOptions command_options(const RunCommand& command, const Session& session,
                                     const Environment& environment) {
  ObjectCommandOptions options;
  options.command = command.command;
  options.environment = environment.all;
  options.cluster = session.connection->config().context;
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
void wait_for_end(Session& session, RunController& runs) {
  InformerSet& informers = *session.informers;
  if (!informers.wait([&] { return has_seen_scenario(session); })) return;
  informers.stop();  // delivers all changes to the queue
  informers.wait([&] { return runs.is_idle(); });
}

}  // namespace

Result<ExitCode> run_command(const RunCommand& command, const CommandContext& context) {
  const Clock::Mono sync_deadline = deadline_after(command.informer.sync_timeout, context.clock);
  Result<Session> session =
      open_session(command.global, command.informer, true, context, sync_deadline);
  if (!session) return std::unexpected(std::move(session).error());
  const Result<std::unique_ptr<ObjectCommand>> program =
      ObjectCommand::create(command_options(command, *session, context.environment), context.clock);
  if (!program) return std::unexpected(program.error());

  std::stop_source kill;
  RunController runs(
      command.limits, context.clock, matters(command.filter),
      [&](const std::vector<RunItem>& batch) { return (*program)->run(batch, kill.get_token()); },
      session->plan.several_types(),
      [&] {
        if (command.fail_fast) context.exit_request.set(ExitCode::condition);
      });

  std::vector<std::unique_ptr<QueueHandler>> handlers;
  Result<void> ready = add_informers(*session, command.informer, needs_of(command), context);
  if (!ready) return std::unexpected(std::move(ready).error());
  InformerSet& informers = *session->informers;
  ready = informers.add_handlers([&](InformerSet::Member& member) -> EventHandler& {
    return *handlers.emplace_back(
        std::make_unique<QueueHandler>(runs, *member.planned.type, command.no_initial));
  });
  if (!ready) return std::unexpected(std::move(ready).error());
  Workers workers(runs, command.concurrency, context.exit_request);
  informers.start();
  const bool goes_on = !command.informer.sync_timeout || informers.wait_for_sync(sync_deadline);
  if (goes_on) wait_for_end(*session, runs);
  informers.stop();
  workers.stop();
  runs.drain(context.clock.now() + command.drain);
  kill.request_stop();
  if (command.informer.stats) informers.print_stats(0);
  return context.exit_request.code().value_or(ExitCode::ok);
}

}  // namespace kinf
