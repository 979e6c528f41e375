// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/selection/namespace_labels.h"

#include <algorithm>
#include <utility>

#include "kinf/cli/connection/connection.h"
#include "kinf/cli/flags/informer_flags.h"
#include "kinf/client/http_lister_watcher.h"
#include "kinf/informer/shared_informer.h"

namespace kinf {

class NamespaceLabels::Handler final : public EventHandler {
 public:
  explicit Handler(std::function<void()> changed) : changed_(std::move(changed)) {}
  void on_add(const Change& change) override {
    if (!change.initial) changed_();
  }
  void on_update(const Change& change) override { (void)change; }
  void on_delete(const Change& change) override {
    (void)change;
    changed_();
  }
  void on_synced(const SyncedEvent& event) override {
    (void)event;
    changed_();
  }

 private:
  const std::function<void()> changed_;
};

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

HttpSource namespace_source(const std::string& labels) {
  HttpSource source;
  source.type = {{"", "v1", "namespaces"}, "Namespace", "namespace", false};
  source.label_selector = labels;
  source.representation = Representation::metadata;
  source.form = ObjectForm::metadata;
  return source;
}

Result<std::unique_ptr<NamespaceLabels>> NamespaceLabels::create(Connection& connection,
                                                                 const std::string& labels,
                                                                 const InformerFlags& flags,
                                                                 bool list_only, Clock& clock,
                                                                 std::function<void()> changed) {
  Result<std::unique_ptr<HttpListerWatcher>> source = connection.source(namespace_source(labels));
  if (!source) return std::unexpected(std::move(source).error());
  std::unique_ptr<NamespaceLabels> result(new NamespaceLabels());
  result->handler_ = std::make_unique<Handler>(std::move(changed));
  result->informer_ = std::make_unique<SharedInformer>(*std::move(source), clock,
                                                       helper_informer_options(flags, list_only));
  Result<HandlerRegistration> registration =
      result->informer_->add_event_handler(*result->handler_);
  if (!registration) return std::unexpected(std::move(registration).error());
  result->registration_ = *std::move(registration);
  return result;
}

NamespaceLabels::~NamespaceLabels() {
  if (informer_) informer_->stop();
}

void NamespaceLabels::start() { informer_->start(); }

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
