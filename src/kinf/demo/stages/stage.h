// SPDX-License-Identifier: Apache-2.0
// The stages of `kinf demo`. Each stage is a small program that uses the public library. A stage
// accesses the command and the server only through Demo. stage_table.h lists them.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/lister_watcher.h"
#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/cache/queue.h"
#include "kinf/demo/stages/stage_table.h"
#include "kinf/informer/informer_observer.h"
#include "kinf/informer/shared_informer.h"

namespace kinf {

/// A line of the source that an explanation of `kinf demo` points at.
struct Place {
  std::string_view file;  ///< path in the repository
  int line = 0;
};

/// The interface through which a stage uses `kinf demo`. Also observes the informers of the stage,
/// to wake follow().
/// Threads: any thread may call print(), explain(), patch_pod() and is_over(). Only the main thread
/// may call the other functions.
class Demo : public InformerObserver {
 public:
  virtual Clock& clock() = 0;
  /// Returns a token. Stop is requested on it when the user ends the command.
  virtual std::stop_token stop() = 0;
  /// Returns a source of `type` (`pods` or `deployments`) in the namespace ns().
  virtual Result<std::unique_ptr<ListerWatcher>> source(std::string_view type) = 0;
  virtual std::string ns() = 0;
  virtual Clock::Duration resync() = 0;
  virtual std::string listen() = 0;
  /// Returns the queue of the stage: the one that the user has chosen, else its usual one.
  virtual QueueKind queue() = 0;
  /// Returns how many bytes the sources have received. Counts only the sources that source() has
  /// created since the last call of bytes_received(). These sources must still exist.
  virtual std::uint64_t bytes_received() = 0;
  /// Merges `patch`, a JSON object, into a pod of the sandbox. Fails with the message of the
  /// server, as with 409 if `patch` has another resourceVersion than the pod.
  virtual Result<void> patch_pod(const Object& pod, const std::string& patch) = 0;
  /// Deletes a pod of the sandbox, without a grace period.
  virtual Result<void> delete_pod(const Object& pod) = 0;
  /// Injects a fault into the sandbox, such as `gone`.
  virtual Result<void> inject(std::string_view fault) = 0;

  virtual void print(const std::string& line) = 0;
  /// With --explain, prints `what`, a description of what just happened, and `place`, the source
  /// line that implements it. Prints each place only the first time.
  virtual void explain(const Place& place, const std::string& what) = 0;
  /// Returns whether a client at resourceVersion `version` has seen the complete scenario. Also
  /// returns true on stop. For a real server, returns true only on stop.
  virtual bool is_over(const std::string& version) = 0;
  /// Blocks until `done()` returns true, or stop. Calls `done()` again after each print() and
  /// on_idle().
  virtual void wait_until(const std::function<bool()>& done) = 0;
  /// Blocks until the informer and its handlers have processed the complete scenario, or stop. The
  /// informer must have this object as its observer, and each handler must call print().
  void follow(const SharedInformer& informer);
};

Result<void> demo_deltafifo(Demo& demo);
Result<void> demo_dedup(Demo& demo);
Result<void> demo_synced(Demo& demo);
Result<void> demo_listwatch(Demo& demo);
Result<void> demo_versions(Demo& demo);
Result<void> demo_reflector(Demo& demo);
Result<void> demo_reflector_known(Demo& demo);
Result<void> demo_informer(Demo& demo);
Result<void> demo_shared(Demo& demo);
Result<void> demo_shared_listwatch(Demo& demo);
Result<void> demo_shared_vs_separate(Demo& demo);
Result<void> demo_slow_handler(Demo& demo);
Result<void> demo_index_map(Demo& demo);
Result<void> demo_http(Demo& demo);
Result<void> demo_factory(Demo& demo);
Result<void> demo_resync(Demo& demo);
Result<void> demo_expired_page(Demo& demo);
Result<void> demo_broken_watch(Demo& demo);
Result<void> demo_short_watch(Demo& demo);
Result<void> demo_gone(Demo& demo);
Result<void> demo_stalled_watch(Demo& demo);
Result<void> demo_workqueue(Demo& demo);
Result<void> demo_controller(Demo& demo);
Result<void> demo_conflict(Demo& demo);
Result<void> demo_stale_cache(Demo& demo);
Result<void> demo_finalizer(Demo& demo);
Result<void> demo_mutation(Demo& demo);
Result<void> demo_queue_wait(Demo& demo);
Result<void> demo_index_more(Demo& demo);
Result<void> demo_informer_rules(Demo& demo);

/// Returns `status.phase`, or an empty string if it is missing.
std::string phase_of(const Object& object);
/// Returns `ADDED`, `MODIFIED` or `DELETED`. `type` must be one of these.
std::string_view verb_of(WatchEventType type);

/// Decodes an object. `json` must be valid.
ObjectPtr object_from(std::string_view json);
/// Returns a pod with a uid and this resourceVersion, but without a namespace.
ObjectPtr small_pod(std::string_view name, int version);
/// An index function: returns the value of the label `app`, or nothing if the object lacks it.
Result<std::vector<std::string>> app_label(const Object& object);
/// Returns options with the queue of the stage.
InformerOptions informer_options(Demo& demo);
/// Makes the queue of the stage. `known`, the store that it feeds, must outlive it and may be null:
/// then a DeltaFIFO drops deletions of objects that are not queued. If the queue is in order, it
/// pops each object of a list by itself.
std::unique_ptr<Queue> make_queue(Demo& demo, const KnownObjects* known = nullptr);
/// Pops everything that is queued, and passes each entry to `handle`.
Result<void> pop_all(Queue& queue, const PopHandler& handle);

}  // namespace kinf
