// SPDX-License-Identifier: Apache-2.0
#include "storm/storm_informer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace kinf::test {
namespace {

using std::chrono::seconds;

constexpr std::size_t kQueueCapacity = 200;
constexpr std::size_t kHandlerBound = 64;
/// Promise 4, plus some slack for requests that arrive together.
constexpr std::size_t kMostRequestsInTwoSeconds = 10;

InformerOptions options_for(const InformerPlan& plan, std::uint64_t seed) {
  InformerOptions options;
  options.watch_list = plan.watch_list;
  options.queue = plan.queue;
  options.page_size = plan.page_size;
  options.seed = seed;
  options.queue_capacity = kQueueCapacity;
  // Short enough to expire within a storm of some seconds.
  options.stall_timeout = seconds(2);
  options.stream_timeout = seconds(2);
  options.backoff.initial = std::chrono::milliseconds(400);
  options.backoff.cap = seconds(2);
  return options;
}

}  // namespace

StormInformer::StormInformer(const InformerPlan& plan, StormCluster& cluster, Clock& clock,
                             std::uint64_t seed)
    : plan_(plan), cluster_(cluster), clock_(clock), client_(plan.name) {
  HttpSource wanted;
  wanted.representation = plan.representation;
  if (plan.red_only) wanted.label_selector = "team=red";
  // A version that prefers streaming lists.
  if (plan.watch_list == WatchListMode::automatic) wanted.server_version = ServerVersion{1, 33};
  auto source = cluster.source(client_, wanted);
  if (!source) std::abort();  // a bug of the storm itself
  informer_ = std::make_unique<SharedInformer>(*std::move(source), clock, options_for(plan, seed));
}

void StormInformer::add_handler(const std::string& name, const HandlerOptions& options,
                                HistoryOptions history) {
  HandlerOptions bounded = options;
  bounded.bound = kHandlerBound;
  handlers_.emplace_back(plan_.name + "/" + name, clock_, history);
  auto registration = informer_->add_event_handler(handlers_.back().history, bounded);
  if (!registration) std::abort();
  handlers_.back().registration = *std::move(registration);
}

void StormInformer::add_passing_handler() {
  passing_ = std::make_unique<History>(plan_.name + "/passing", clock_);
  auto registration = informer_->add_event_handler(*passing_, {});
  if (!registration) std::abort();
  passing_registration_ = *std::move(registration);
}

void StormInformer::remove_passing_handler() {
  passing_registration_ = {};
  if (passing_) passed_events_ = passing_->events();
}

ClusterState StormInformer::cached() const {
  ClusterState result;
  for (const ObjectPtr& object : informer_->indexer().list()) {
    result[object->key()] = {std::string(object->uid()), std::string(object->resource_version())};
  }
  return result;
}

void StormInformer::sample() {
  const InformerStats stats = informer_->stats();
  most_queued_ = std::max(most_queued_, stats.queued);
  most_backlog_ = std::max(most_backlog_, stats.backlog);
}

std::string StormInformer::lag() const {
  const ClusterState wanted = cluster_.state(plan_.red_only);
  if (const std::string text = difference(cached(), wanted); !text.empty()) {
    const auto error = informer_->last_error();
    return fmt::format("{}: the cache: {}{}", plan_.name, text,
                       error ? " (" + error->message + ")" : "");
  }
  for (const Registered& handler : handlers_) {
    if (const std::string text = difference(handler.history.state(), wanted); !text.empty()) {
      return handler.history.name() + ": " + text;
    }
  }
  return {};
}

std::vector<std::string> StormInformer::violations() const {
  std::vector<std::string> result;
  for (const Registered& handler : handlers_) {
    const std::vector<std::string> own = handler.history.violations();
    result.insert(result.end(), own.begin(), own.end());
  }
  if (passing_) {
    const std::vector<std::string> own = passing_->violations();
    result.insert(result.end(), own.begin(), own.end());
    if (passed_events_ != 0 && passing_->events() != passed_events_) {
      result.push_back(plan_.name + ": a removed handler was called");
    }
  }
  // A list is exempt from the bound of the queue, and may take one delta per object.
  const std::size_t objects = cluster_.state().size() + 1000;
  if (most_queued_ > kQueueCapacity + 2 * objects) {
    result.push_back(fmt::format("{}: {} events waited in the queue", plan_.name, most_queued_));
  }
  if (most_backlog_ > (handlers_.size() + 1) * (kHandlerBound + 3 * objects)) {
    result.push_back(fmt::format("{}: {} events waited for handlers", plan_.name, most_backlog_));
  }
  if (most_requests() > kMostRequestsInTwoSeconds) {
    result.push_back(
        fmt::format("{}: {} requests within two seconds", plan_.name, most_requests()));
  }
  return result;
}

std::uint64_t StormInformer::events() const {
  std::uint64_t events = 0;
  for (const Registered& handler : handlers_) events += handler.history.events();
  return events;
}

std::size_t StormInformer::most_requests() const {
  return cluster_.requests().most_in_two_seconds(plan_.name);
}

}  // namespace kinf::test
