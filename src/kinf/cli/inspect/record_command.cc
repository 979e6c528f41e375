// SPDX-License-Identifier: Apache-2.0
// kinf record: writes every version of the selected objects to a recording until interrupted.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kinf/base/duration.h"
#include "kinf/base/log.h"
#include "kinf/base/number_text.h"
#include "kinf/cli/connection/connection.h"
#include "kinf/cli/flags/inspect_flags.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/session/informer_set.h"
#include "kinf/cli/session/session.h"
#include "kinf/recording/recorder.h"

namespace kinf {
namespace {

/// Wakes the command when an informer has delivered all its changes. Records nothing itself:
/// InformerSet::register_handler() puts the handler of the recorder before this one.
class WakingHandler final : public EventHandler {
 public:
  explicit WakingHandler(ExitRequest& exit_request) : exit_request_(exit_request) {}
  void on_add(const Change&) override {}
  void on_update(const Change&) override {}
  void on_delete(const Change&) override {}
  void on_idle() override { exit_request_.notify(); }

 private:
  ExitRequest& exit_request_;
};

/// Returns `recording deploy,po of shop to incident.kinf`, or `recording all types except events to
/// …`.
std::string subject(const RecordCommand& command, const WatchPlan& plan) {
  std::vector<std::string> types;
  for (const RequestedType& type : command.informer.types) {
    types.push_back(command.informer.all_types ? "all types" : type.type);
  }
  const std::vector<std::string>& except = command.informer.except;
  if (!except.empty()) types.back() += fmt::format(" except {}", fmt::join(except, ","));
  const std::string where =
      plan.where().empty() ? "" : fmt::format(" of {}", fmt::join(plan.namespaces, ","));
  return fmt::format("recording {}{} to {}", fmt::join(types, ","), where,
                     command.informer.record.file);
}

std::string summary(const RecordingTotals& totals) {
  return fmt::format("{}, {}, {}, {}", counted(totals.objects, "object"),
                     counted(totals.versions, "event"), size_text(totals.bytes),
                     totals.gaps == 0 ? "no gap" : counted(totals.gaps, "gap"));
}

Result<ExitCode> record(const RecordCommand& command, const CommandContext& context) {
  const ExitTimer timer(context.exit_request, context.clock,
                        deadline_after(command.duration, context.clock));
  const Clock::Mono sync_deadline = deadline_after(command.informer.sync_timeout, context.clock);
  Result<Session> session =
      open_session(command.global, command.informer, true, context, sync_deadline);
  if (!session) return fail(session);
  Result<std::unique_ptr<Recorder>> recorder =
      open_recorder(*session->connection, command.informer.record, context.clock,
                    [&] { context.exit_request.set(ExitCode::other_error); });
  if (!recorder) return fail(recorder);
  SessionStores stores;
  stores.recorder = *std::move(recorder);  // records everything that the informers deliver
  Result<void> ready =
      add_informers(*session, command.informer, needs_of(command), context, std::move(stores));
  if (!ready) return fail(ready);
  InformerSet& informers = *session->informers;
  WakingHandler handler(context.exit_request);
  ready = informers.add_handlers([&](InformerSet::Member&) -> EventHandler& { return handler; });
  if (!ready) return fail(ready);
  const std::string what = subject(command, session->plan);
  informers.start();
  bool synced = false;
  const auto has_ended = [&] {
    if (!synced && informers.has_synced()) {
      synced = true;
      log::notice("{}", what);
    }
    report_absent(*session, command.informer, context.exit_request);
    return informers.has_handled_last_change();
  };
  if (!command.informer.sync_timeout || informers.wait_for_sync(sync_deadline)) {
    informers.wait(has_ended);
  }
  informers.stop();
  log::notice("{}: {}", what, summary(informers.recorder()->totals()));
  if (command.informer.stats) informers.print_stats(informers.recorder()->totals().versions);
  if (informers.recorder()->has_failed()) return ExitCode::other_error;
  const ExitCode code = context.exit_request.code().value_or(ExitCode::ok);
  if (code != ExitCode::timed_out || !command.duration) return code;
  if (synced || informers.has_synced()) return ExitCode::ok;
  return fail(ErrorKind::unavailable, "no initial list within {}: {}",
              duration_text(*command.duration), fmt::join(informers.monitor().unsynced(), "; "));
}

}  // namespace

Result<ExitCode> run_command(const RecordCommand& command, const CommandContext& context) {
  Result<ExitCode> code = record(command, context);
  if (code || code.error().kind != ErrorKind::stopped || !command.duration ||
      context.exit_request.code() != ExitCode::timed_out) {
    return code;
  }
  return fail(ErrorKind::unavailable, "no initial list within {}",
              duration_text(*command.duration));
}

}  // namespace kinf
