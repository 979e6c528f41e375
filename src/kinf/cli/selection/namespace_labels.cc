// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/selection/namespace_labels.h"

#include <algorithm>
#include <utility>

#include "kinf/base/assign.h"
#include "kinf/cli/connection/connection.h"
#include "kinf/cli/flags/informer_flags.h"
#include "kinf/client/http_lister_watcher.h"
#include "kinf/informer/shared_informer.h"

namespace kinf {

InformerOptions helper_informer_options(const InformerFlags& flags, bool list_only) {
  InformerOptions options;
  options.watch_list = flags.watch_list;
  options.page_size = flags.chunk_size;
  options.pages_in_flight = flags.pages_in_flight;
  options.list_only = list_only;
  options.stall_timeout = flags.stall_timeout;
  options.backoff.cap = flags.max_retry_interval;
  options.backoff.initial = std::min(options.backoff.initial, options.backoff.cap);
  return options;
}

HttpSource metadata_source(const ResourceType& type, const std::string& ns) {
  return {.type = type,
          .ns = type.namespaced ? ns : "",
          .representation = Representation::metadata,
          .form = ObjectForm::metadata};
}

HttpSource namespace_source(const std::string& labels) {
  HttpSource source =
      metadata_source({{"", "v1", "namespaces"}, "Namespace", "namespace", false}, "");
  source.label_selector = labels;
  return source;
}

Result<std::unique_ptr<NamespaceLabels>> NamespaceLabels::create(
    Connection& connection, const std::string& labels, const InformerFlags& flags, bool list_only,
    Clock& clock, const std::function<void()>& changed) {
  Result<std::unique_ptr<HttpListerWatcher>> source = connection.source(namespace_source(labels));
  if (!source) return fail(source);
  std::unique_ptr<NamespaceLabels> result(new NamespaceLabels());
  result->informer_ = std::make_unique<SharedInformer>(*std::move(source), clock,
                                                       helper_informer_options(flags, list_only));
  result->handler_ = std::make_unique<FunctionHandler>(
      HandlerFunctions{.on_add =
                           [changed](const Change& change) {
                             if (!change.initial) changed();
                           },
                       .on_delete = [changed](const Change&) { changed(); },
                       .on_synced = [changed](const SyncedEvent&) { changed(); }});
  Result<void> added =
      assign(result->registration_, result->informer_->add_event_handler(*result->handler_));
  if (!added) return fail(added);
  return result;
}

NamespaceLabels::~NamespaceLabels() {
  if (informer_) informer_->stop();
}

Result<void> NamespaceLabels::start() { return informer_->start(); }

Result<void> NamespaceLabels::wait_for_sync(Clock::Mono deadline,
                                            const std::stop_token& stop) const {
  return informer_->wait_for_sync(deadline, stop);
}

bool NamespaceLabels::has_synced() const { return informer_->has_synced(); }

std::vector<std::string> NamespaceLabels::names() const {
  std::vector<std::string> names;
  for (const ObjectPtr& one : informer_->indexer().list()) names.emplace_back(one->name());
  std::ranges::sort(names);
  return names;
}

bool NamespaceLabels::contains(std::string_view ns) const {
  return informer_->indexer().get_by_key(ns) != nullptr;
}

}  // namespace kinf
