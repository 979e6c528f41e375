// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live_informers.h"
#include "kinf/demo/live_pipeline.h"
#include "kinf/demo/live_reflector.h"
#include "kinf/demo/live_requests.h"

namespace kinf {

std::unique_ptr<LiveModel> make_live_model(LiveKind kind) {
  switch (kind) {
    case LiveKind::informer:
      return std::make_unique<LivePipeline>(LiveConsumers::handlers);
    case LiveKind::late_handler:
      return std::make_unique<LivePipeline>(LiveConsumers::late_handler);
    case LiveKind::resyncs:
      return std::make_unique<LivePipeline>(LiveConsumers::resyncs);
    case LiveKind::worker:
      return std::make_unique<LivePipeline>(LiveConsumers::worker);
    case LiveKind::controller:
      return std::make_unique<LivePipeline>(LiveConsumers::controller);
    case LiveKind::reflector:
      return std::make_unique<LiveReflector>(false);
    case LiveKind::reflector_known:
      return std::make_unique<LiveReflector>(true);
    case LiveKind::two_informers:
      return std::make_unique<LiveInformers>();
    case LiveKind::requests:
      return std::make_unique<LiveRequests>();
  }
  return nullptr;
}

}  // namespace kinf
