// SPDX-License-Identifier: Apache-2.0
// Stage controller: reads from the cache, writes to the server, and hears of its own write through
// the watch, as any other client does. So it must stop when there is nothing left to do.
#include <fmt/format.h>

#include <set>

#include "kinf/demo/enqueue_key.h"
#include "kinf/demo/places.h"
#include "kinf/demo/stage.h"
#include "kinf/workqueue/work_queue.h"

namespace kinf {
namespace {

/// Makes sure that the pod has the label checked. Returns true if it already has.
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
  const Result<> written = demo.patch_pod(*pod, R"({"metadata":{"labels":{"checked":"yes"}}})");
  if (!written) return std::unexpected(written.error());
  return false;
}

}  // namespace

Result<> demo_controller(Demo& demo) {
  auto source = demo.source("pods");
  if (!source) return std::unexpected(source.error());
  WorkQueue queue(demo.clock());
  EnqueueKey handler(queue);
  SharedInformer informer(*std::move(source), demo.clock(), {}, &demo);
  const auto registration = informer.add_event_handler(handler);
  if (!registration) return std::unexpected(registration.error());
  informer.start(demo.stop());
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
