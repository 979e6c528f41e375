// SPDX-License-Identifier: Apache-2.0
// LiveReflector: a reflector and a DeltaFifo without an informer around them, for
// `kinf demo --live`.
#pragma once

#include <string>

#include "kinf/cache/delta_fifo.h"
#include "kinf/cache/indexer.h"
#include "kinf/demo/live_model.h"
#include "kinf/informer/reflector.h"
#include "kinf/informer/user_call.h"

namespace kinf {

/// Threads: one.
class LiveReflector final : public LiveModel, private InformerObserver {
 public:
  /// `has_store`: what is popped is stored, and the queue knows the stored objects.
  explicit LiveReflector(bool has_store);
  ~LiveReflector() override;
  LiveReflector(const LiveReflector&) = delete;
  LiveReflector& operator=(const LiveReflector&) = delete;

 private:
  bool work() override;
  Clock::Mono next_due() const override { return last_.wake; }
  void draw(PipelinePicture& picture) const override;
  void on_error(const InformerFailure& failure) override;

  DeltaFifoOptions queue_options() const;
  void pop();
  Result<> take(const Deltas& popped);
  /// `events`: how many events have just arrived.
  void describe_push(std::uint64_t events);

  const bool has_store_;
  Indexer store_;
  DeltaFifo queue_;
  const std::unique_ptr<LiveServer> server_;
  const InformerOptions options_;
  ReflectorHost host_;
  InformerCounters counters_;
  Reflector reflector_;
  StepResult last_;
  Clock::Mono request_at_{};
  std::vector<std::string> popped_;  ///< newest first
};

}  // namespace kinf
