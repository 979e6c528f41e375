// SPDX-License-Identifier: Apache-2.0
// kinf index: questions to the indexed cache of one type, answered once it is synced.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "kinf/cli/commands.h"
#include "kinf/cli/error_report.h"
#include "kinf/cli/file_writer.h"
#include "kinf/cli/session.h"
#include "kinf/print/event_printer.h"
#include "kinf/print/index_text.h"
#include "kinf/print/objects_printer.h"

namespace kinf {
namespace {

using Form = IndexCommand::Form;

bool has_values(const IndexCommand& command) {
  return std::ranges::all_of(command.by,
                             [](const IndexSpec& spec) { return spec.value().has_value(); });
}

/// Whether the objects themselves are printed as a table.
bool prints_objects(const IndexCommand& command) {
  return command.form == Form::table && !command.count && has_values(command);
}

/// As little of each object as the question and the answer allow.
InformerNeeds needs_of(const IndexCommand& command) {
  const bool whole = std::ranges::any_of(command.by, &IndexSpec::needs_whole_object);
  const bool document = std::ranges::any_of(command.by, &IndexSpec::needs_document);
  InformerNeeds needs;
  if (prints_objects(command)) {
    needs.representation = whole ? Representation::table_with_object : Representation::table;
  } else {
    needs.representation = whole ? Representation::object : Representation::metadata;
  }
  needs.form = document ? ObjectForm::raw : ObjectForm::metadata;
  for (const IndexSpec& spec : command.by) {
    needs.indexers[spec.name()] = [spec](const Object& object) -> Result<std::vector<std::string>> {
      return spec.values(object);
    };
  }
  return needs;
}

/// `@owner=deploy/web` means the owner `deployment.apps/web`.
void spell_out_owners(Connection& connection, std::vector<IndexSpec>& specs) {
  for (IndexSpec& spec : specs) {
    const std::size_t slash = spec.value() ? spec.value()->find('/') : std::string::npos;
    if (spec.source() != IndexSpec::Source::owner || slash == std::string::npos) continue;
    const Result<ResourceType> type = connection.resolve(spec.value()->substr(0, slash));
    if (type) spec.set_value(typed_name(*type, spec.value()->substr(slash + 1)));
  }
}

/// Adds the objects of one informer that match all values, from one state of its cache.
Result<void> select(const SharedInformer& informer, IndexAnswer& answer) {
  std::vector<std::string> names;
  for (const IndexSpec& spec : answer.specs) names.push_back(spec.name());
  std::vector<IndexCondition> conditions;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (answer.specs[i].value()) conditions.push_back({names[i], *answer.specs[i].value()});
  }
  Result<std::vector<ObjectPtr>> found;
  informer.indexer().with_read_lock(
      [&](const IndexTable& table) { found = table.select(conditions); });
  if (!found) return std::unexpected(std::move(found).error());
  answer.objects.insert(answer.objects.end(), found->begin(), found->end());
  answer.resource_version = informer.last_sync_resource_version();
  return {};
}

/// Why nothing matches, if it looks like a misunderstanding: no object has the label at all, and
/// there is an index of that name.
void hint_at_other_index(const IndexAnswer& answer, InformerSet& informers) {
  for (const IndexSpec& spec : answer.specs) {
    if (spec.source() != IndexSpec::Source::label) continue;
    const bool is_used = std::ranges::any_of(informers.members(), [&](const auto& member) {
      return !member.informer->indexer().list_index_func_values(spec.name()).empty();
    });
    if (is_used) continue;
    const std::string kind = typed_name(*answer.resource, "");
    std::string hint = fmt::format("hint: no {} has the label \"{}\"",
                                   kind.substr(0, kind.size() - 1), spec.key());
    const Result<IndexSpec> other =
        IndexSpec::parse("@" + (spec.key() == "ns" ? "namespace" : spec.key()));
    if (other) {
      hint += fmt::format("; the {} index is --by {}{}", other->name().substr(1), other->name(),
                          spec.value() ? "=" + *spec.value() : "");
    }
    FileWriter(STDERR_FILENO).write(hint + "\n");
  }
}

void print_lines(const IndexAnswer& answer, bool keys, FileWriter& writer) {
  std::string text;
  for (const ObjectPtr& object : answer.objects) {
    text += keys ? object->key() : typed_name(*answer.resource, object->name());
    text += '\n';
  }
  writer.write(text);
}

void print_answer(const IndexAnswer& answer, const IndexCommand& command, const Session& session,
                  const Surroundings& around, FileWriter& writer) {
  if (command.count) {
    writer.write(fmt::format("{}\n", answer.objects.size()));
    return;
  }
  if (command.form == Form::name || command.form == Form::keys) {
    print_lines(answer, command.form == Form::keys, writer);
    return;
  }
  if (has_values(command)) {
    if (command.form != Form::table) {
      writer.write(matches_json(answer));
      return;
    }
    OutputFlags output;
    output.no_headers = command.no_headers;
    const PrintOptions options =
        print_options(output, command.global, session.plan, around.environment);
    print_objects({{answer.resource, answer.objects}}, options, true, around.clock.wall(),
                  [&](std::string& text) {
                    writer.write(text);
                    text.clear();
                  });
    return;
  }
  const std::vector<IndexGroup> groups = group_objects(answer.objects, command.by);
  switch (command.form) {
    case Form::json:
      writer.write(groups_json(answer, groups));
      break;
    case Form::json_lines:
      writer.write(groups_json_lines(answer, groups));
      break;
    default:
      if (!groups.empty()) writer.write(groups_table(answer, groups, !command.no_headers));
  }
}

ExitCode answer_question(Session& session, const IndexCommand& command,
                         const Surroundings& around) {
  IndexAnswer answer;
  answer.resource = session.plan.types.front().get();
  if (!session.plan.several_namespaces() && answer.resource->namespaced) {
    answer.ns = session.plan.namespaces.front();
  }
  answer.specs = command.by;
  for (InformerSet::Member& member : session.informers->members()) {
    if (const Result<void> done = select(*member.informer, answer); !done) {
      report(done.error());
      return exit_code_for(done.error());
    }
  }
  sort_by_key(answer.objects);
  FileWriter writer(STDOUT_FILENO);
  if (answer.objects.empty() && !command.count && command.form != Form::json &&
      command.form != Form::json_lines) {
    say_nothing_found(session.plan);
  } else {
    print_answer(answer, command, session, around, writer);
  }
  if (answer.objects.empty()) hint_at_other_index(answer, *session.informers);
  if (writer.reader_is_gone()) return ExitCode::broken_pipe;
  if (command.informer.stats) session.informers->print_stats(0);
  const bool nothing = answer.objects.empty();
  return nothing && command.exit_status ? ExitCode::not_found : ExitCode::ok;
}

}  // namespace

ExitCode run_index(const IndexCommand& asked, const Surroundings& around) {
  IndexCommand command = asked;
  Result<std::unique_ptr<Session>> opened =
      open_session(command.global, command.informer, false, around);
  Result<void> done;
  if (!opened) {
    done = std::unexpected(opened.error());
  } else {
    spell_out_owners(*(*opened)->connection, command.by);
    done = add_informers(**opened, command.informer, needs_of(command), around);
  }
  if (!done) {
    report(done.error());
    return exit_code_for(done.error());
  }
  Session& session = **opened;
  session.informers->start();
  const bool synced = session.informers->wait_for_sync(
      command.informer.sync_timeout.value_or(InformerSet::kSyncTimeout));
  session.informers->stop();
  if (!synced) return around.ending.code().value_or(ExitCode::other_error);
  return answer_question(session, command, around);
}

}  // namespace kinf
