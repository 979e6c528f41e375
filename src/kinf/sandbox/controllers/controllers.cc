// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/controllers.h"

#include <algorithm>
#include <utility>

#include "kinf/sandbox/controllers/cron_jobs.h"
#include "kinf/sandbox/controllers/daemon_sets.h"
#include "kinf/sandbox/controllers/deployments.h"
#include "kinf/sandbox/controllers/garbage_collector.h"
#include "kinf/sandbox/controllers/jobs.h"
#include "kinf/sandbox/controllers/kubelet.h"
#include "kinf/sandbox/controllers/namespaces.h"
#include "kinf/sandbox/controllers/pod_remover.h"
#include "kinf/sandbox/controllers/replica_sets.h"
#include "kinf/sandbox/controllers/scheduler.h"
#include "kinf/sandbox/controllers/stateful_sets.h"

namespace kinf::sandbox {

Controllers::Controllers(ResourceStore& store, ObjectService& objects, const ApiTypes& types,
                         Clock& clock, Options options)
    : store_(store),
      cluster_(store, objects, types, clock, options.speed, std::move(options.is_scripted)) {
  const auto is_left_alone = [this, enabled = options.enabled,
                              is_removed_later = std::move(options.is_removed_later)](
                                 const ObjectId& id, const Json& pod) {
    return (is_removed_later && is_removed_later(id)) ||
           (enabled && Kubelet::runs(cluster_, id, pod));
  };
  loops_.push_back(std::make_unique<PodRemover>(cluster_, objects, types, is_left_alone));
  if (!options.enabled) {
    cluster_.mirror().restrict_to("pods");
    return;
  }
  loops_.push_back(std::make_unique<Scheduler>(cluster_));
  loops_.push_back(std::make_unique<Kubelet>(cluster_));
  loops_.push_back(std::make_unique<Deployments>(cluster_));
  loops_.push_back(std::make_unique<ReplicaSets>(cluster_));
  loops_.push_back(std::make_unique<StatefulSets>(cluster_));
  loops_.push_back(std::make_unique<DaemonSets>(cluster_));
  loops_.push_back(std::make_unique<Jobs>(cluster_));
  loops_.push_back(std::make_unique<CronJobs>(cluster_));
  loops_.push_back(std::make_unique<GarbageCollector>(cluster_));
  loops_.push_back(std::make_unique<Namespaces>(cluster_));
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
