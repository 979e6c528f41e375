// SPDX-License-Identifier: Apache-2.0
// LivePipeline: an informer with two handlers on one thread, for `kinf demo --live`. The informer,
// its factory, queue, cache, listeners and work queue are those of the library.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kinf/cache/queue.h"
#include "kinf/demo/live_handler.h"
#include "kinf/demo/live_model.h"
#include "kinf/demo/live_worker.h"
#include "kinf/informer/informer_observer.h"
#include "kinf/informer/shared_informer.h"
#include "kinf/informer/shared_informer_factory.h"

namespace kinf {

/// What receives the changes beside the first handler.
enum class LiveConsumers {
  handlers,      ///< a second handler
  late_handler,  ///< a second handler that add_handler() registers
  resyncs,       ///< a second handler; both have a resync period, and the first one fails once
  worker,        ///< a work queue with a worker that fails for a pod
  controller     ///< a work queue with a worker that labels each pod
};

/// Threads: one.
class LivePipeline final : public LiveModel, private InformerObserver {
 public:
  explicit LivePipeline(LiveConsumers consumers = LiveConsumers::handlers);
  ~LivePipeline() override;
  LivePipeline(const LivePipeline&) = delete;
  LivePipeline& operator=(const LivePipeline&) = delete;

  void toggle_slow() override;

 private:
  bool work() override;
  Clock::Mono next_due() const override;
  void draw(PipelinePicture& picture) const override;
  void add_handler() override;

  void on_synced(const SyncedEvent& synced) override;
  void on_relisted(const Relisted& relisted) override;
  void on_error(const InformerFailure& failure) override;
  void on_resync() override;

  /// Asks the factory for the informer of pods.
  SharedInformer& informer_of_pods();
  void add_worker();
  LiveWorker::Outcome fail_for_pod_5(const std::string& key, int failures) const;
  LiveWorker::Outcome write_label(const std::string& key);
  void describe_push();
  /// `before`: the counters before the pop.
  void describe_pop(const Deltas& popped, const InformerStats& before);

  const LiveConsumers consumers_;
  LiveHandler handler1_;
  LiveHandler handler2_;
  std::unique_ptr<LiveWorker> worker_;  ///< in place of handler2_; null: none
  SharedInformerFactory factory_;
  SharedInformer& informer_;
  LiveServer& server_;  ///< owned by the informer
  StepResult last_;
  Clock::Mono request_at_{};  ///< when the reflector sends its next request, if that is known
};

}  // namespace kinf
