// SPDX-License-Identifier: Apache-2.0
// InformerSet: the recording that its informers write (--record) or read (--from).
#include "kinf/base/log.h"
#include "kinf/cli/error_report.h"
#include "kinf/cli/informer_set.h"
#include "kinf/print/secret_mask.h"

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

Result<void> InformerSet::add_recorded_scope(Connection& connection, const PlannedInformer& planned,
                                             const InformerFlags& flags) {
  Result<ApiResource> type = connection.describe(*planned.type);
  if (!type) return std::unexpected(std::move(type).error());
  RecordedScope scope;
  scope.type = {*planned.type, std::move(type->short_names), std::move(type->categories)};
  scope.ns = planned.ns;
  scope.name = planned.name;
  scope.label_selector = flags.selector;
  scope.field_selector = flags.field_selector;
  const Result<std::size_t> added = recorder_->writer().add_scope(scope);
  if (!added) return std::unexpected(added.error());
  return {};
}

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
  PlayedSelection selection;
  selection.type = source.type;
  selection.ns = source.ns;
  selection.name = source.name;
  // kinf itself looks for the fields of --field-selector.
  selection.decode.form = source.field_selector.empty() ? source.form : ObjectForm::raw;
  selection.decode.keep_managed_fields = source.keep_managed_fields;
  selection.decode.trim = source.trim;
  selection.description = description;
  return player_->add_source(std::move(selection));
}

}  // namespace kinf
