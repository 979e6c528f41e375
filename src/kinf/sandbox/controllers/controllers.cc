// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/controllers.h"

#include <algorithm>
#include <utility>

namespace kinf::sandbox {

Controllers::Controllers(ResourceStore& store, ObjectService& objects, const ApiTypes& types,
                         Clock& clock, Options options)
    : store_(store),
      cluster_(store, objects, types, clock, options.speed, std::move(options.is_scripted)) {
  const auto is_left_alone = [this, enabled = options.enabled,
                              is_removed_later =
                                  std::move(options.is_removed_later)](const Json& pod) {
    return (is_removed_later && is_removed_later({"pods", key_of(pod)})) ||
           (enabled && has_kubelet(cluster_, pod));
  };
  loops_.push_back(pod_remover(cluster_, is_left_alone));
  if (!options.enabled) {
    cluster_.mirror().restrict_to("pods");
    return;
  }
  for (const auto& make : {claims, scheduler, kubelet, deployments, replica_sets, stateful_sets,
                           daemon_sets, jobs, cron_jobs, garbage_collector, namespaces}) {
    loops_.push_back(make(cluster_));
  }
}

void Controllers::start() {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Controllers::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    step();
    store_.wait_any(cluster_.mirror().version(), next(), stop);
  }
}

bool Controllers::step() {
  for (const MirrorChange& change : cluster_.mirror().sync()) {
    for (const auto& loop : loops_) loop->observe(change);
  }
  for (const auto& loop : loops_) loop->act();
  return store_.version() > cluster_.mirror().version();
}

Clock::Mono Controllers::next() const {
  Clock::Mono first = Clock::kNever;
  for (const auto& loop : loops_) first = std::min(first, loop->next());
  return first;
}

}  // namespace kinf::sandbox
