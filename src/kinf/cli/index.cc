// SPDX-License-Identifier: Apache-2.0
// kinf index: queries the synced, indexed cache of one type, or prints its changes.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "kinf/base/log.h"
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
  if (command.show_secrets || !is_secret_type(type)) return {};
  for (const IndexSpec& spec : command.by) {
    if (!spec.may_show_secrets()) continue;
    Error error(ErrorKind::usage,
                fmt::format("--by {} would print values of Secrets", spec.name()));
    error.hint = "add --show-secrets to print them";
    return std::unexpected(std::move(error));
  }
  return {};
}

/// Runs one `kinf index` command.
class IndexRunner {
 public:
  IndexRunner(IndexCommand command, const CommandContext& context)
      : command_(std::move(command)), context_(context) {
    std::optional<Clock::Duration> limit = command_.informer.sync_timeout;
    if (!command_.watch && !limit) limit = InformerSet::kSyncTimeout;
    sync_deadline_ = deadline_after(limit, context.clock);
  }

  Result<ExitCode> run() {
    const ExitTimer timer(context_.exit_request, context_.clock,
                          deadline_after(command_.timeout, context_.clock));
    if (Result<void> opened = open(); !opened) return std::unexpected(std::move(opened).error());
    Result<ExitCode> code = command_.watch ? watch() : query();
    session_.informers->stop();
    return code;
  }

 private:
  Result<void> open() {
    if (Result<void> fine = check_output(command_); !fine) return fine;
    const Result<std::vector<std::string>> contexts =
        chosen_contexts(command_.global, context_.environment);
    if (!contexts) return std::unexpected(contexts.error());
    if (!contexts->empty()) {
      Error error(ErrorKind::usage, "index reads one cluster, but --context names several");
      error.hint = "kinf get and kinf watch read several clusters";
      return std::unexpected(std::move(error));
    }
    Result<Session> opened =
        open_session(command_.global, command_.informer, command_.watch, context_, sync_deadline_);
    if (!opened) return std::unexpected(std::move(opened).error());
    session_ = *std::move(opened);
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

  Result<ExitCode> query() {
    InformerSet& informers = *session_.informers;
    informers.start();
    const bool synced = informers.wait_for_sync(sync_deadline_);
    informers.stop();
    if (!synced) return *context_.exit_request.code();
    if (owners_) {
      for (const InformerSet::Member& member : informers.members()) {
        const Result<void> followed =
            owners_->follow(member.objects(), sync_deadline_, context_.stop);
        if (!followed) return std::unexpected(followed.error());
      }
    }
    IndexQuery query(session_, command_, owners_.get());
    Result<ExitCode> code = command_.dump ? print_dump(query) : print_answer(query);
    if (code && command_.informer.stats) informers.print_stats(0);
    return code;
  }

  ExitCode print_dump(const IndexQuery& query) {
    const std::string json = dump_json(query.dump());
    if (context_.exit_request.code()) return *context_.exit_request.code();
    const bool as_yaml = command_.output.form == IndexCommand::Form::yaml;
    return write_stdout(as_yaml ? json_as_yaml(json) : json, &context_.exit_request);
  }

  Result<ExitCode> print_answer(IndexQuery& query) {
    Result<IndexAnswer> answer = query.answer();
    if (!answer) return std::unexpected(std::move(answer).error());
    if (context_.exit_request.code()) return *context_.exit_request.code();
    const bool nothing = answer->objects.empty();
    OutputFlags output;
    output.no_headers = command_.no_headers;
    output.show_secrets = command_.show_secrets;
    const PrintOptions options =
        print_options(output, command_.global, session_.plan, context_.environment);
    ExitCode code = ExitCode::ok;
    if (nothing && !prints_if_nothing()) {
      print_nothing_found(session_.plan);
    } else {
      const Result<std::string> text = answer_text(*answer, command_, session_, query.values_of(),
                                                   options, context_.clock.wall());
      if (!text) return std::unexpected(text.error());
      code = write_stdout(*text, &context_.exit_request);
    }
    log::write_stderr(index_hints(*answer, *session_.informers));
    return nothing && command_.exit_status && code == ExitCode::ok ? ExitCode::not_found : code;
  }

  /// Returns true if the output format prints something for an empty answer, such as `0` or `[]`.
  bool prints_if_nothing() const {
    using Form = IndexCommand::Form;
    const Form form = command_.output.form;
    return command_.count || form == Form::json || form == Form::json_lines || form == Form::yaml ||
           form == Form::jsonpath;
  }

  Result<ExitCode> watch() {
    InformerSet& informers = *session_.informers;
    const IndexAnswer question = IndexQuery(session_, command_, owners_.get()).question();
    FileWriter writer(STDOUT_FILENO, &context_.exit_request);
    IndexWatch watch(question, live_values(), command_.output.form != IndexCommand::Form::table,
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
  Session session_;
  std::unique_ptr<OwnerTree> owners_;  ///< null unless a spec follows owners
};

}  // namespace

Result<ExitCode> index_command(const IndexCommand& command, const CommandContext& context) {
  return IndexRunner(command, context).run();
}

}  // namespace kinf
