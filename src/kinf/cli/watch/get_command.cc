// SPDX-License-Identifier: Apache-2.0
// kinf get: prints the synced cache like kubectl get.
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>

#include "kinf/base/log.h"
#include "kinf/cli/connection/connection.h"
#include "kinf/cli/flags/watch_flags.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/cli/session/clusters.h"
#include "kinf/cli/session/informer_needs.h"
#include "kinf/cli/session/informer_set.h"
#include "kinf/cli/watch/object_tree.h"
#include "kinf/cli/watch/owned_objects.h"
#include "kinf/client/api_client.h"
#include "kinf/print/jq_printer.h"
#include "kinf/print/objects_printer.h"
#include "kinf/query/index_groups.h"

namespace kinf {
namespace {

/// Returns the objects of the informers, in their order. `as_rows`: those of each informer in the
/// order of the server's tables.
std::vector<PrintedObjects> gather(const Session& session, bool as_rows) {
  std::vector<PrintedObjects> all;
  for (const InformerSet::Member& member : session.informers->members()) {
    const ResourceType* const type = member.planned.type;
    if (all.empty() || all.back().resource != type) {
      all.push_back({type, {}, session.plan.cluster});
    }
    std::vector<ObjectPtr> found = member.objects();
    // Sort within one informer only. Each requested name has its own informer, so names stay in
    // the requested order.
    sort_by_key(found);
    if (as_rows) sort_rows(*type, found);
    std::vector<ObjectPtr>& objects = all.back().objects;
    objects.insert(objects.end(), found.begin(), found.end());
  }
  return all;
}

/// Returns the objects of several clusters: type by type, in the order of the first cluster.
std::vector<PrintedObjects> gather(const std::vector<const Session*>& sessions, bool as_rows) {
  if (sessions.size() == 1) return gather(*sessions.front(), as_rows);
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
  const ExitCode left_out = left_out_code(sessions);
  const bool is_expected = any_absent || left_out != ExitCode::ok || command.ignore_not_found;
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
  if (left_out != ExitCode::ok) return left_out;
  return any_absent && !command.ignore_not_found ? ExitCode::not_found : ExitCode::ok;
}

/// Prints the objects of a session with what they own.
Result<ExitCode> print_tree(const Session& session, const PrintOptions& options,
                            const GetCommand& command, Clock::Mono deadline,
                            const CommandContext& context) {
  std::vector<ObjectPtr> roots;
  for (PrintedObjects& one : gather(session, true))
    std::ranges::move(one.objects, std::back_inserter(roots));
  const bool any_absent = report_not_found(session, command.ignore_not_found);
  ExitCode code = left_out_code({&session});
  if (!roots.empty()) {
    const ExitTimer timer(context.exit_request, context.clock, deadline);
    const Result<OwnedObjects> owned =
        owned_objects(*session.connection, session.plan, context.exit_request.stop_token());
    if (context.exit_request.code()) return *context.exit_request.code();
    if (!owned) return fail(owned);
    const ExitCode written =
        write_stdout(tree_text(tree_rows(roots, owned->objects), options, context.clock.wall()),
                     &context.exit_request);
    if (written != ExitCode::ok) return written;
    if (!owned->unread.empty()) {
      log::notice("not searched: {}", fmt::join(owned->unread, ", "));
      if (code == ExitCode::ok) {
        code = owned->only_denied ? ExitCode::denied : ExitCode::other_error;
      }
    }
  } else if (!any_absent) {
    print_nothing_found(session.plan);
  }
  if (code != ExitCode::ok) return code;
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
  if (command.tree && clusters.are_several()) {
    return fail(ErrorKind::usage, "--tree cannot be used with several contexts");
  }
  if (command.tree) {
    return print_tree(*sessions.front(), options, command, deadline, context);
  }
  options.with_cluster = clusters.are_several();
  options.with_namespace = options.with_namespace || clusters.have_different_namespaces();
  Result<ExitCode> code = print_state(sessions, options, command, deadline, context);
  if (!code) return code;
  return clusters.with_failure(*code);
}

// get --raw and --subresource: single requests, without an informer.

namespace {

/// Returns the number of bytes at the end of `text` that may be the begin of a UTF-8 character.
std::size_t open_bytes(std::string_view text) {
  for (std::size_t size = 1; size <= std::min<std::size_t>(3, text.size()); ++size) {
    const auto byte = static_cast<unsigned char>(text[text.size() - size]);
    if (byte < 0x80) return 0;
    if (byte < 0xC0) continue;  // not the first byte of a character
    const std::size_t needed = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    return size < needed ? size : 0;
  }
  return 0;
}

Result<void> check_single_context(const GlobalFlags& global, const CommandContext& context,
                                  std::string_view flag) {
  const auto contexts = chosen_contexts(global, context.environment);
  if (!contexts) return fail(contexts);
  if (contexts->empty()) return {};
  return fail(ErrorKind::usage, "--context takes one name with {}", flag);
}

/// Requests the subresource of one object. Blocks on the request.
Result<ObjectPtr> read_subresource(ApiClient& client, const PlannedInformer& planned,
                                   const SubresourceCommand& command, const std::stop_token& stop) {
  if (planned.name.empty()) {
    return fail(ErrorKind::usage, "subresource cannot be used when bulk resources are specified")
        .with_hint("name an object: kinf get deploy/web --subresource=scale");
  }
  const InformerNeeds needs = needs_of(static_cast<const GetCommand&>(command));
  HttpSource source{.type = *planned.type, .ns = planned.ns, .name = planned.name};
  source.keep_managed_fields = needs.keep_managed_fields;
  source.trim = needs.trim;
  return client.get_subresource(source, command.subresource, command.informer.request_timeout,
                                stop);
}

/// Returns the type of an object, such as Scale, which differs from that of its subresource's
/// owner.
ResourceType type_of(const Object& object, const ResourceType& owner) {
  ResourceType type = owner;
  const std::string_view version = object.api_version();
  const std::size_t slash = version.find('/');
  const bool has_group = slash != std::string_view::npos;
  type.gvr.group = has_group ? version.substr(0, slash) : "";
  type.gvr.version = has_group ? version.substr(slash + 1) : version;
  type.kind = object.kind();
  return type;
}

}  // namespace

Result<ExitCode> run_command(const RawCommand& command, const CommandContext& context) {
  if (auto one = check_single_context(command.global, context, "--raw"); !one) return fail(one);
  const auto connection = Connection::open(command.global, {.play_scenario = false},
                                           context.environment, context.clock, context.stop);
  if (!connection) return fail(connection);
  const Result<std::unique_ptr<ApiClient>> client = (*connection)->new_client();
  if (!client) return fail(client);
  FileWriter writer(STDOUT_FILENO, &context.exit_request);
  std::string held;  // the end of a piece, if it is inside a character
  const auto write = [&](std::string_view bytes) {
    held += bytes;
    const std::size_t open = open_bytes(held);
    const bool written = writer.write(std::string_view(held).substr(0, held.size() - open));
    held.erase(0, held.size() - open);
    return written;
  };
  const Result<void> done = (*client)->stream(
      {.path = command.uri, .silence_limit = command.request_timeout}, write, context.stop);
  writer.write(held);
  if (const ExitCode code = writer.exit_code(); code != ExitCode::ok) return code;
  if (!done) return fail(done);
  return ExitCode::ok;
}

Result<ExitCode> run_command(const SubresourceCommand& command, const CommandContext& context) {
  Result<void> one = check_single_context(command.global, context, "--subresource");
  if (!one) return fail(one);
  const Clock::Mono deadline = deadline_after(command.timeout, context.clock);
  const ExitTimer timer(context.exit_request, context.clock, deadline);
  Result<Session> session =
      open_session(command.global, command.informer, false, context, deadline, PlanTypes::all);
  if (!session) return fail(session);
  const Result<std::unique_ptr<ApiClient>> client = session->connection->new_client();
  if (!client) return fail(client);
  std::deque<ResourceType> kinds;
  std::vector<PrintedObjects> types;
  bool any_absent = false;
  for (const PlannedInformer& planned : session->plan.informers) {
    Result<ObjectPtr> object = read_subresource(**client, planned, command, context.stop);
    if (!object && object.error().kind != ErrorKind::not_found) return fail(object);
    if (!object) {
      if (!command.ignore_not_found) report(object.error());
      any_absent = true;
      continue;
    }
    ResourceType type = type_of(**object, *planned.type);
    if (kinds.empty() || !(kinds.back() == type)) kinds.push_back(std::move(type));
    types.push_back({&kinds.back(), {*std::move(object)}});
  }
  session->status.reset();
  const SortScope scope = command.output.is_table() ? SortScope::table : SortScope::all;
  if (auto sorted = sort_objects(types, command.output.sort, scope); !sorted) return fail(sorted);
  const ExitCode code =
      any_absent && !command.ignore_not_found ? ExitCode::not_found : ExitCode::ok;
  if (types.empty()) return code;
  const PrintOptions options =
      print_options(command.output, command.global, session->plan, context.environment);
  FileWriter writer(STDOUT_FILENO, &context.exit_request);
  if (prints_colours(options)) writer.keep_colours();
  const Result<std::size_t> damaged = print_objects(types, options, !session->plan.single_object,
                                                    context.clock.wall(), [&](std::string& text) {
                                                      writer.write(text);
                                                      text.clear();
                                                    });
  if (!damaged) return fail(damaged);
  if (const ExitCode written = writer.exit_code(); written != ExitCode::ok) return written;
  return *damaged > 0 ? ExitCode::other_error : code;
}

}  // namespace kinf
