// SPDX-License-Identifier: Apache-2.0
// The table of the stages of `kinf demo`: what each shows and needs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kinf/base/error.h"

namespace kinf {

class Demo;

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
