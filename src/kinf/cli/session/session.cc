// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/session.h"

#include <fmt/format.h>

#include "kinf/base/log.h"
#include "kinf/base/visible_text.h"
#include "kinf/cli/flags/output_flags.h"
#include "kinf/cli/selection/memberships.h"
#include "kinf/print/event_printer.h"
#include "kinf/print/object_document.h"
#include "kinf/recording/recorder.h"
#include "kinf/recording/state/state_saver.h"

namespace kinf {
namespace {

/// Returns a status line that shows that kinf waits for the server. Null if stderr is not a
/// terminal, or with --quiet or --log-format=json.
std::unique_ptr<StatusLine> make_status(const GlobalFlags& global, const InformerFlags& flags,
                                        const CommandContext& context) {
  const Environment& environment = context.environment;
  const bool wanted = environment.stderr_is_terminal && !environment.dumb_terminal &&
                      !global.quiet && !global.log_json;
  if (!wanted) return nullptr;
  const bool may_wait_for_type = flags.wait_for_type;  // a wait for a type logs a notice instead
  const auto text = [may_wait_for_type,
                     doing = Connection::opening_text(global)](Clock::Duration waited) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(waited).count();
    return std::optional<std::string>(may_wait_for_type ? ""
                                                        : fmt::format("{}, {} s…", doing, seconds));
  };
  return std::make_unique<StatusLine>(context.clock, text, draw_on_stderr);
}

/// Shows the progress of the initial lists until all are complete.
void show_lists(Session& session) {
  if (session.status == nullptr) return;
  const auto progress = std::make_shared<ListProgress>(session.connection->origin());
  const InformerMonitor& monitor = session.informers->monitor();
  session.status->follow([progress, &monitor](Clock::Duration waited) {
    const std::vector<RunningList> lists = monitor.running_lists();
    return lists.empty() ? std::nullopt : std::optional(progress->text(lists, waited));
  });
}

/// Opens the recording and the state that the flags name, unless `stores` already has them.
Result<SessionStores> open_stores(Session& session, const InformerFlags& flags, Clock& clock,
                                  SessionStores stores) {
  if (!stores.recorder && !flags.record.file.empty()) {
    auto recorder = open_recorder(*session.connection, flags.record, clock);
    if (!recorder) return fail(recorder);
    stores.recorder = *std::move(recorder);
  }
  if (!stores.state && !flags.state.file.empty()) {
    auto state = open_state(*session.connection, session.plan, flags, clock);
    if (!state) return fail(state);
    stores.state = *std::move(state);
  }
  return stores;
}

}  // namespace

Result<Session> open_session(const GlobalFlags& global, const InformerFlags& flags, bool play,
                             const CommandContext& context, Clock::Mono deadline, PlanTypes types) {
  const ConnectionNeeds needs{
      .request_timeout = flags.request_timeout,
      .retry_forbidden = flags.retry_forbidden,
      .play_scenario = play,
      .on_scenario_end = [&exit_request = context.exit_request] { exit_request.notify(); },
      .replay = context.replay};
  const ExitTimer timer(context.exit_request, context.clock, deadline);
  std::unique_ptr<StatusLine> status = make_status(global, flags, context);
  Result<std::unique_ptr<Connection>> connection =
      Connection::open(global, needs, context.environment, context.clock, context.stop);
  if (!connection) return fail(connection);
  Result<WatchPlan> plan = make_plan(**connection, global, flags, deadline, types);
  if (!plan) {
    Error error = std::move(plan).error();
    if (flags.wait_for_type && context.clock.now() >= deadline) {
      context.exit_request.set(ExitCode::timed_out);
    } else if (!flags.wait_for_type && context.exit_request.code() == ExitCode::timed_out) {
      error = Error(ErrorKind::unavailable,
                    fmt::format("no answer from {} in time", (*connection)->config().host));
    }
    return fail(std::move(error));
  }
  Result<std::unique_ptr<Memberships>> memberships =
      Memberships::create(**connection, flags, plan->informer_namespaces(), !play, context.clock);
  if (!memberships) return fail(memberships);
  plan->memberships = *std::move(memberships);
  plan->secrets_masked = (*connection)->masks_secrets();
  Session session;
  session.connection = *std::move(connection);
  session.plan = *std::move(plan);
  session.status = std::move(status);
  return session;
}

Clock::Mono deadline_after(const std::optional<Clock::Duration>& limit, const Clock& clock) {
  return limit ? clock.now() + *limit : Clock::kNever;
}

Result<void> add_informers(Session& session, const InformerFlags& flags, const InformerNeeds& needs,
                           const CommandContext& context, SessionStores stores) {
  Result<SessionStores> opened = open_stores(session, flags, context.clock, std::move(stores));
  if (!opened) return fail(opened);
  if (flags.all_types) {
    if (Result<void> ended = end_lost_types(*opened, *session.connection); !ended) return ended;
  }
  Result<std::unique_ptr<InformerSet>> informers = InformerSet::create(
      {*session.connection, session.plan, flags, needs, context}, *std::move(opened));
  if (!informers) return fail(informers);
  session.informers = *std::move(informers);
  show_lists(session);
  return needs.list_only ? Result<void>() : session.informers->follow_namespaces();
}

bool wait_for_end(Session& session, const InformerFlags& flags, ExitRequest& exit_request) {
  return session.informers->wait([&] {
    report_absent(session, flags, exit_request);
    return session.informers->has_handled_last_change();
  });
}

TerminalWidth shown_width(const OutputFlags& output, const Environment& environment) {
  TerminalWidth width = stdout_width(environment);
  if (width && output.no_truncate) return [] { return std::size_t{0}; };
  return width;
}

PrintOptions print_options(const OutputFlags& output, const GlobalFlags& global,
                           const WatchPlan& plan, const Environment& environment) {
  PrintOptions options;
  static_cast<ShowOptions&>(options) = output;
  options.with_namespace = plan.several_namespaces() && plan.has_namespaced_types();
  options.several_types = plan.several_types();
  options.headers = !output.no_headers;
  options.show_secrets = output.show_secrets && !plan.secrets_masked;
  options.colour = wants_colour(global, environment);
  options.terminal_width = shown_width(output, environment);
  add_dates(options);
  if (plan.reads_masked_secrets()) set_masked_in_recording();
  return options;
}

bool prints_colours(const PrintOptions& options) {
  return options.colour &&
         (options.format == OutputFormat::table || options.format == OutputFormat::wide);
}

void select_in_time(const std::function<void()>& select, const InformerFlags& flags,
                    Clock::Mono deadline, const CommandContext& context) {
  const bool is_limited = flags.where != nullptr && flags.sync_timeout.has_value();
  {
    const ExitTimer timer(context.exit_request, context.clock,
                          is_limited ? deadline : Clock::kNever);
    select();
  }
  if (is_limited && context.exit_request.code() == ExitCode::timed_out &&
      context.clock.now() >= deadline) {
    log::error("error: --where has not selected all objects in time");
  }
}

bool has_left_out_any(const std::vector<const Session*>& sessions) {
  return left_out_code(sessions) != ExitCode::ok;
}

ExitCode left_out_code(const std::vector<const Session*>& sessions) {
  ExitCode code = ExitCode::ok;
  for (const Session* session : sessions) {
    const InformerSet& informers = *session->informers;
    for (const InformerSet::Member& member : informers.members()) {
      if (!informers.has_left_out(member)) continue;
      if (!informers.is_denied(member)) return ExitCode::other_error;
      code = ExitCode::denied;
    }
  }
  return code;
}

void print_nothing_found(const WatchPlan& plan) {
  const std::string where = visible_line(plan.where());  // may be a flag
  log::write_stderr("No resources found" + (where.empty() ? "" : " in " + where + ".") + "\n");
}

}  // namespace kinf
