// SPDX-License-Identifier: Apache-2.0
// kinf watch: every change of the objects asked for, printed as it comes.
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "kinf/base/log.h"
#include "kinf/cli/commands.h"
#include "kinf/cli/error_report.h"
#include "kinf/cli/event_output.h"
#include "kinf/cli/session.h"

namespace kinf {
namespace {

/// Looks for the objects asked for by name, once their informer knows: an absent one is waited
/// for, or ends the command.
void look_for_absent(Session& session, const InformerFlags& flags, Ending& ending) {
  for (InformerSet::Member& member : session.informers->members()) {
    if (member.planned.name.empty() || member.absence_told || !member.informer->has_synced()) {
      continue;
    }
    member.absence_told = true;
    if (member.informer->indexer().size() > 0) continue;
    if (flags.must_exist) {
      report(absence(member.planned));
      ending.end(ExitCode::not_found);
    } else {
      log::notice("{} \"{}\" not found{}; waiting for it (--must-exist to fail)",
                  member.planned.type->gvr.group_resource(), member.planned.name,
                  member.planned.ns.empty() ? "" : " in namespace " + member.planned.ns);
    }
  }
}

constexpr Clock::Duration kSettlePoll = std::chrono::milliseconds(100);
/// How long the first lists of several informers are waited for, to be laid out as one table.
constexpr Clock::Duration kGatheringTime = std::chrono::seconds(1);

/// Makes the output the handler of every informer.
Result<std::vector<HandlerRegistration>> connect(InformerSet& informers, EventOutput& output,
                                                 bool latest, bool announce) {
  std::vector<HandlerRegistration> registrations;
  // All is printed, and a slow reader holds the informer up; or it is shown what is left of it.
  HandlerOptions delivery;
  delivery.delivery = latest ? Delivery::queued : Delivery::direct;
  delivery.when_full = WhenFull::coalesce;
  for (InformerSet::Member& member : informers.members()) {
    std::function<void()> after_initial;
    if (announce) after_initial = [&] { informers.monitor().announce(member.description); };
    EventHandler& handler = output.handler(*member.planned.type, std::move(after_initial));
    Result<HandlerRegistration> registration =
        member.informer->add_event_handler(handler, delivery);
    if (!registration) return std::unexpected(std::move(registration).error());
    registrations.push_back(*std::move(registration));
  }
  return registrations;
}

/// At the end of --latest: how much was folded for a slow reader.
void tell_folded(InformerSet& informers, bool latest) {
  std::uint64_t folded = 0;
  for (const InformerSet::Member& member : informers.members()) {
    folded += member.informer->stats().folded;
  }
  if (!latest || folded == 0) return;
  log::warning("{} changes were folded into newer ones for a slow reader", with_commas(folded));
}

/// Runs the informers until the end.
void follow(Session& session, EventOutput& output, const WatchCommand& command,
            const Surroundings& around) {
  InformerSet& informers = *session.informers;
  const Clock::Mono started = around.clock.now();
  const Clock::Mono deadline = command.timeout ? started + *command.timeout : Clock::kNever;
  informers.start();
  if (command.informer.sync_timeout && !informers.wait_for_sync(command.informer.sync_timeout)) {
    return;
  }
  // One type that is slow or forbidden must not keep the others from being seen.
  const bool settled = informers.wait(
      [&] {
        look_for_absent(session, command.informer, around.ending);
        return informers.monitor().all_synced() || around.clock.now() - started > kGatheringTime;
      },
      deadline, kSettlePoll);
  if (!settled) return;
  if (!informers.monitor().all_synced()) output.stop_gathering();
  const bool plays = session.connection->sandbox() != nullptr;
  const auto poll = plays ? std::optional(kScenarioPoll) : std::nullopt;
  informers.wait(
      [&] {
        look_for_absent(session, command.informer, around.ending);
        return has_seen_scenario(session);
      },
      deadline, poll);
}

}  // namespace

ExitCode run_watch(const WatchCommand& command, const Surroundings& around) {
  const Clock::Mono first_list_deadline =
      std::min(deadline_after(command.timeout, around.clock),
               deadline_after(command.informer.sync_timeout, around.clock));
  Result<std::unique_ptr<Session>> opened =
      open_session(command.global, command.informer, true, around, first_list_deadline);
  if (!opened) return failed_to_start(opened.error(), around);
  Session& session = **opened;
  EventOutputOptions options;
  options.print = print_options(command.output, command.global, session.plan, around.environment);
  // -o name is for xargs: the event only if asked for.
  options.print.with_events =
      command.output_watch_events.value_or(command.output.format != OutputFormat::name);
  options.watch_only = command.watch_only;
  options.max_events = command.max_events;
  FileWriter stdout_writer(STDOUT_FILENO);
  stdout_writer.widen();
  EventOutput output(options, stdout_writer, around.clock, around.ending);
  const Result<void> done =
      add_informers(session, command.informer, needs_of(command.output), around);
  if (!done) {
    report(done.error());
    return exit_code_for(done.error());
  }
  const auto registrations =
      connect(*session.informers, output, command.latest, around.environment.stderr_is_terminal);
  if (!registrations) {
    report(registrations.error());
    return exit_code_for(registrations.error());
  }
  follow(session, output, command, around);
  session.informers->stop();
  output.finish();
  tell_folded(*session.informers, command.latest);
  if (command.informer.stats) session.informers->print_stats(output.printed());
  return around.ending.code().value_or(ExitCode::ok);
}

}  // namespace kinf
