// SPDX-License-Identifier: Apache-2.0
// InformerSet: the recording that its informers write (--record) or read (--from), and the state of
// --state.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "kinf/base/log.h"
#include "kinf/base/number_text.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/session/informer_set.h"
#include "kinf/columns/columns.h"
#include "kinf/print/object_row.h"
#include "kinf/print/secret_mask.h"
#include "kinf/query/jsonpath.h"

namespace kinf {

Result<void> InformerSet::open_recorder(Connection& connection, const RecordFlags& flags) {
  WriterOptions options;
  options.server = connection.config().host;
  options.ns = connection.config().default_namespace;
  if (!flags.show_secrets) options.mask_secret = mask_secret;
  options.keep = flags.keep;
  options.max_bytes = flags.max_bytes;
  Result<std::unique_ptr<RecordingWriter>> writer =
      RecordingWriter::open(flags.file, std::move(options), clock_.wall());
  if (!writer) return std::unexpected(std::move(writer).error());
  recorder_ = std::make_unique<Recorder>(
      *std::move(writer), clock_,
      [this, ends_command = flags.is_purpose, file = flags.file](const Error& error) {
        report(error.within("recording stopped"));
        if (ends_command) exit_request_.set(ExitCode::other_error);
      });
  return {};
}

namespace {

Result<RecordedScope> recorded_scope(Connection& connection, const PlannedInformer& planned,
                                     const InformerFlags& flags) {
  Result<ApiResource> type = connection.describe(*planned.type);
  if (!type) return std::unexpected(std::move(type).error());
  RecordedScope scope;
  scope.type = {*planned.type, std::move(type->short_names), std::move(type->categories)};
  scope.ns = planned.ns;
  scope.name = planned.name;
  scope.label_selector = flags.selector;
  scope.field_selector = flags.field_selector;
  return scope;
}

}  // namespace

Result<std::size_t> InformerSet::add_recorded_scope(Connection& connection,
                                                    const PlannedInformer& planned,
                                                    const InformerFlags& flags) {
  Result<RecordedScope> scope = recorded_scope(connection, planned, flags);
  if (!scope) return std::unexpected(std::move(scope).error());
  scope->is_late = followed_.has_value();
  return recorder_->add_scope(*std::move(scope));
}

Result<void> InformerSet::open_state(Connection& connection, const WatchPlan& plan,
                                     const InformerFlags& flags) {
  if (!plan.one_by_one.empty()) {
    Error error(ErrorKind::usage, "--state needs the right to list all namespaces at once");
    error.hint = "name the namespaces: -n a,b";
    return std::unexpected(std::move(error));
  }
  StateOptions options;
  options.server = connection.config().host;
  options.ns = connection.config().default_namespace;
  if (!plan.filter.is_exact()) options.selection = plan.filter.text();
  if (!flags.state.show_secrets) options.mask_secret = mask_secret;
  for (const PlannedInformer& planned : plan.informers) {
    Result<RecordedScope> scope =
        recorded_scope(connection, planned, flags_of(planned, plan, flags));
    if (!scope) return std::unexpected(std::move(scope).error());
    options.scopes.push_back(*std::move(scope));
  }
  Result<std::unique_ptr<StateFile>> file =
      StateFile::open(flags.state.file, std::move(options), clock_.wall());
  if (!file) return std::unexpected(std::move(file).error());
  saves_written_ = !flags.state.after_run;
  state_ = std::make_unique<StateSaver>(*std::move(file), clock_, [](const Error& error) {
    report(error.within("the state is not saved any more"));
  });
  return {};
}

Result<void> InformerSet::restore(std::size_t member, SharedInformer& informer,
                                  const HttpSource& source) {
  DecodeOptions decode;
  decode.keep_managed_fields = source.keep_managed_fields;
  decode.trim = source.trim;
  const Result<EarlierState> earlier = state_->file().load(member, decode);
  if (!earlier) return std::unexpected(earlier.error());
  log::verbose(2, "{}: the state has {}", informer.description(),
               counted(earlier->objects.size(), "object"));
  return informer.restore(earlier->objects, earlier->is_complete);
}

namespace {

/// Returns the row that an API server would print. Empty for kinds of which kinf knows no columns.
StreamRow row_of(const StreamItem& item, const Clock& clock) {
  const TableColumns& columns = table_columns(item.api_version, item.kind);
  if (&columns == &table_columns("", "")) return {};
  nlohmann::json object = parse_document(item.json);
  if (!object.is_object()) return {};
  object["apiVersion"] = item.api_version;  // which items of a list lack
  object["kind"] = item.kind;
  return {table_cells(object, clock.wall())
              .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
          {std::shared_ptr<void>(), &columns}};
}

/// A stream has no cells, so kinf makes them from the documents.
std::unique_ptr<ListerWatcher> add_stream_source(StreamPlayer& stream, const HttpSource& source,
                                                 const std::string& description) {
  const bool has_cells = source.representation == Representation::table ||
                         source.representation == Representation::table_with_object;
  StreamSelection selection;
  selection.type = source.type;
  selection.ns = source.ns;
  selection.name = source.name;
  selection.decode.form =
      has_cells || !source.field_selector.empty() ? ObjectForm::raw : source.form;
  selection.decode.keep_managed_fields = source.keep_managed_fields;
  selection.decode.trim = source.trim;
  selection.description = description;
  if (has_cells) {
    selection.row = [&clock = stream.clock()](const StreamItem& item) {
      return row_of(item, clock);
    };
  }
  return stream.add_source(std::move(selection));
}

}  // namespace

Result<std::unique_ptr<ListerWatcher>> InformerSet::make_source(Connection& connection,
                                                                HttpSource source,
                                                                const std::string& description,
                                                                HttpListerWatcher*& http) {
  if (player_ == nullptr) {
    Result<std::unique_ptr<HttpListerWatcher>> watcher = connection.source(std::move(source));
    if (!watcher) return std::unexpected(std::move(watcher).error());
    http = watcher->get();
    return *std::move(watcher);
  }
  if (StreamPlayer* const stream = connection.stream()) {
    return add_stream_source(*stream, source, description);
  }
  PlayedSelection selection;
  selection.type = source.type;
  selection.ns = source.ns;
  selection.name = source.name;
  // kinf itself looks for the fields of --field-selector.
  selection.parts.decode.form = source.field_selector.empty() ? source.form : ObjectForm::raw;
  selection.parts.decode.keep_managed_fields = source.keep_managed_fields;
  selection.parts.decode.trim = source.trim;
  if (source.representation == Representation::table)
    selection.parts.needs_document = has_other_ages;
  selection.description = description;
  return connection.recording()->add_source(std::move(selection));
}

}  // namespace kinf
