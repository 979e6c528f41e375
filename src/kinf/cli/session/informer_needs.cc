// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/informer_needs.h"

#include <algorithm>
#include <array>

#include "kinf/cli/flags/index_flags.h"
#include "kinf/cli/flags/inspect_flags.h"
#include "kinf/cli/flags/run_flags.h"
#include "kinf/cli/flags/until.h"
#include "kinf/cli/flags/wait_flags.h"
#include "kinf/cli/flags/watch_flags.h"
#include "kinf/cli/selection/watch_plan.h"
#include "kinf/print/event_note.h"
#include "kinf/query/jsonpath_scope.h"

namespace kinf {
namespace {

/// The parts of objects that the output and the filters of a command read.
struct Parts {
  bool cells = false;     ///< the columns of the server's table
  bool document = false;  ///< the JSON document
  bool whole = false;     ///< more of the document than its metadata
};

/// Adds to `parts` what the flags that all commands share read, such as --where. Returns the result
/// as InformerNeeds.
InformerNeeds needs_for(Parts parts, const InformerFlags& flags) {
  if (flags.failing) parts = {.cells = true, .document = true, .whole = true};
  const bool only_metadata = flags.metadata == MetadataMode::on;
  const bool selects_by_more = flags.where && !flags.where->reads_only_metadata();
  const bool whole = parts.whole || selects_by_more || flags.metadata == MetadataMode::off;
  InformerNeeds needs;
  if (only_metadata || (!whole && !parts.cells)) {
    needs.representation = Representation::metadata;
  } else if (parts.cells) {
    needs.representation = whole ? Representation::table_with_object : Representation::table;
  }
  needs.form = parts.document || flags.where ? ObjectForm::raw : ObjectForm::metadata;
  needs.manager = false;
  needs.trim = flags.trim;
  return needs;
}

/// Adds what --record and --state need: whole objects with the cells of their table rows. The state
/// of `kinf run` needs nothing more.
InformerNeeds with_stores(InformerNeeds needs, const InformerFlags& flags) {
  const bool saves_written = !flags.state.file.empty() && !flags.state.after_run;
  if (flags.record.file.empty() && !saves_written) return needs;
  if (flags.metadata != MetadataMode::on) needs.representation = Representation::table_with_object;
  needs.form = ObjectForm::raw;
  needs.manager = true;
  return needs;
}

/// Returns whether the expressions of -o may read more of the objects than their metadata.
/// `can_be_one`, `can_be_list`: a JSONPath may apply to a single object, or to a List.
bool shows_more(const OutputFlags& output, bool prints_events, bool can_be_one, bool can_be_list) {
  if (output.columns) return !output.columns->reads_only_metadata();
  if (!output.jsonpath) return false;
  using jsonpath::Document;
  if (prints_events) return !output.jsonpath->reads_only_metadata(Document::event);
  return (can_be_one && !output.jsonpath->reads_only_metadata(Document::object)) ||
         (can_be_list && !output.jsonpath->reads_only_metadata(Document::list));
}

/// Returns whether the command may request exactly one object by name.
bool may_name_one(const InformerFlags& flags) {
  return flags.types.size() == 1 && flags.types.front().names.size() == 1;
}

/// Returns whether cells are printed as data, with times that are only in the documents.
bool prints_data(const OutputFlags& output) {
  return output.has_cells() && !output.is_table() && output.server_print;
}

/// Returns whether to keep managedFields. As in kubectl, expressions of the user can read them.
bool keeps_managed_fields(const OutputFlags& output) {
  return output.has_expressions() || (output.is_document() && output.show_managed_fields);
}

}  // namespace

InformerNeeds needs_of(const GetCommand& command) {
  const OutputFlags& output = command.output;
  Parts parts;
  parts.cells = output.has_cells() && output.server_print;
  parts.whole = output.is_document() || prints_data(output) ||
                shows_more(output, false, may_name_one(command.informer), true) ||
                !output.sort.reads_only_metadata();
  parts.document = parts.whole || output.has_expressions() || !output.sort.empty();
  InformerNeeds needs = needs_for(parts, command.informer);
  needs.keep_managed_fields = keeps_managed_fields(output);
  needs.list_only = true;
  return with_stores(std::move(needs), command.informer);
}

bool names_changed_paths(const WatchPlan& plan) {
  constexpr std::array<std::string_view, 6> kNumerous = {"pods",
                                                         "events",
                                                         "events.events.k8s.io",
                                                         "leases.coordination.k8s.io",
                                                         "endpoints",
                                                         "endpointslices.discovery.k8s.io"};
  return plan.several_types() || std::ranges::all_of(plan.informers, [&](const auto& planned) {
           const std::string type = planned.type->gvr.group_resource();
           return !planned.name.empty() || std::ranges::find(kNumerous, type) == kNumerous.end();
         });
}

/// With --diff, no cells are needed.
InformerNeeds needs_of(const WatchCommand& command, bool names_paths) {
  const OutputFlags& output = command.output;
  const UpdateFilter& filter = command.filter;
  const bool prints_events = command.output_watch_events.value_or(true);
  const bool shows_state = prints_events || !output.is_table();
  const bool has_cells = output.has_cells() && output.server_print;
  const bool until_reads = command.until && command.until->needs_document();
  Parts parts;
  parts.cells = has_cells && !output.diff;
  parts.whole = output.is_document() ||
                shows_more(output, command.output_watch_events == true, true, false) ||
                !output.sort.reads_only_metadata() || output.diff ||
                (until_reads && !command.until->reads_only_metadata()) ||
                filter.needs_whole_object() || (has_cells && names_paths && shows_state) ||
                prints_data(output);
  parts.document = parts.whole || output.has_expressions() || !output.sort.empty() || until_reads ||
                   !filter.passes_all();
  InformerNeeds needs = needs_for(parts, command.informer);
  needs.keep_managed_fields = keeps_managed_fields(output);
  needs.manager = output.diff || (output.is_document() && prints_events) ||
                  (command.until && command.until->reads_event());
  needs.event_times = true;
  return with_stores(std::move(needs), command.informer);
}

/// Needs whole objects and managers, because the output names what changed and who changed it.
InformerNeeds needs_of(const HistoryCommand& command) {
  const OutputFlags& output = command.output;
  Parts parts;
  parts.cells = output.has_cells() && !output.diff;
  parts.whole = true;
  parts.document = true;
  InformerNeeds needs = needs_for(parts, command.informer);
  needs.keep_managed_fields = keeps_managed_fields(output);
  needs.manager = true;
  needs.keeps_selected = true;
  return with_stores(std::move(needs), command.informer);
}

InformerNeeds needs_of(const IndexCommand& command) {
  Parts parts;
  parts.cells = prints_cells(command);
  const OutputFlags& output = command.output;
  const bool prints_more =
      prints_documents(command) &&
      (command.objects || shows_more(output, false, may_name_one(command.informer), true) ||
       !output.sort.reads_only_metadata());
  parts.whole = prints_more || std::ranges::any_of(command.by, &IndexSpec::needs_whole_object);
  parts.document =
      prints_documents(command) || std::ranges::any_of(command.by, &IndexSpec::needs_document);
  InformerNeeds needs = needs_for(parts, command.informer);
  needs.keep_managed_fields = prints_documents(command) && (command.output.has_expressions() ||
                                                            command.output.show_managed_fields);
  needs.list_only = !command.watch;
  if (command.watch)
    return with_stores(std::move(needs), command.informer);  // IndexWatch keeps the values itself
  for (const IndexSpec& spec : command.by) {
    needs.indexers[spec.name()] = [spec](const Object& object) -> Result<std::vector<std::string>> {
      return spec.values(object);
    };
  }
  return with_stores(std::move(needs), command.informer);
}

/// The program that is run gets the whole object.
InformerNeeds needs_of(const RunCommand& command) {
  InformerNeeds needs = needs_for({.document = true, .whole = true}, command.informer);
  needs.keep_managed_fields = command.show_managed_fields;
  needs.manager = !command.filter.passes_all();
  return with_stores(std::move(needs), command.informer);
}

/// The report of a timeout reads the documents too: the finalizers, for example.
InformerNeeds needs_of(const WaitCommand& command) {
  const OutputFlags& output = command.output;
  const bool prints_documents =
      command.has_output && (output.is_document() || output.has_expressions());
  Parts parts;
  parts.document = true;
  parts.whole = prints_documents || command.goal.needs_document();
  InformerNeeds needs = needs_for(parts, command.informer);
  needs.keep_managed_fields =
      prints_documents && (output.has_expressions() || output.show_managed_fields);
  return with_stores(std::move(needs), command.informer);
}

InformerNeeds needs_of(const RecordCommand& command) {
  InformerNeeds needs;
  needs.trim = command.informer.trim;
  return with_stores(std::move(needs), command.informer);
}

InformerNeeds needs_of_type(InformerNeeds needs, const ResourceType& type,
                            const InformerFlags& flags) {
  if (!needs.event_times || flags.metadata == MetadataMode::on || !is_event_type(type)) {
    return needs;
  }
  needs.form = ObjectForm::raw;
  if (needs.representation == Representation::metadata) {
    needs.representation = Representation::object;
  } else if (needs.representation == Representation::table) {
    needs.representation = Representation::table_with_object;
  }
  return needs;
}

InformerNeeds needs_of_events(const InformerFlags& flags) { return with_stores({}, flags); }

}  // namespace kinf
