// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/session_stores.h"

#include "kinf/base/log.h"
#include "kinf/base/number_text.h"
#include "kinf/cli/connection/connection.h"
#include "kinf/cli/flags/informer_flags.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/selection/watch_plan.h"
#include "kinf/client/discovery.h"
#include "kinf/client/http_lister_watcher.h"
#include "kinf/informer/shared_informer.h"
#include "kinf/print/secret_mask.h"
#include "kinf/recording/recorder.h"
#include "kinf/recording/state/state_saver.h"

namespace kinf {

SessionStores::SessionStores() = default;
SessionStores::SessionStores(SessionStores&& other) noexcept = default;
SessionStores& SessionStores::operator=(SessionStores&& other) noexcept = default;
SessionStores::~SessionStores() = default;

Result<std::unique_ptr<Recorder>> open_recorder(const Connection& connection,
                                                const RecordFlags& flags, Clock& clock,
                                                std::function<void()> failed) {
  const ClientConfig& config = connection.config();
  WriterOptions options{.server = {.address = config.host},
                        .ns = config.default_namespace,
                        .mask_secret = flags.show_secrets ? SecretMask() : mask_secret,
                        .keep = flags.keep,
                        .max_bytes = flags.max_bytes};
  auto writer = RecordingWriter::open(flags.file, std::move(options), clock.wall());
  if (!writer) return fail(writer);
  return std::make_unique<Recorder>(*std::move(writer), clock,
                                    [failed = std::move(failed)](const Error& error) {
                                      report(error.within("recording stopped"));
                                      if (failed) failed();
                                    });
}

Result<std::unique_ptr<StateSaver>> open_state(Connection& connection, const WatchPlan& plan,
                                               const InformerFlags& flags, Clock& clock) {
  if (!plan.one_by_one.empty()) {
    return fail(ErrorKind::usage, "--state needs the right to list all namespaces at once")
        .with_hint("name the namespaces: -n a,b");
  }
  StateOptions options;
  options.server.address = connection.config().host;
  options.ns = connection.config().default_namespace;
  if (!plan.filter.is_exact()) options.selection = plan.filter.text();
  if (!flags.state.show_secrets) options.mask_secret = mask_secret;
  for (const PlannedInformer& planned : plan.informers) {
    Result<RecordedScope> scope =
        recorded_scope(connection, planned, flags_of(planned, plan, flags));
    if (!scope) return fail(scope);
    options.scopes.push_back(*std::move(scope));
  }
  auto file = StateFile::open(flags.state.file, std::move(options), clock.wall());
  if (!file) return fail(file);
  return std::make_unique<StateSaver>(*std::move(file), clock, [](const Error& error) {
    report(error.within("the state is not saved any more"));
  });
}

Result<void> restore_state(StateSaver& state, std::size_t scope, SharedInformer& informer,
                           const HttpSource& source) {
  DecodeOptions decode;
  decode.keep_managed_fields = source.keep_managed_fields;
  decode.trim = source.trim;
  const Result<EarlierState> earlier = state.file().load(scope, decode);
  if (!earlier) return fail(earlier);
  log::verbose(2, "{}: the state has {}", informer.description(),
               counted(earlier->objects.size(), "object"));
  return informer.restore(earlier->objects, earlier->is_complete);
}

Result<RecordedScope> recorded_scope(Connection& connection, const PlannedInformer& planned,
                                     const InformerFlags& flags) {
  Result<ApiResource> type = connection.describe(*planned.type);
  if (!type) return fail(type);
  return RecordedScope{
      .type = {*planned.type, std::move(type->short_names), std::move(type->categories)},
      .ns = planned.ns,
      .name = planned.name,
      .label_selector = flags.selector,
      .field_selector = flags.field_selector};
}

}  // namespace kinf
