// SPDX-License-Identifier: Apache-2.0
// kinf get: prints the synced cache like kubectl get.
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "kinf/cli/flags/watch_flags.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/cli/session/clusters.h"
#include "kinf/cli/session/informer_set.h"
#include "kinf/print/jq_printer.h"
#include "kinf/print/objects_printer.h"
#include "kinf/query/index_groups.h"

namespace kinf {
namespace {

/// Returns the objects of each type, from all informers of the type. `as_rows`: in the order of the
/// server's tables.
std::vector<PrintedObjects> gather(const Session& session, bool as_rows) {
  std::vector<PrintedObjects> all;
  for (const auto& type : session.plan.types) {
    PrintedObjects objects{type.get(), {}, session.plan.cluster};
    for (const InformerSet::Member& member : session.informers->members()) {
      if (member.planned.type != type.get()) continue;
      std::vector<ObjectPtr> found = member.objects();
      // Sort within one informer only. Each requested name has its own informer, so names stay in
      // the requested order.
      sort_by_key(found);
      if (as_rows) sort_rows(*type, found);
      objects.objects.insert(objects.objects.end(), found.begin(), found.end());
    }
    all.push_back(std::move(objects));
  }
  return all;
}

/// Returns the objects of several clusters: type by type, in the order of the first cluster.
std::vector<PrintedObjects> gather(const std::vector<const Session*>& sessions, bool as_rows) {
  std::vector<PrintedObjects> all;
  for (const Session* session : sessions) {
    std::vector<PrintedObjects> own = gather(*session, as_rows);
    all.insert(all.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  }
  std::map<std::string, std::size_t> ranks;
  const auto rank = [&](const PrintedObjects& objects) {
    return ranks.emplace(objects.resource->gvr.group_resource(), ranks.size()).first->second;
  };
  for (const PrintedObjects& objects : all) rank(objects);
  std::ranges::stable_sort(all, {}, rank);
  return all;
}

/// Reports the named objects that are absent. Returns whether there are any.
bool report_not_found(const Session& session, bool ignore) {
  bool any = false;
  for (const InformerSet::Member& member : session.informers->members()) {
    const bool is_there = member.informer->indexer().size() > 0;
    if (member.planned.name.empty() || is_there || session.informers->has_left_out(member)) {
      continue;
    }
    if (!ignore) report(not_found_error(session, member.planned), session.plan.cluster);
    any = true;
  }
  return any;
}

/// Counts the objects of a cluster, or of all clusters if `cluster` is null.
std::size_t count(const std::vector<PrintedObjects>& types, const std::string* cluster = nullptr) {
  std::size_t total = 0;
  for (const PrintedObjects& type : types) {
    if (cluster == nullptr || type.cluster == *cluster) total += type.objects.size();
  }
  return total;
}

/// Writes the results of --jq for the document that -o json prints. Returns the number of damaged
/// objects.
Result<std::size_t> write_jq(const std::vector<PrintedObjects>& types, const PrintOptions& options,
                             bool as_list, const GetCommand& command, const CommandContext& context,
                             FileWriter& writer) {
  const auto document = objects_text(types, options, as_list, context.clock.wall());
  if (!document) return fail(document);
  std::string results;
  Result<void> done =
      append_jq(results, {command.output.jq, context.stop, context.environment.stdout_is_terminal},
                document->text);
  writer.write(results);
  if (!done) return fail(std::move(done).error().within("--jq"));
  return document->damaged;
}

/// Prints the objects of the sessions. `sessions` must not be empty. `deadline` is the one of
/// --sync-timeout.
Result<ExitCode> print_state(const std::vector<const Session*>& sessions, PrintOptions options,
                             const GetCommand& command, Clock::Mono deadline,
                             const CommandContext& context) {
  std::vector<PrintedObjects> types;
  select_in_time([&] { types = gather(sessions, options.has_cells()); }, command.informer, deadline,
                 context);
  if (context.exit_request.code()) return *context.exit_request.code();
  // As in kubectl, each table is sorted separately. In other formats, all objects are sorted
  // together.
  Result<void> sorted = sort_objects(types, command.output.sort,
                                     command.output.is_table() ? SortScope::table : SortScope::all);
  if (!sorted) return fail(sorted);
  bool any_absent = false;
  for (const Session* session : sessions) {
    any_absent = report_not_found(*session, command.ignore_not_found) || any_absent;
  }
  // kubectl prints an empty List, or the headers of custom columns.
  const bool prints_empty = options.is_document() || options.jsonpath || options.columns;
  const bool as_list = sessions.size() > 1 || !sessions.front()->plan.single_object;
  const bool any_denied = has_left_out_any(sessions);
  const bool is_expected = any_absent || any_denied || command.ignore_not_found;
  if (count(types) == 0 && !is_expected && !prints_empty) {
    print_nothing_found(sessions.front()->plan);
  }
  std::size_t damaged = 0;
  if (count(types) > 0 || (prints_empty && as_list && !command.ignore_not_found)) {
    FileWriter writer(STDOUT_FILENO, &context.exit_request);
    if (prints_colours(options)) writer.keep_colours();
    Result<std::size_t> done;
    if (command.output.jq) {
      done = write_jq(types, options, as_list, command, context, writer);
    } else {
      done = print_objects(types, options, as_list, context.clock.wall(), [&](std::string& text) {
        writer.write(text);
        text.clear();
      });
    }
    if (context.exit_request.code()) return *context.exit_request.code();
    if (!done) return fail(done);
    damaged = *done;
    if (const ExitCode code = writer.exit_code(); code != ExitCode::ok) return code;
  }
  if (command.informer.stats) {
    for (const Session* session : sessions) {
      session->informers->print_stats(count(types, &session->plan.cluster));
    }
  }
  if (damaged > 0) return ExitCode::other_error;
  if (any_denied) return ExitCode::denied;
  return any_absent && !command.ignore_not_found ? ExitCode::not_found : ExitCode::ok;
}

/// Reads one cluster. The exit code is set if an initial list is not complete.
Result<void> read_cluster(CommandCluster& cluster, const GetCommand& command,
                          Clock::Mono deadline) {
  Session& session = cluster.session();
  Result<void> added =
      add_informers(session, command.informer, needs_of(command), cluster.context());
  if (!added) return added;
  session.informers->start();
  session.informers->wait_for_sync(deadline);
  session.informers->stop();
  return {};
}

}  // namespace

Result<ExitCode> run_command(const GetCommand& command, const CommandContext& context) {
  const ExitTimer timer(context.exit_request, context.clock,
                        deadline_after(command.timeout, context.clock));
  const Clock::Mono deadline = deadline_after(
      command.informer.sync_timeout.value_or(InformerSet::kSyncTimeout), context.clock);
  auto opened = Clusters::create({command.global, command.informer, false, deadline}, context);
  if (!opened) return fail(opened);
  Clusters& clusters = **opened;
  const Result<void> read = clusters.run(
      [&](CommandCluster& cluster) { return read_cluster(cluster, command, deadline); });
  if (!read) return fail(read);
  if (context.exit_request.code()) return *context.exit_request.code();
  std::vector<const Session*> sessions;
  for (CommandCluster* cluster : clusters.readable()) sessions.push_back(&cluster->session());
  if (sessions.empty()) return *clusters.failure();
  PrintOptions options =
      print_options(command.output, command.global, sessions.front()->plan, context.environment);
  options.with_cluster = clusters.are_several();
  options.with_namespace = options.with_namespace || clusters.have_different_namespaces();
  Result<ExitCode> code = print_state(sessions, options, command, deadline, context);
  if (!code) return code;
  return clusters.with_failure(*code);
}

}  // namespace kinf
