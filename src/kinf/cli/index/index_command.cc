// SPDX-License-Identifier: Apache-2.0
// kinf index: queries the synced, indexed cache of one type, or prints its changes.
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "kinf/base/assign.h"
#include "kinf/base/log.h"
#include "kinf/base/visible_text.h"
#include "kinf/cli/flags/index_flags.h"
#include "kinf/cli/index/index_output.h"
#include "kinf/cli/index/index_runner.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/cli/session/clusters.h"
#include "kinf/cli/session/informer_set.h"
#include "kinf/print/event_printer.h"

namespace kinf {
namespace {

/// Returns whether the output format prints something for an empty answer, such as `0` or `[]`.
bool prints_if_nothing(const IndexCommand& command) {
  const OutputFlags& output = command.output;
  return command.count || output.is_document() || output.format == OutputFormat::json_lines ||
         output.jsonpath;
}

/// Prints the answers, one for each session. If no answer has a match, prints hints.
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
    if (!text) return fail(text);
    code = write_stdout(text->text, &context.exit_request,
                        prints_colours(options) ? ColourCodes::keep : ColourCodes::escape);
    if (code == ExitCode::ok && text->damaged > 0) code = ExitCode::other_error;
  }
  std::vector<std::string> hints;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    hints.push_back(index_hints(parts[i], *sessions[i]->informers));
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

/// Returns the exit code of a query whose result is `code`. If access to some objects was denied,
/// returns `denied` instead of ok or not_found, because the answer may be incomplete.
ExitCode with_denials(ExitCode code, const std::vector<const Session*>& sessions) {
  const bool is_fine = code == ExitCode::ok || code == ExitCode::not_found;
  return is_fine && has_left_out_any(sessions) ? ExitCode::denied : code;
}

/// Queries the clusters once. If there are several, reports those that cannot be read.
Result<ExitCode> query(const IndexCommand& command, Clusters& clusters, Clock::Mono deadline,
                       const CommandContext& context) {
  std::vector<std::unique_ptr<IndexRunner>> runners(clusters.size());
  const Result<void> done = clusters.run([&](CommandCluster& cluster) -> Result<void> {
    auto runner =
        std::make_unique<IndexRunner>(command, cluster.session(), cluster.context(), deadline);
    if (Result<void> ready = runner->prepare(); !ready) return ready;
    if (const Result<bool> read = runner->read(); !read) return fail(read);
    runners[cluster.rank()] = std::move(runner);
    return {};
  });
  if (!done) return fail(done);
  if (context.exit_request.code()) return *context.exit_request.code();
  std::vector<IndexPart> parts;
  std::map<std::string, IndexDump> dumps;
  std::vector<const Session*> sessions;
  Result<void> answered;
  const auto answer = [&](CommandCluster& cluster) -> Result<void> {
    IndexRunner& runner = *runners[cluster.rank()];
    sessions.push_back(&cluster.session());
    if (!command.dump) return assign(parts.emplace_back(), runner.part());
    dumps.emplace(cluster.name(), runner.dump());
    return {};
  };
  const auto answer_all = [&] {
    for (CommandCluster* cluster : clusters.readable()) {
      if (answered) answered = answer(*cluster);
    }
  };
  select_in_time(answer_all, command.informer, deadline, context);
  if (!answered) return fail(answered);
  if (context.exit_request.code()) return *context.exit_request.code();
  if (sessions.empty()) return *clusters.failure();
  Result<ExitCode> code;
  if (command.dump) {
    code = print_dump(clusters.are_several() ? dump_json(dumps) : dump_json(dumps.begin()->second),
                      command, context);
  } else {
    code = print_parts(parts, sessions, command, context);
  }
  if (command.informer.stats) {
    for (const Session* session : sessions) session->informers->print_stats(0);
  }
  if (!code) return code;
  return clusters.with_failure(with_denials(*code, sessions));
}

/// Prints the changes of the clusters.
Result<ExitCode> follow(const IndexCommand& command, Clusters& clusters, Clock::Mono deadline,
                        const CommandContext& context) {
  FileWriter writer(STDOUT_FILENO, &context.exit_request);
  IndexChangeWriter output(
      IndexChanges(command.output.format != OutputFormat::table, clusters.names(),
                   shown_width(command.output, context.environment)),
      command.max_events, writer, context.exit_request);
  const Result<void> done = clusters.keep_running([&](CommandCluster& cluster) {
    IndexRunner runner(command, cluster.session(), cluster.context(), deadline);
    Result<void> ready = runner.prepare();
    return ready ? runner.watch(output) : ready;
  });
  if (!done) return fail(done);
  return context.exit_request.code().value_or(ExitCode::ok);
}

}  // namespace

Result<ExitCode> run_command(const IndexCommand& command, const CommandContext& context) {
  std::optional<Clock::Duration> limit = command.informer.sync_timeout;
  if (!command.watch && !limit) limit = InformerSet::kSyncTimeout;
  const Clock::Mono sync_deadline = deadline_after(limit, context.clock);
  const ExitTimer timer(context.exit_request, context.clock,
                        deadline_after(command.timeout, context.clock));
  Result<std::unique_ptr<Clusters>> clusters =
      Clusters::create({command.global, command.informer, command.watch, sync_deadline}, context);
  if (!clusters) return fail(clusters);
  return command.watch ? follow(command, **clusters, sync_deadline, context)
                       : query(command, **clusters, sync_deadline, context);
}

}  // namespace kinf
