// SPDX-License-Identifier: Apache-2.0
// Stage workqueue: a handler adds keys to a queue. A worker removes them, reads the cache, and adds
// failed keys again with a growing delay.
#include <fmt/format.h>

#include <thread>

#include "kinf/demo/enqueue_key.h"
#include "kinf/demo/places.h"
#include "kinf/demo/stage.h"
#include "kinf/workqueue/rate_limiting_queue.h"

namespace kinf {
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

Result<> demo_workqueue(Demo& demo) {
  auto source = demo.source("pods");
  if (!source) return std::unexpected(source.error());
  RateLimitingQueue queue(demo.clock(), std::make_unique<ExponentialFailureLimiter>(
                                            std::chrono::milliseconds(100), std::chrono::hours(1)));
  EnqueueKey handler(queue);
  SharedInformer informer(*std::move(source), demo.clock(), {}, &demo);
  const auto registration = informer.add_event_handler(handler);
  if (!registration) return std::unexpected(registration.error());
  informer.start(demo.stop());
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

}  // namespace kinf
