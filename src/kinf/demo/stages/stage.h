// SPDX-License-Identifier: Apache-2.0
// The stages of `kinf demo`, and a table of what each shows and needs. Each stage is a small
// program that uses the public library. It sees the command and the server only through Demo.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/lister_watcher.h"
#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/cache/queue.h"
#include "kinf/informer/informer_observer.h"
#include "kinf/informer/shared_informer.h"

namespace kinf {

/// A line of the source that an explanation of `kinf demo` points at.
struct Place {
  std::string_view file;  ///< path in the repository
  int line = 0;
};

/// Passed to a stage. Also observes the informers of the stage to wake follow().
/// Threads: any thread may call print(), explain() and is_over(); the rest: the main thread.
class Demo : public InformerObserver {
 public:
  virtual Clock& clock() = 0;
  /// Requests stop when the user ends the command.
  virtual std::stop_token stop() = 0;
  /// Returns a source of `type` (`pods` or `deployments`) in the namespace ns().
  virtual Result<std::unique_ptr<ListerWatcher>> source(std::string_view type) = 0;
  virtual std::string ns() = 0;
  virtual Clock::Duration resync() = 0;
  virtual std::string listen() = 0;
  /// Returns the number of bytes that the sources returned since the last call have received. They
  /// must still exist.
  virtual std::uint64_t bytes_received() = 0;
  /// Writes to a pod of the sandbox: merges `patch`, a JSON object, into it.
  virtual Result<void> patch_pod(const Object& pod, const std::string& patch) = 0;
  /// Injects a fault into the sandbox, such as `gone`.
  virtual Result<void> inject(std::string_view fault) = 0;

  virtual void print(const std::string& line) = 0;
  /// With --explain, says what just happened and where the source implements it. Explains each
  /// place once, the first time.
  virtual void explain(const Place& place, const std::string& what) = 0;
  /// Returns whether a client at resourceVersion `version` has seen the complete scenario, or on
  /// stop. For a real server, returns true only on stop.
  virtual bool is_over(const std::string& version) = 0;
  /// Blocks until `done()` returns true, or stop. Calls it again after each print() and on_idle().
  virtual void wait_until(const std::function<bool()>& done) = 0;
  /// Blocks until the informer and its handlers have processed the complete scenario, or stop. The
  /// informer must have this object as its observer, and each handler must call print().
  void follow(const SharedInformer& informer);
};

Result<void> demo_deltafifo(Demo& demo);
Result<void> demo_dedup(Demo& demo);
Result<void> demo_synced(Demo& demo);
Result<void> demo_listwatch(Demo& demo);
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
Result<void> demo_faults(Demo& demo);
Result<void> demo_workqueue(Demo& demo);
Result<void> demo_controller(Demo& demo);

/// Returns `status.phase`, or an empty string if it is missing.
std::string phase_of(const Object& object);
/// Decodes an object. `json` must be valid.
ObjectPtr object_from(std::string_view json);
/// Returns a pod without a namespace that has a uid and this resourceVersion.
ObjectPtr small_pod(std::string_view name, int version);
/// Returns the value of the label app, as an index function does.
Result<std::vector<std::string>> app_label(const Object& object);
/// Pops everything that is queued, and passes it to `handle`.
Result<void> pop_all(Queue& queue, const PopHandler& handle);

/// What a stage needs. The flags of other things are refused.
enum class StageServer {
  none,         ///< runs on objects of its own
  scenario,     ///< a server; the sandbox plays a scenario
  still,        ///< a server; nothing happens in the sandbox
  sandbox_only  ///< like still, but writes or injects faults, so never a real server
};

/// What the diagram shows: which classes receive the changes.
enum class LiveKind {
  informer,         ///< an informer with two handlers
  late_handler,     ///< the same; the second handler is registered by `h`
  resyncs,          ///< the same; each handler has a resync period
  worker,           ///< an informer with a work queue
  controller,       ///< the same; the worker writes to the server
  reflector,        ///< a reflector and a queue
  reflector_known,  ///< the same with a store
  two_informers,    ///< two informers that share nothing
  requests          ///< a list and a watch
};

/// What the tour shows in the diagram instead of running a stage.
struct DemoScene {
  LiveKind kind = LiveKind::informer;
  std::string_view keys{};  ///< pressed before the user steps on: see LiveModel::play()
};

struct DemoStage {
  std::string_view name;
  Result<void> (*run)(Demo&);
  std::string_view summary;  ///< one line
  StageServer server = StageServer::scenario;
  bool has_resync = false;
  bool has_listen = false;
  std::string_view question{};  ///< what the tour asks before it runs the stage
  std::string_view answer{};    ///< what it says afterwards
  std::optional<DemoScene> scene{};
};

/// Returns all stages, in the order of the tour.
std::span<const DemoStage> demo_stages();
/// Returns one line for each stage.
std::string stage_list();
/// Returns null if there is no stage of this name.
const DemoStage* find_stage(std::string_view name);

}  // namespace kinf
