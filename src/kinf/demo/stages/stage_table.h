// SPDX-License-Identifier: Apache-2.0
// The table of the stages of `kinf demo`: what each stage shows and needs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kinf/base/error.h"

namespace kinf {

class Demo;

/// The server that a stage needs. Flags that do not apply to it are rejected.
enum class StageServer {
  none,         ///< no server: the stage creates its own objects
  scenario,     ///< any server; the sandbox plays a scenario
  still,        ///< any server; the sandbox plays no scenario
  sandbox_only  ///< only the sandbox, because the stage writes or injects faults
};

/// The queue that a stage uses unless `--queue` chooses another one.
enum class StageQueue { none, delta, in_order };

/// The classes that the diagram shows.
enum class LiveKind {
  informer,         ///< an informer with two handlers
  late_handler,     ///< like informer, but the key `h` registers the second handler
  resyncs,          ///< like informer; each handler has a resync period
  worker,           ///< an informer with a work queue
  controller,       ///< like worker; the worker writes to the server
  reflector,        ///< a reflector and a queue
  reflector_known,  ///< like reflector, with a store
  two_informers,    ///< two informers that share nothing
  requests          ///< a list request and a watch request
};

/// What the tour shows in the diagram instead of running a stage.
struct DemoScene {
  LiveKind kind = LiveKind::informer;
  std::string_view keys{};  ///< keys to press before the user continues; see LiveModel::play()
  std::size_t steps = 0;    ///< the last step of its story; 0 means when nothing is left to do
};

struct DemoStage {
  std::string_view name;
  Result<void> (*run)(Demo&);
  std::string_view summary;  ///< what the stage shows, in one line
  StageServer server = StageServer::scenario;
  bool has_resync = false;
  bool has_listen = false;
  StageQueue queue = StageQueue::in_order;  ///< none: `--queue` has no effect
  std::string_view question{};              ///< what the tour asks before it runs the stage
  std::string_view answer{};                ///< what the tour says after the stage
  std::optional<DemoScene> scene{};
};

/// Returns all stages, in the order of the tour.
std::span<const DemoStage> demo_stages();
/// Returns the names and summaries of all stages, one stage per line.
std::string stage_list();
/// Returns null if there is no stage of this name.
const DemoStage* find_stage(std::string_view name);

}  // namespace kinf
