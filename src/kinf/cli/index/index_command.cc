// SPDX-License-Identifier: Apache-2.0
// kinf index: queries the synced, indexed cache of one type, or prints its changes.
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "kinf/base/log.h"
#include "kinf/base/visible_text.h"
#include "kinf/cli/index/index_output.h"
#include "kinf/cli/index/index_runner.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/cli/session/clusters.h"

namespace kinf {
namespace {

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
    if (!has_left_out_any(sessions)) print_nothing_found(plan);
  } else {
    const bool as_list = parts.size() > 1 || !plan.single_object;
    const Result<IndexText> text =
        answer_text(parts, command, as_list, options, context.clock.wall());
    if (!text) return std::unexpected(text.error());
    code = write_stdout(text->text, &context.exit_request,
                        prints_colours(options) ? ColourCodes::keep : ColourCodes::escape);
    if (code == ExitCode::ok && text->damaged > 0) code = ExitCode::other_error;
  }
  std::vector<std::string> hints;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    hints.push_back(index_hints(parts[i].answer, *sessions[i]->informers));
  }
  if (std::ranges::none_of(hints, &std::string::empty))
    log::write_stderr(visible_text(hints.front()));
  return nothing && command.exit_status && code == ExitCode::ok ? ExitCode::not_found : code;
}

ExitCode print_dump(const std::string& json, const IndexCommand& command,
                    const CommandContext& context) {
  if (context.exit_request.code()) return *context.exit_request.code();
  const bool as_yaml = command.output.format == OutputFormat::yaml;
  return write_stdout(as_yaml ? json_as_yaml(json) : json, &context.exit_request);
}

/// Returns the exit code of a query that ends with `code`. Access to a part may have been denied,
/// in which case what was not found may exist.
ExitCode with_denials(ExitCode code, const std::vector<const Session*>& sessions) {
  const bool is_fine = code == ExitCode::ok || code == ExitCode::not_found;
  return is_fine && has_left_out_any(sessions) ? ExitCode::denied : code;
}

/// Queries one cluster.
Result<ExitCode> query(IndexRunner& runner, const Session& session, const IndexCommand& command,
                       const CommandContext& context) {
  const Result<bool> is_read = runner.read();
  if (!is_read) return std::unexpected(is_read.error());
  if (!*is_read) return *context.exit_request.code();
  Result<ExitCode> code;
  if (command.dump) {
    code = print_dump(dump_json(runner.dump()), command, context);
  } else {
    Result<IndexPart> found = runner.part();
    if (!found) return std::unexpected(std::move(found).error());
    code = print_parts({*std::move(found)}, {&session}, command, context);
  }
  if (code && command.informer.stats) session.informers->print_stats(0);
  if (!code) return code;
  return with_denials(*code, {&session});
}

/// What the clusters that can be read have answered.
struct ClusterAnswers {
  std::vector<IndexPart> parts;
  std::map<std::string, IndexDump> dumps;
  std::vector<const Session*> sessions;
};

Result<ExitCode> print_answers(const ClusterAnswers& answers, const IndexCommand& command,
                               const CommandContext& context) {
  Result<ExitCode> code = command.dump
                              ? print_dump(dump_json(answers.dumps), command, context)
                              : print_parts(answers.parts, answers.sessions, command, context);
  if (command.informer.stats) {
    for (const Session* session : answers.sessions) session->informers->print_stats(0);
  }
  if (!code) return code;
  return with_denials(*code, answers.sessions);
}

/// Queries several clusters, and names each one that cannot be read.
Result<ExitCode> query_clusters(const IndexCommand& command, const CommandContext& context,
                                const std::vector<std::string>& names, Clock::Mono deadline) {
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
  ClusterAnswers answers;
  for (const auto& cluster : clusters.all()) {
    if (cluster->last().exit_request.code()) continue;
    IndexRunner& runner = *runners[cluster->rank()];
    if (command.dump) {
      answers.dumps.emplace(cluster->name(), runner.dump());
    } else {
      Result<IndexPart> part = runner.part();
      if (!part) return std::unexpected(std::move(part).error());
      answers.parts.push_back(*std::move(part));
    }
    answers.sessions.push_back(&*cluster->last().session);
  }
  if (answers.sessions.empty()) return *clusters.failure();
  Result<ExitCode> code = print_answers(answers, command, context);
  if (!code) return code;
  return clusters.with_failure(*code);
}

/// Follows several clusters, or one if there are no `names`.
class LiveIndex {
 public:
  LiveIndex(const IndexCommand& command, const CommandContext& context,
            std::vector<std::string> names, Clock::Mono deadline)
      : command_(command),
        context_(context),
        names_(std::move(names)),
        deadline_(deadline),
        writer_(STDOUT_FILENO, &context.exit_request),
        output_(IndexChanges(command.output.format != OutputFormat::table, names_,
                             stdout_width(context.environment)),
                command.max_events, writer_, context.exit_request) {}

  Result<ExitCode> run() {
    if (names_.empty()) {
      Result<Session> session =
          open_session(command_.global, command_.informer, true, context_, deadline_);
      if (!session) return std::unexpected(std::move(session).error());
      if (Result<void> done = follow(*session, context_); !done) {
        return std::unexpected(std::move(done).error());
      }
    } else {
      Clusters clusters(names_, context_);
      clusters.keep_running([&](Cluster& cluster) { follow_cluster(cluster); });
    }
    return context_.exit_request.code().value_or(ExitCode::ok);
  }

 private:
  Result<void> follow(Session& session, const CommandContext& context) {
    IndexRunner runner(command_, session, context, deadline_);
    Result<void> done = runner.prepare();
    return done ? runner.watch(output_) : done;
  }

  void follow_cluster(Cluster& cluster) {
    Cluster::Attempt& attempt =
        cluster.attempt(command_.global, command_.informer, true, deadline_);
    if (!attempt.session) return;
    if (const Result<void> done = follow(*attempt.session, attempt.context); !done) {
      return cluster.fail_attempt(done.error());
    }
    if (attempt.session->informers->monitor().all_synced()) cluster.set_working();
  }

  const IndexCommand& command_;
  const CommandContext& context_;
  const std::vector<std::string> names_;
  const Clock::Mono deadline_;
  FileWriter writer_;
  IndexChangeWriter output_;
};

}  // namespace

Result<ExitCode> index_command(const IndexCommand& command, const CommandContext& context) {
  std::optional<Clock::Duration> limit = command.informer.sync_timeout;
  if (!command.watch && !limit) limit = InformerSet::kSyncTimeout;
  const Clock::Mono sync_deadline = deadline_after(limit, context.clock);
  const ExitTimer timer(context.exit_request, context.clock,
                        deadline_after(command.timeout, context.clock));
  Result<std::vector<std::string>> contexts = chosen_contexts(command.global, context.environment);
  if (!contexts) return std::unexpected(std::move(contexts).error());
  if (command.watch) return LiveIndex(command, context, *std::move(contexts), sync_deadline).run();
  if (!contexts->empty()) return query_clusters(command, context, *contexts, sync_deadline);
  Result<Session> session =
      open_session(command.global, command.informer, false, context, sync_deadline);
  if (!session) return std::unexpected(std::move(session).error());
  IndexRunner runner(command, *session, context, sync_deadline);
  if (Result<void> done = runner.prepare(); !done) return std::unexpected(std::move(done).error());
  return query(runner, *session, command, context);
}

}  // namespace kinf
