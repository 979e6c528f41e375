// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "kinf/api/api_status.h"
#include "kinf/cli/error_report.h"
#include "kinf/cli/file_writer.h"

namespace kinf {
namespace {

bool wants_colour(const GlobalFlags& global, const Environment& environment) {
  if (global.colour != ColourChoice::automatic) return global.colour == ColourChoice::always;
  if (environment.no_colour) return false;
  return environment.force_colour || (environment.stdout_is_terminal && !environment.dumb_terminal);
}

}  // namespace

Result<std::unique_ptr<Session>> open_session(const GlobalFlags& global, const InformerFlags& flags,
                                              bool play, const Surroundings& around,
                                              Clock::Mono deadline) {
  auto session = std::make_unique<Session>();
  Result<std::unique_ptr<Connection>> connection = Connection::open(
      global, {flags.request_timeout, play}, around.environment, around.clock, around.stop);
  if (!connection) return std::unexpected(std::move(connection).error());
  session->connection = *std::move(connection);
  Result<WatchPlan> plan = make_plan(*session->connection, global, flags, deadline);
  if (!plan) {
    if (flags.wait_for_type && around.clock.now() >= deadline) {
      around.ending.end(ExitCode::timed_out);
    }
    return std::unexpected(std::move(plan).error());
  }
  session->plan = *std::move(plan);
  return session;
}

ExitCode failed_to_start(const Error& error, const Surroundings& around) {
  if (error.kind != ErrorKind::stopped) report(error);
  return around.ending.code().value_or(exit_code_for(error));
}

Clock::Mono deadline_after(const std::optional<Clock::Duration>& limit, const Clock& clock) {
  return limit ? clock.now() + *limit : Clock::kNever;
}

Result<void> add_informers(Session& session, const InformerFlags& flags, const InformerNeeds& needs,
                           const Surroundings& around) {
  MonitorOptions monitor;
  monitor.retry_forbidden = flags.retry_forbidden;
  monitor.wait_for_type = flags.wait_for_type;
  monitor.network_hint = session.connection->network_hint();
  const bool has_namespace = !session.plan.where().empty();
  if (has_namespace && session.plan.namespaces.size() == 1)
    monitor.ns = session.plan.namespaces.front();
  Result<std::unique_ptr<InformerSet>> informers = InformerSet::create(
      *session.connection, session.plan, flags, needs, monitor, around.clock, around.ending);
  if (!informers) return std::unexpected(std::move(informers).error());
  session.informers = *std::move(informers);
  return {};
}

bool has_seen_scenario(Session& session) {
  const LocalSandbox* sandbox = session.connection->sandbox();
  return sandbox != nullptr && sandbox->is_over() &&
         std::ranges::all_of(session.informers->members(), [&](const auto& member) {
           return sandbox->has_all(member.informer->indexer().last_store_sync_resource_version()) &&
                  member.informer->stats().backlog == 0;
         });
}

InformerNeeds needs_of(const OutputFlags& output) {
  InformerNeeds needs;
  switch (output.format) {
    case OutputFormat::table:
    case OutputFormat::wide:
      needs.representation = Representation::table;
      needs.form = ObjectForm::metadata;
      break;
    case OutputFormat::name:
      needs.representation = Representation::metadata;
      needs.form = ObjectForm::metadata;
      break;
    case OutputFormat::json:
    case OutputFormat::yaml:
      needs.keep_managed_fields = output.show_managed_fields;
      break;
  }
  return needs;
}

PrintOptions print_options(const OutputFlags& output, const GlobalFlags& global,
                           const WatchPlan& plan, const Environment& environment) {
  PrintOptions options;
  options.format = output.format;
  options.with_namespace = plan.several_namespaces();
  options.several_types = plan.several_types();
  options.headers = !output.no_headers;
  options.show_labels = output.show_labels;
  options.label_columns = output.label_columns;
  options.show_secrets = output.show_secrets;
  options.colour = wants_colour(global, environment);
  return options;
}

Error absence(const PlannedInformer& planned) {
  ApiStatus status;
  status.code = 404;
  status.reason = "NotFound";
  status.message =
      fmt::format("{} \"{}\" not found", planned.type->gvr.group_resource(), planned.name);
  return to_error(std::move(status));
}

void say_nothing_found(const WatchPlan& plan) {
  const std::string where = plan.where();
  FileWriter(STDERR_FILENO)
      .write("No resources found" + (where.empty() ? "" : " in " + where + ".") + "\n");
}

}  // namespace kinf
