// SPDX-License-Identifier: Apache-2.0
// kinf index: queries the synced, indexed cache of one type, or prints its changes.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <optional>

#include "kinf/base/log.h"
#include "kinf/base/visible_text.h"
#include "kinf/cli/clusters.h"
#include "kinf/cli/commands.h"
#include "kinf/cli/error_report.h"
#include "kinf/cli/file_writer.h"
#include "kinf/cli/index_output.h"
#include "kinf/cli/index_query.h"
#include "kinf/cli/index_watch.h"
#include "kinf/print/secret_mask.h"

namespace kinf {
namespace {

/// Replaces short type names in owner values.
Result<void> resolve_owner_types(Connection& connection, std::vector<IndexSpec>& specs) {
  for (IndexSpec& spec : specs) {
    const bool is_owner =
        spec.source() == IndexSpec::Source::owner || spec.source() == IndexSpec::Source::root;
    if (!is_owner || !spec.value()) continue;
    Result<ValuePattern> owner = resolve_owner(connection, *spec.value());
    if (!owner) return std::unexpected(std::move(owner).error());
    spec.set_value(*std::move(owner));
  }
  return {};
}

/// Rejects a --by whose groups would print values of Secrets without --show-secrets.
Result<void> check_secrets(const IndexCommand& command, const ResourceType& type) {
  if (command.output.show_secrets || !is_secret_type(type)) return {};
  for (const IndexSpec& spec : command.by) {
    if (!spec.may_show_secrets()) continue;
    Error error(ErrorKind::usage,
                fmt::format("--by {} would print values of Secrets", spec.name()));
    error.hint = "add --show-secrets to print them";
    return std::unexpected(std::move(error));
  }
  return {};
}

/// Returns true if the output format prints something for an empty answer, such as `0` or `[]`.
bool prints_if_nothing(const IndexCommand& command) {
  const OutputFlags& output = command.output;
  return command.count || output.is_document() || output.format == OutputFormat::json_lines ||
         output.jsonpath;
}

/// Prints the answers, of which there is one for each session, and hints if there is no match in
/// any of them.
Result<ExitCode> print_parts(const std::vector<IndexPart>& parts,
                             const std::vector<const Session*>& sessions,
                             const IndexCommand& command, const CommandContext& context) {
  if (context.exit_request.code()) return *context.exit_request.code();
  const bool nothing =
      std::ranges::all_of(parts, [](const IndexPart& part) { return part.answer.objects.empty(); });
  const WatchPlan& plan = sessions.front()->plan;
  PrintOptions options = print_options(command.output, command.global, plan, context.environment);
  options.with_cluster = !plan.cluster.empty();
  options.with_namespace = std::ranges::any_of(sessions, [&](const Session* session) {
    return session->plan.several_namespaces() || session->plan.namespaces != plan.namespaces;
  });
  ExitCode code = ExitCode::ok;
  if (nothing && !prints_if_nothing(command)) {
    print_nothing_found(plan);
  } else {
    const bool as_list = parts.size() > 1 || !plan.single_object;
    const Result<std::string> text =
        answer_text(parts, command, as_list, options, context.clock.wall());
    if (!text) return std::unexpected(text.error());
    code = write_stdout(*text, &context.exit_request,
                        prints_colours(options) ? ColourCodes::keep : ColourCodes::escape);
  }
  std::vector<std::string> hints;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    hints.push_back(index_hints(parts[i].answer, *sessions[i]->informers));
  }
  if (std::ranges::none_of(hints, &std::string::empty))
    log::write_stderr(visible_text(hints.front()));
  return nothing && command.exit_status && code == ExitCode::ok ? ExitCode::not_found : code;
}

/// Queries one cluster.
class IndexRunner {
 public:
  /// All references must outlive this object.
  IndexRunner(IndexCommand command, Session& session, const CommandContext& context,
              Clock::Mono sync_deadline)
      : command_(std::move(command)),
        context_(context),
        sync_deadline_(sync_deadline),
        session_(session) {}

  Result<ExitCode> run() {
    if (Result<void> done = prepare(); !done) return std::unexpected(std::move(done).error());
    Result<ExitCode> code = command_.watch ? watch() : query();
    session_.informers->stop();
    return code;
  }

  /// Reads all objects. Returns false if the exit code was set meanwhile.
  Result<bool> read() {
    InformerSet& informers = *session_.informers;
    informers.start();
    const bool synced = informers.wait_for_sync(sync_deadline_);
    informers.stop();
    if (!synced) return false;
    if (owners_) {
      for (const InformerSet::Member& member : informers.members()) {
        const Result<void> followed =
            owners_->follow(member.objects(), sync_deadline_, context_.stop);
        if (!followed) return std::unexpected(followed.error());
      }
    }
    query_.emplace(session_, command_, owners_.get());
    return true;
  }

  /// Adds the informers. Blocks on discovery.
  Result<void> prepare() {
    if (session_.plan.types.size() != 1) {
      return fail(ErrorKind::usage, "index takes exactly one type, not a category of several");
    }
    if (Result<void> fine = check_secrets(command_, *session_.plan.types.front()); !fine) {
      return fine;
    }
    Connection& connection = *session_.connection;
    if (Result<void> done = resolve_owner_types(connection, command_.by); !done) return done;
    if (std::ranges::any_of(command_.by, &IndexSpec::follows_owners)) {
      owners_ = std::make_unique<OwnerTree>(connection, session_.plan.informer_namespaces(),
                                            command_.informer, !command_.watch, context_.clock,
                                            [this] { note_owner_change(); });
    }
    return add_informers(session_, command_.informer, needs_of(command_), context_);
  }

  /// Returns the answer, which refers to this object. Call it after read().
  Result<IndexPart> part() {
    Result<IndexAnswer> answer = query_->answer();
    if (!answer) return std::unexpected(std::move(answer).error());
    return IndexPart{*std::move(answer), query_->values_of()};
  }
  const Session& session() const { return session_; }

 private:
  Result<ExitCode> query() {
    const Result<bool> is_read = read();
    if (!is_read) return std::unexpected(is_read.error());
    if (!*is_read) return *context_.exit_request.code();
    Result<ExitCode> code = command_.dump ? print_dump(*query_) : print_answer();
    if (code && command_.informer.stats) session_.informers->print_stats(0);
    return code;
  }

  ExitCode print_dump(const IndexQuery& query) {
    const std::string json = dump_json(query.dump());
    if (context_.exit_request.code()) return *context_.exit_request.code();
    const bool as_yaml = command_.output.format == OutputFormat::yaml;
    return write_stdout(as_yaml ? json_as_yaml(json) : json, &context_.exit_request);
  }

  Result<ExitCode> print_answer() {
    Result<IndexPart> found = part();
    if (!found) return std::unexpected(std::move(found).error());
    return print_parts({*std::move(found)}, {&session_}, command_, context_);
  }

  Result<ExitCode> watch() {
    InformerSet& informers = *session_.informers;
    const IndexAnswer question = IndexQuery(session_, command_, owners_.get()).question();
    FileWriter writer(STDOUT_FILENO, &context_.exit_request);
    IndexWatch watch(question, live_values(), command_.output.format != OutputFormat::table,
                     command_.max_events, writer, context_.exit_request);
    Result<ExitCode> code = print_changes(watch);
    informers.stop();
    if (code && command_.informer.stats) informers.print_stats(watch.printed());
    return code;
  }

  Result<ExitCode> print_changes(IndexWatch& watch) {
    InformerSet& informers = *session_.informers;
    Result<void> done = informers.add_handlers(
        [&](InformerSet::Member&) -> EventHandler& { return watch.add_handler(); });
    if (!done) return std::unexpected(std::move(done).error());
    informers.start();
    if (!informers.wait_for_sync(sync_deadline_) ||
        !informers.wait([&] { return watch.has_synced(); })) {
      return *context_.exit_request.code();
    }
    done = follow_owners(watch);
    if (!done) return std::unexpected(std::move(done).error());
    watch.start_printing();
    if (context_.environment.stderr_is_terminal) {
      for (const InformerSet::Member& member : informers.members()) {
        informers.monitor().announce(member.description);
      }
    }
    informers.wait([&] {
      if (owners_changed_.exchange(false)) done = follow_owners(watch);
      return !done || has_seen_scenario(session_);
    });
    if (!done) return std::unexpected(std::move(done).error());
    return context_.exit_request.code().value_or(ExitCode::ok);
  }

  Result<void> follow_owners(IndexWatch& watch) {
    if (!owners_) return {};
    Result<void> followed = owners_->follow(
        watch.objects(), deadline_after(command_.informer.sync_timeout, context_.clock),
        context_.stop);
    if (followed) watch.refresh();
    return followed;
  }

  void note_owner_change() {
    owners_changed_ = true;
    context_.exit_request.notify();
  }

  /// Returns a function that computes the current values of an object. It also requests informers
  /// for owner types that are not followed yet.
  ValuesOf live_values() {
    return [this](const IndexSpec& spec, const Object& object) {
      if (!spec.follows_owners()) return spec.values(object);
      if (!owners_->is_known(object)) note_owner_change();
      return owners_->values(spec, object);
    };
  }

  IndexCommand command_;
  const CommandContext& context_;
  Clock::Mono sync_deadline_;
  std::atomic<bool> owners_changed_ = false;
  Session& session_;
  std::unique_ptr<OwnerTree> owners_;  ///< null unless a spec follows owners
  std::optional<IndexQuery> query_;    ///< what read() has read
};

/// Queries several clusters, and names each one that cannot be read.
Result<ExitCode> index_clusters(const IndexCommand& command, const CommandContext& context,
                                const std::vector<std::string>& names, Clock::Mono deadline) {
  if (command.watch || command.dump) {
    return fail(ErrorKind::usage, fmt::format("{} cannot be used with several contexts",
                                              command.watch ? "--watch" : "--dump"));
  }
  Clusters clusters(names, context);
  std::vector<std::unique_ptr<IndexRunner>> runners(names.size());
  clusters.run([&](Cluster& cluster) {
    Cluster::Attempt& attempt = cluster.attempt(command.global, command.informer, false, deadline);
    if (!attempt.session) return;
    auto runner =
        std::make_unique<IndexRunner>(command, *attempt.session, attempt.context, deadline);
    Result<void> ready = runner->prepare();
    if (ready) {
      if (const Result<bool> read = runner->read(); !read) ready = std::unexpected(read.error());
    }
    if (!ready) return cluster.fail_attempt(ready.error());
    runners[cluster.rank()] = std::move(runner);
  });
  if (context.exit_request.code()) return *context.exit_request.code();
  std::vector<IndexPart> parts;
  std::vector<const Session*> sessions;
  for (const auto& cluster : clusters.all()) {
    if (cluster->last().exit_request.code()) continue;
    Result<IndexPart> part = runners[cluster->rank()]->part();
    if (!part) return std::unexpected(std::move(part).error());
    part->answer.cluster = cluster->name();
    parts.push_back(*std::move(part));
    sessions.push_back(&*cluster->last().session);
  }
  const std::optional<ExitCode> failure = clusters.failure();
  if (parts.empty()) return *failure;
  Result<ExitCode> code = print_parts(parts, sessions, command, context);
  if (command.informer.stats) {
    for (const Session* session : sessions) session->informers->print_stats(0);
  }
  return code && *code == ExitCode::ok && failure ? *failure : code;
}

}  // namespace

Result<ExitCode> index_command(const IndexCommand& command, const CommandContext& context) {
  if (const Result<void> fine = check_output(command); !fine) return std::unexpected(fine.error());
  std::optional<Clock::Duration> limit = command.informer.sync_timeout;
  if (!command.watch && !limit) limit = InformerSet::kSyncTimeout;
  const Clock::Mono sync_deadline = deadline_after(limit, context.clock);
  const ExitTimer timer(context.exit_request, context.clock,
                        deadline_after(command.timeout, context.clock));
  const Result<std::vector<std::string>> contexts =
      chosen_contexts(command.global, context.environment);
  if (!contexts) return std::unexpected(contexts.error());
  if (!contexts->empty()) return index_clusters(command, context, *contexts, sync_deadline);
  Result<Session> session =
      open_session(command.global, command.informer, command.watch, context, sync_deadline);
  if (!session) return std::unexpected(std::move(session).error());
  return IndexRunner(command, *session, context, sync_deadline).run();
}

}  // namespace kinf
