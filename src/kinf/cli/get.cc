// SPDX-License-Identifier: Apache-2.0
// kinf get: prints the synced cache like kubectl get.
#include <unistd.h>

#include "kinf/cli/commands.h"
#include "kinf/cli/error_report.h"
#include "kinf/cli/file_writer.h"
#include "kinf/cli/session.h"
#include "kinf/print/jq_printer.h"
#include "kinf/print/objects_printer.h"
#include "kinf/query/index_groups.h"

namespace kinf {
namespace {

/// Returns the objects of each type from all its informers.
std::vector<PrintedObjects> gather(Session& session) {
  std::vector<PrintedObjects> all;
  for (const auto& type : session.plan.types) {
    PrintedObjects objects{type.get(), {}};
    for (InformerSet::Member& member : session.informers->members()) {
      if (member.planned.type != type.get()) continue;
      std::vector<ObjectPtr> found = member.objects();
      // Sort within one informer only. Each requested name has its own informer, so names stay in
      // the requested order.
      sort_by_key(found);
      objects.objects.insert(objects.objects.end(), found.begin(), found.end());
    }
    all.push_back(std::move(objects));
  }
  return all;
}

bool report_absent(Session& session) {
  bool any = false;
  for (InformerSet::Member& member : session.informers->members()) {
    if (member.planned.name.empty() || member.informer->indexer().size() > 0) continue;
    report(not_found_error(session, member.planned));
    any = true;
  }
  return any;
}

std::size_t count(const std::vector<PrintedObjects>& types) {
  std::size_t total = 0;
  for (const PrintedObjects& type : types) total += type.objects.size();
  return total;
}

/// Writes the results of --jq for the document that -o json prints.
Result<> write_jq(const std::vector<PrintedObjects>& types, const PrintOptions& options,
                  bool as_list, const WatchCommand& command, const CommandContext& context,
                  FileWriter& writer) {
  std::string document;
  print_objects(types, options, as_list, context.clock.wall(), [&](std::string& text) {
    document += text;
    text.clear();
  });
  std::string results;
  Result<> done = append_jq(
      results, {command.output.jq, context.stop, context.environment.stdout_is_terminal}, document);
  writer.write(results);
  if (!done) return std::unexpected(std::move(done).error().within("--jq"));
  return {};
}

Result<ExitCode> print_state(Session& session, const WatchCommand& command,
                             const CommandContext& context) {
  const PrintOptions options =
      print_options(command.output, command.global, session.plan, context.environment);
  const std::vector<PrintedObjects> types = gather(session);
  if (context.exit_request.code()) return *context.exit_request.code();
  const bool any_absent = report_absent(session);
  const bool is_document =
      options.format == OutputFormat::json || options.format == OutputFormat::yaml;
  const bool as_list = !session.plan.single_object;
  if (count(types) == 0 && !any_absent && !is_document) print_nothing_found(session.plan);
  if (count(types) > 0 || (is_document && as_list && !any_absent)) {
    FileWriter writer(STDOUT_FILENO, &context.exit_request);
    Result<> failure;
    if (command.output.jq) {
      failure = write_jq(types, options, as_list, command, context, writer);
    } else {
      print_objects(types, options, as_list, context.clock.wall(), [&](std::string& text) {
        writer.write(text);
        text.clear();
      });
    }
    if (context.exit_request.code()) return *context.exit_request.code();
    if (!failure) return std::unexpected(std::move(failure).error());
    if (const ExitCode code = writer.exit_code(); code != ExitCode::ok) return code;
  }
  if (command.informer.stats) session.informers->print_stats(count(types));
  return any_absent ? ExitCode::not_found : ExitCode::ok;
}

}  // namespace

Result<ExitCode> get_command(const WatchCommand& command, const CommandContext& context) {
  const ExitTimer timer(context.exit_request, context.clock,
                        deadline_after(command.timeout, context.clock));
  const Clock::Mono deadline = deadline_after(
      command.informer.sync_timeout.value_or(InformerSet::kSyncTimeout), context.clock);
  Result<Session> session =
      open_session(command.global, command.informer, false, context, deadline);
  if (!session) return std::unexpected(std::move(session).error());
  if (Result<void> added = add_informers(*session, command.informer,
                                         needs_of(command, session->plan.several_types()), context);
      !added) {
    return std::unexpected(std::move(added).error());
  }
  session->informers->start();
  const bool synced = session->informers->wait_for_sync(deadline);
  session->informers->stop();
  if (!synced) return *context.exit_request.code();
  return print_state(*session, command, context);
}

}  // namespace kinf
