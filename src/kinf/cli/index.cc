// SPDX-License-Identifier: Apache-2.0
// kinf index: questions to the indexed cache of one type, answered once it is synced, or for as
// long as it changes.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "kinf/base/log.h"
#include "kinf/cli/commands.h"
#include "kinf/cli/error_report.h"
#include "kinf/cli/file_writer.h"
#include "kinf/cli/index_output.h"
#include "kinf/cli/index_query.h"
#include "kinf/cli/index_watch.h"
#include "kinf/print/secret_mask.h"

namespace kinf {
namespace {

/// As little of each object as the question and the answer allow.
InformerNeeds needs_of(const IndexCommand& command) {
  const bool documents = prints_documents(command);
  const bool whole = documents || std::ranges::any_of(command.by, &IndexSpec::needs_whole_object);
  const bool raw = documents || std::ranges::any_of(command.by, &IndexSpec::needs_document);
  InformerNeeds needs;
  if (prints_cells(command)) {
    needs.representation = whole ? Representation::table_with_object : Representation::table;
  } else {
    needs.representation = whole ? Representation::object : Representation::metadata;
  }
  needs.form = raw ? ObjectForm::raw : ObjectForm::metadata;
  needs.keep_managed_fields = command.show_managed_fields;
  for (const IndexSpec& spec : command.by) {
    needs.indexers[spec.name()] = [spec](const Object& object) -> Result<std::vector<std::string>> {
      return spec.values(object);
    };
  }
  return needs;
}

/// `deploy/web` means the owner `deployment.apps/web`, and `web` an owner of any type.
Result<void> spell_out_owners(Connection& connection, std::vector<IndexSpec>& specs) {
  for (IndexSpec& spec : specs) {
    const bool is_owner =
        spec.source() == IndexSpec::Source::owner || spec.source() == IndexSpec::Source::root;
    if (!is_owner || !spec.value()) continue;
    std::string text;
    for (const std::string& part : spec.value()->parts()) {
      if (!text.empty()) text += ',';
      const std::size_t slash = part.find('/');
      if (slash == std::string::npos) {
        text += "*/" + part;
        continue;
      }
      if (part.find_first_of("*?") < slash) {
        text += part;
        continue;
      }
      const Result<ResourceType> type = connection.resolve(part.substr(0, slash));
      if (!type) return std::unexpected(type.error());
      text += typed_name(*type, part.substr(slash + 1));
    }
    spec.set_value(ValuePattern(text));
  }
  return {};
}

/// The values of Secrets are no more for groups than they are for tables.
Result<void> check_secrets(const IndexCommand& command, const ResourceType& type) {
  if (command.show_secrets || !is_secret_type(type)) return {};
  for (const IndexSpec& spec : command.by) {
    if (!spec.may_show_secrets()) continue;
    Error error(ErrorKind::usage,
                fmt::format("--by {}: would print what Secrets keep", spec.name()));
    error.hint = "--show-secrets allows it";
    return std::unexpected(std::move(error));
  }
  return {};
}

/// One `kinf index` from the connection to its answer.
class IndexRun {
 public:
  IndexRun(IndexCommand command, const Surroundings& around)
      : command_(std::move(command)), around_(around) {}

  ExitCode run() {
    const Result<ExitCode> code = command_.watch ? watch() : ask();
    if (code) return *code;
    if (code.error().kind == ErrorKind::stopped) return ended();
    report(code.error());
    return around_.ending.code().value_or(exit_code_for(code.error()));
  }

 private:
  ExitCode ended() const { return around_.ending.code().value_or(ExitCode::other_error); }
  std::optional<Clock::Duration> sync_timeout() const {
    if (command_.watch) return command_.informer.sync_timeout;
    return command_.informer.sync_timeout.value_or(InformerSet::kSyncTimeout);
  }
  Clock::Mono sync_deadline() const {
    return sync_timeout() ? around_.clock.now() + *sync_timeout() : Clock::kNever;
  }

  Result<void> open() {
    if (Result<void> fine = check_output(command_); !fine) return fine;
    Result<std::unique_ptr<Session>> opened =
        open_session(command_.global, command_.informer, command_.watch, around_, sync_deadline());
    if (!opened) return std::unexpected(std::move(opened).error());
    session_ = *std::move(opened);
    if (Result<void> fine = check_secrets(command_, *session_->plan.types.front()); !fine) {
      return fine;
    }
    Connection& connection = *session_->connection;
    if (Result<void> spelt = spell_out_owners(connection, command_.by); !spelt) return spelt;
    if (std::ranges::any_of(command_.by, &IndexSpec::follows_owners)) {
      owners_ = std::make_unique<OwnerTree>(connection, session_->plan.namespaces,
                                            command_.informer, around_.clock, [this] {
                                              owners_changed_ = true;
                                              around_.ending.nudge();
                                            });
    }
    return add_informers(*session_, command_.informer, needs_of(command_), around_);
  }

  Result<ExitCode> ask() {
    if (Result<void> opened = open(); !opened) return std::unexpected(opened.error());
    InformerSet& informers = *session_->informers;
    const Clock::Mono deadline = sync_deadline();
    informers.start();
    const bool synced = informers.wait_for_sync(sync_timeout());
    informers.stop();
    if (!synced) return ended();
    const IndexQuery query(*session_, command_, owners_.get());
    if (owners_) {
      for (const InformerSet::Member& member : informers.members()) {
        const Result<void> followed =
            owners_->follow(member.informer->indexer().list(), deadline, around_.stop);
        if (!followed) return std::unexpected(followed.error());
      }
    }
    return command_.dump ? print(dump_text(query)) : answer(query);
  }

  std::string dump_text(const IndexQuery& query) const {
    const std::string json = dump_json(query.dump());
    return command_.output.form == IndexCommand::Form::yaml ? json_as_yaml(json) : json;
  }

  Result<ExitCode> answer(const IndexQuery& query) {
    Result<IndexAnswer> answer = query.answer();
    if (!answer) return std::unexpected(std::move(answer).error());
    const bool nothing = answer->objects.empty();
    OutputFlags output;
    output.no_headers = command_.no_headers;
    output.show_secrets = command_.show_secrets;
    const PrintOptions options =
        print_options(output, command_.global, session_->plan, around_.environment);
    ExitCode code = ExitCode::ok;
    if (nothing && !prints_if_nothing()) {
      say_nothing_found(session_->plan);
    } else {
      const Result<std::string> text = answer_text(*answer, command_, *session_, query.values_of(),
                                                   options, around_.clock.wall());
      if (!text) return std::unexpected(text.error());
      code = print(*text);
    }
    FileWriter(STDERR_FILENO).write(index_hints(*answer, *session_->informers));
    if (command_.informer.stats) session_->informers->print_stats(0);
    return nothing && command_.exit_status && code == ExitCode::ok ? ExitCode::not_found : code;
  }

  /// Whether even an empty answer is a text, as a number or a document is.
  bool prints_if_nothing() const {
    using Form = IndexCommand::Form;
    const Form form = command_.output.form;
    return command_.count || form == Form::json || form == Form::json_lines || form == Form::yaml ||
           form == Form::jsonpath;
  }

  static ExitCode print(const std::string& text) {
    FileWriter writer(STDOUT_FILENO);
    if (writer.write(text)) return ExitCode::ok;
    return writer.reader_is_gone() ? ExitCode::broken_pipe : ExitCode::other_error;
  }

  Result<ExitCode> watch() {
    if (Result<void> opened = open(); !opened) return std::unexpected(opened.error());
    InformerSet& informers = *session_->informers;
    const IndexQuery query(*session_, command_, owners_.get());
    const IndexAnswer question = query.question();
    FileWriter writer(STDOUT_FILENO);
    IndexWatch watch(question, live_values(query),
                     command_.output.form != IndexCommand::Form::table, writer, around_.ending);
    std::vector<HandlerRegistration> registrations;
    HandlerOptions direct;
    direct.delivery = Delivery::direct;
    for (InformerSet::Member& member : informers.members()) {
      auto registration = member.informer->add_event_handler(watch.add_handler(), direct);
      if (!registration) return std::unexpected(std::move(registration).error());
      registrations.push_back(*std::move(registration));
    }
    informers.start();
    if (!informers.wait_for_sync(sync_timeout())) return ended();
    const auto handed_over = [&] {
      return std::ranges::all_of(registrations, [](const auto& one) { return one.has_synced(); });
    };
    if (!informers.wait(handed_over, Clock::kNever, kHandOverPoll)) return ended();
    if (Result<void> followed = follow_owners(watch); !followed) {
      return std::unexpected(followed.error());
    }
    watch.start_printing();
    if (around_.environment.stderr_is_terminal) {
      for (const InformerSet::Member& member : informers.members()) {
        informers.monitor().announce(member.description);
      }
    }
    return print_changes(watch);
  }

  Result<ExitCode> print_changes(IndexWatch& watch) {
    Result<void> followed;
    const auto is_over = [&] {
      if (owners_ && owners_changed_.exchange(false)) {
        followed = follow_owners(watch);
        if (followed) watch.refresh();
      }
      return !followed || has_seen_scenario(*session_);
    };
    const bool plays = session_->connection->sandbox() != nullptr;
    session_->informers->wait(is_over, Clock::kNever,
                              plays ? std::optional(kScenarioPoll) : std::nullopt);
    if (!followed) return std::unexpected(followed.error());
    session_->informers->stop();
    if (command_.informer.stats) session_->informers->print_stats(watch.printed());
    return around_.ending.code().value_or(ExitCode::ok);
  }

  Result<void> follow_owners(const IndexWatch& watch) {
    if (!owners_) return {};
    return owners_->follow(watch.objects(), sync_deadline(), around_.stop);
  }

  /// As the query's, and takes note of owners whose types are not followed yet.
  ValuesOf live_values(const IndexQuery& query) {
    return [this, values_of = query.values_of()](const IndexSpec& spec, const Object& object) {
      if (spec.follows_owners() && !owners_->is_known(object)) {
        owners_changed_ = true;
        around_.ending.nudge();
      }
      return values_of(spec, object);
    };
  }

  static constexpr Clock::Duration kHandOverPoll = std::chrono::milliseconds(5);

  IndexCommand command_;
  const Surroundings& around_;
  std::atomic<bool> owners_changed_ = false;
  std::unique_ptr<Session> session_;
  std::unique_ptr<OwnerTree> owners_;  ///< null if nobody asks for them
};

}  // namespace

ExitCode run_index(const IndexCommand& command, const Surroundings& around) {
  return IndexRun(command, around).run();
}

}  // namespace kinf
