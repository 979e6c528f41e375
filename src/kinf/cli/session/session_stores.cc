// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/session_stores.h"

#include <algorithm>

#include "kinf/api/lister_watcher.h"
#include "kinf/api/object_decoder.h"
#include "kinf/base/assign.h"
#include "kinf/base/log.h"
#include "kinf/cli/connection/connection.h"
#include "kinf/cli/flags/informer_flags.h"
#include "kinf/cli/runtime/blocking_calls.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/selection/watch_plan.h"
#include "kinf/client/api_client.h"
#include "kinf/client/discovery.h"
#include "kinf/client/http_lister_watcher.h"
#include "kinf/print/secret_mask.h"
#include "kinf/recording/recorder.h"
#include "kinf/recording/state/state_saver.h"

namespace kinf {

SessionStores::SessionStores() = default;
SessionStores::SessionStores(SessionStores&& other) noexcept = default;
SessionStores& SessionStores::operator=(SessionStores&& other) noexcept = default;
SessionStores::~SessionStores() = default;

namespace {

/// Asks the server which cluster it is. If the user may not read that, returns only the address.
/// The source of --from has neither.
Result<ServerIdentity> identity_of(Connection& connection) {
  ServerIdentity identity{.address = connection.config().host};
  if (connection.played() != nullptr) return identity;
  const Result<std::unique_ptr<ApiClient>> client = connection.new_client();
  if (!client) return fail(client);
  const Result<ApiAnswer> answer = connection.patiently(
      [&] { return (*client)->get("/api/v1/namespaces/kube-system", connection.stop_token()); });
  if (!answer &&
      (answer.error().kind == ErrorKind::network || answer.error().kind == ErrorKind::stopped)) {
    return fail(answer);
  }
  if (answer) {
    const Result<ObjectPtr> found = ObjectDecoder({}).decode(answer->body);
    if (found) identity.cluster = (*found)->uid();
  }
  return identity;
}

}  // namespace

Result<std::unique_ptr<Recorder>> open_recorder(Connection& connection, const RecordFlags& flags,
                                                Clock& clock, std::function<void()> failed) {
  const ClientConfig& config = connection.config();
  Result<ServerIdentity> server = identity_of(connection);
  if (!server) return fail(server);
  WriterOptions options{.server = *std::move(server),
                        .ns = config.default_namespace,
                        .mask_secret = flags.show_secrets ? SecretMask() : mask_recorded_secret,
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
  if (auto known = assign(options.server, identity_of(connection)); !known) return fail(known);
  options.ns = connection.config().default_namespace;
  if (!plan.filter.is_exact()) options.selection = plan.filter.text();
  if (!flags.state.show_secrets) options.mask_secret = mask_recorded_secret;
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

Result<void> end_lost_types(SessionStores& stores, Connection& connection) {
  if (!stores.recorder) return {};
  const Result<std::vector<ApiResource>> types = connection.all_types();
  Result<std::unique_ptr<ApiClient>> client = connection.new_client();
  if (!types || !client) return types ? fail(client) : fail(types);
  return stores.recorder->end_types([&](const GroupVersionResource& type) {
    const bool is_offered = std::ranges::any_of(*types, [&](const ApiResource& offered) {
      return offered.type.gvr.group_resource() == type.group_resource();
    });
    if (is_offered) return true;
    // Discovery also lacks the types of an API service that is down. These are not gone.
    ListOptions options;
    options.limit = 1;
    const Result<ApiAnswer> list =
        get_list(**client, type, "", options, "application/json", connection.stop_token());
    const bool is_gone = !list && list.error().kind == ErrorKind::not_found;
    if (is_gone) log::notice("the server no longer has {}", type.group_resource());
    return !is_gone;
  });
}

/// Only a command whose purpose is the recording continues the watch of a recording: others print
/// their first list, with the ages of now and the values that the recording lacks. A state and a
/// recording that are written together are not at the same version, so that such a command lists,
/// too.
Result<std::optional<EarlierState>> earlier_state(SessionStores& stores, std::size_t scope,
                                                  const InformerFlags& flags,
                                                  const HttpSource& source) {
  DecodeOptions decode;
  decode.keep_managed_fields = source.keep_managed_fields;
  decode.trim = source.trim;
  if (stores.recorder && flags.record.is_purpose) {
    Result<EarlierState> earlier = stores.recorder->resume(scope, decode);
    if (!earlier) return fail(earlier);
    if (!earlier->can_resume()) return std::nullopt;
    return *std::move(earlier);
  }
  if (!stores.state) return std::nullopt;
  Result<EarlierState> earlier = stores.state->file().load(scope, decode);
  if (!earlier) return fail(earlier);
  if (stores.recorder) earlier->resume_version.clear();
  return *std::move(earlier);
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
      .field_selector = flags.field_selector,
      .is_late = false,
      .is_ordered = flags.queue == QueueKind::in_order_atomic};
}

}  // namespace kinf
