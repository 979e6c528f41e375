// SPDX-License-Identifier: Apache-2.0
// kinf run: a program for every changed object, through a work queue: informers put in what
// changed, workers take it out and start the program.
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "kinf/cli/commands.h"
#include "kinf/cli/object_command.h"
#include "kinf/cli/session.h"

namespace kinf {
namespace {

constexpr Clock::Duration kDrainPoll = std::chrono::milliseconds(10);

/// Names the objects of all informers for one queue: `0 default/web` is of the first type.
class ItemNames {
 public:
  explicit ItemNames(const WatchPlan& plan) : plan_(plan) {}

  std::string item(const ResourceType& type, std::string_view key) const {
    std::size_t number = 0;
    while (plan_.types[number].get() != &type) ++number;
    return fmt::format("{} {}", number, key);
  }
  const ResourceType& type(const std::string& item) const {
    return *plan_.types[std::stoul(item.substr(0, item.find(' ')))];
  }
  static std::string key(const std::string& item) { return item.substr(item.find(' ') + 1); }
  /// For messages.
  std::string text(const std::string& item) const {
    if (!plan_.several_types()) return key(item);
    return type(item).gvr.group_resource() + " " + key(item);
  }

 private:
  const WatchPlan& plan_;
};

/// Puts what one informer tells into the queue.
class QueueHandler final : public EventHandler {
 public:
  QueueHandler(ObjectRuns& runs, const ItemNames& names, const ResourceType& type, bool no_initial)
      : runs_(runs), names_(names), type_(type), no_initial_(no_initial) {}

  void on_add(const Change& change) override {
    if (!no_initial_ || !change.initial) return take(change);
    runs_.take_as_told(names_.item(type_, change.key), change);
  }
  void on_update(const Change& change) override { take(change); }
  void on_delete(const Change& change) override { take(change); }

 private:
  void take(const Change& change) { runs_.changed(names_.item(type_, change.key), change); }

  ObjectRuns& runs_;
  const ItemNames& names_;
  const ResourceType& type_;
  const bool no_initial_;
};

InformerNeeds needs_of(const RunCommand& command) {
  InformerNeeds needs;
  needs.keep_managed_fields = command.show_managed_fields;
  // Several changes of one object since it was looked at last are one: that is what it folds.
  needs.queue = QueueKind::delta;
  return needs;
}

/// With --changed: an update counts if something stands at one of the paths that did not before.
ChangedObjects::Matters matters(const std::vector<IndexSpec>& paths) {
  if (paths.empty()) return {};
  return [paths](const Object& old_object, const Object& object) {
    return std::ranges::any_of(paths, [&](const IndexSpec& path) {
      return path.occurrences(old_object) != path.occurrences(object);
    });
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

/// Workers from the start of the informers until all is over.
class Workers {
 public:
  Workers(ObjectRuns& runs, int count) {
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([&runs, stop = stop_.get_token()] {
        while (runs.work(stop)) {
        }
      });
    }
  }
  ~Workers() { stop_.request_stop(); }
  /// Nothing new is begun.
  void stop_taking() { stop_.request_stop(); }

 private:
  std::stop_source stop_;
  std::vector<std::jthread> threads_;
};

/// Lets what runs come to its end, for as long as it may, then ends it.
void drain(ObjectRuns& runs, Workers& workers, std::stop_source& kill, Clock::Duration patience,
           Clock& clock) {
  workers.stop_taking();
  runs.begin_drain();
  const Clock::Mono deadline = clock.now() + patience;
  while (!runs.is_drained() && clock.now() < deadline) {
    sleep_until(clock, clock.now() + kDrainPoll, {});
  }
  kill.request_stop();
}

/// Waits for a signal, or until the commands have seen all of a scenario.
void wait_for_end(Session& session, ObjectRuns& runs) {
  InformerSet& informers = *session.informers;
  const LocalSandbox* sandbox = session.connection->sandbox();
  const auto poll = sandbox != nullptr ? std::optional(kScenarioPoll) : std::nullopt;
  const auto has_come = [&](const InformerSet::Member& member) {
    return sandbox->has_all(member.informer->last_sync_resource_version()) &&
           member.informer->stats().queued == 0;
  };
  const bool is_over = informers.wait(
      [&] {
        return sandbox != nullptr && sandbox->is_over() &&
               std::ranges::all_of(informers.members(), has_come);
      },
      Clock::kNever, poll);
  if (!is_over) return;
  informers.stop();  // what was being handed to the queue is in it then
  informers.wait([&] { return runs.is_idle(); }, Clock::kNever, poll);
}

Result<ExitCode> run_for_objects(const RunCommand& command, const Surroundings& around) {
  Result<std::unique_ptr<Session>> opened =
      open_session(command.global, command.informer, true, around,
                   deadline_after(command.informer.sync_timeout, around.clock));
  if (!opened) return std::unexpected(std::move(opened).error());
  Session& session = **opened;
  const Result<std::unique_ptr<ObjectCommand>> program =
      ObjectCommand::create(command_options(command, session, around.environment), around.clock);
  if (!program) return std::unexpected(program.error());

  const ItemNames names(session.plan);
  std::stop_source kill;
  const auto launch = [&](const std::vector<RunItem>& batch) {
    std::vector<ObjectCommand::Item> items;
    for (const RunItem& one : batch) {
      items.push_back({&names.type(one.item), &one});
    }
    return (*program)->run(items, kill.get_token());
  };
  ObjectRuns runs(
      command.limits, around.clock, matters(command.changed), launch,
      [&](const std::string& item) { return names.text(item); },
      [&] {
        if (command.fail_fast) around.ending.end(ExitCode::condition);
      });

  std::vector<std::unique_ptr<QueueHandler>> handlers;
  std::vector<HandlerRegistration> registrations;
  if (auto added = add_informers(session, command.informer, needs_of(command), around); !added) {
    return std::unexpected(std::move(added).error());
  }
  HandlerOptions direct;
  direct.delivery = Delivery::direct;
  for (InformerSet::Member& member : session.informers->members()) {
    handlers.push_back(
        std::make_unique<QueueHandler>(runs, names, *member.planned.type, command.no_initial));
    auto registration = member.informer->add_event_handler(*handlers.back(), direct);
    if (!registration) return std::unexpected(std::move(registration).error());
    registrations.push_back(*std::move(registration));
  }
  Workers workers(runs, command.concurrency);
  session.informers->start();
  const bool goes_on = !command.informer.sync_timeout ||
                       session.informers->wait_for_sync(command.informer.sync_timeout);
  if (goes_on) wait_for_end(session, runs);
  session.informers->stop();
  drain(runs, workers, kill, command.drain, around.clock);
  if (command.informer.stats) session.informers->print_stats(0);
  return around.ending.code().value_or(ExitCode::ok);
}

}  // namespace

ExitCode run_run(const RunCommand& command, const Surroundings& around) {
  const Result<ExitCode> code = run_for_objects(command, around);
  if (code) return *code;
  return failed_to_start(code.error(), around);
}

}  // namespace kinf
