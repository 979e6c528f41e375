// SPDX-License-Identifier: Apache-2.0
// The stages about work queues: workqueue and controller.

#include <fmt/format.h>

#include <set>
#include <thread>

#include "kinf/api/event_handler.h"
#include "kinf/demo/stages/places.h"
#include "kinf/demo/stages/stage.h"
#include "kinf/workqueue/rate_limiting_queue.h"
#include "kinf/workqueue/work_queue.h"

namespace kinf {

namespace {

/// Returns a handler that only adds the key of each changed object to a queue, as in a controller.
FunctionHandler enqueue_key(WorkQueue& queue) {
  return FunctionHandler([&queue](const Change& change) { queue.add(change.key); });
}

}  // namespace

// Stage workqueue: a handler adds keys to a queue. A worker takes each key, reads the cache, and
// adds failed keys again with a growing delay.
namespace {

void work_on_pod(Demo& demo, RateLimitingQueue& queue, const StoreReader& pods,
                 const std::string& key) {
  const ObjectPtr pod = pods.get_by_key(key);
  if (pod && pod->name().starts_with("wiremock") && queue.num_requeues(key) < 3) {
    demo.print(fmt::format("{}: failed, again in {} ms", key,
                           queue.add_rate_limited(key) / std::chrono::milliseconds(1)));
    demo.explain(kBackoff, fmt::format("failure {} of {}; each further one doubles the delay",
                                       queue.num_requeues(key), key));
    return;
  }
  demo.explain(
      kWorkQueue,
      fmt::format("the queue gave only the key {}; the worker reads the "
                  "cache, which has {}",
                  key,
                  pod ? "resourceVersion " + std::string(pod->resource_version()) : "no such pod"));
  queue.forget(key);
  demo.print(fmt::format("{}: {}", key, pod ? phase_of(*pod) : "is gone"));
}

}  // namespace

Result<void> demo_workqueue(Demo& demo) {
  auto source = demo.source("pods");
  if (!source) return std::unexpected(source.error());
  RateLimitingQueue queue(demo.clock(), std::make_unique<ExponentialFailureLimiter>(
                                            std::chrono::milliseconds(100), std::chrono::hours(1)));
  FunctionHandler handler = enqueue_key(queue);
  SharedInformer informer(*std::move(source), demo.clock(), informer_options(demo), &demo);
  const auto registration = informer.add_event_handler(handler);
  if (!registration) return std::unexpected(registration.error());
  if (auto started = informer.start(demo.stop()); !started) return started;
  std::jthread worker([&] {
    while (const auto key = queue.get(demo.stop())) {
      work_on_pod(demo, queue, informer.indexer(), *key);
      queue.done(*key);  // queues the key again if it was added during the work
    }
  });
  demo.follow(informer);
  queue.shut_down_with_drain(demo.stop());
  informer.stop();
  return {};
}

// Stage controller: reads from the cache, writes to the server, and receives its own write through
// the watch, as any other client does. So it must not write again when there is nothing left to do.
namespace {

/// Adds the label `checked` to the pod unless it has the label. Returns true if nothing was left to
/// do.
Result<bool> reconcile(Demo& demo, const StoreReader& pods, const std::string& key) {
  const ObjectPtr pod = pods.get_by_key(key);
  if (!pod) return true;
  const std::string version(pod->resource_version());
  if (pod->label("checked")) {
    demo.print(fmt::format("{}: has the label, nothing to do", key));
    demo.explain(kWatchEvent,
                 fmt::format("its own write came back as an event of the watch: {} is at "
                             "resourceVersion {} in the cache",
                             key, version));
    return true;
  }
  demo.print(fmt::format("{}: writes the label checked=yes", key));
  demo.explain(kWorkQueue, fmt::format("decided from the cache, where {} has resourceVersion {}, "
                                       "without a request",
                                       key, version));
  const Result<void> written = demo.patch_pod(*pod, R"({"metadata":{"labels":{"checked":"yes"}}})");
  if (!written) return std::unexpected(written.error());
  return false;
}

}  // namespace

Result<void> demo_controller(Demo& demo) {
  auto source = demo.source("pods");
  if (!source) return std::unexpected(source.error());
  WorkQueue queue(demo.clock());
  FunctionHandler handler = enqueue_key(queue);
  SharedInformer informer(*std::move(source), demo.clock(), informer_options(demo), &demo);
  const auto registration = informer.add_event_handler(handler);
  if (!registration) return std::unexpected(registration.error());
  if (auto started = informer.start(demo.stop()); !started) return started;
  if (auto synced = informer.wait_for_sync(Clock::kNever, demo.stop()); !synced) return synced;
  std::set<std::string> done;
  while (done.size() < informer.indexer().size()) {
    const auto key = queue.get(demo.stop());
    if (!key) break;
    const Result<bool> reconciled = reconcile(demo, informer.indexer(), *key);
    queue.done(*key);
    if (!reconciled) return std::unexpected(reconciled.error());
    if (*reconciled) done.insert(*key);
  }
  informer.stop();
  return {};
}

}  // namespace kinf
