// SPDX-License-Identifier: Apache-2.0
// LivePipeline: an informer with two handlers on one thread, for `kinf demo --live`. The informer,
// its queue, cache and listeners are those of the library; the server and the clock are its own.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kinf/cache/delta.h"
#include "kinf/cli/demo/demo_clock.h"
#include "kinf/cli/demo/live_handler.h"
#include "kinf/cli/demo/live_server.h"
#include "kinf/cli/demo/pipeline_picture.h"
#include "kinf/informer/informer_observer.h"
#include "kinf/informer/shared_informer.h"
#include "kinf/informer/step_result.h"

namespace kinf {

/// Threads: one.
class LivePipeline final : private InformerObserver {
 public:
  /// Starts with three pods at the server and no request.
  LivePipeline();
  ~LivePipeline() override;
  LivePipeline(const LivePipeline&) = delete;
  LivePipeline& operator=(const LivePipeline&) = delete;

  /// Does the next piece of work, and moves the clock by kStep. If there is nothing to do until
  /// later and `may_skip`, moves it to that time.
  void step(bool may_skip);
  static constexpr Clock::Duration kStep = std::chrono::milliseconds(500);

  /// Does what the key means: space steps, `a`, `u`, `d`, `g`, `c` and `s` call the functions
  /// below. Ignores other keys.
  void press(char key);
  /// Presses the keys of `scene`, and calls `after` with each. A `.` steps until there is nothing
  /// to do: `after` gets a space for each step.
  void play(std::string_view scene, const std::function<void(char)>& after = {});

  // What the user does to the cluster and to the second handler.
  void add_pod();
  void update_pod();
  void delete_pod();
  void send_gone();
  void cut();
  void toggle_slow();

  PipelinePicture picture() const;

 private:
  void on_synced(const SyncedEvent& synced) override;
  void on_relisted(const Relisted& relisted) override;
  void on_error(const InformerFailure& failure) override;

  void say(PicturePart part, std::string sentence);
  /// Replaces the news by one sentence about the server or a handler.
  void report(PicturePart part, std::string sentence);
  bool work();
  void describe_push();
  /// `before`: the counters before the pop.
  void describe_pop(const Deltas& popped, const InformerStats& before);
  void describe_waiting(bool may_skip);
  bool is_quiet() const { return waited_ && next_due() == Clock::kNever; }
  /// Returns when something is due; kNever if nothing is.
  Clock::Mono next_due() const;
  std::string activity() const;
  std::string back_off() const;
  std::vector<PipelinePicture::StoredPod> store() const;
  std::vector<PipelinePicture::IndexValue> index() const;
  PipelinePicture::Handler handler(const LiveHandler& handler,
                                   const HandlerRegistration& registration) const;

  DemoClock clock_;
  LiveServer* server_ = nullptr;  ///< owned by the informer
  LiveHandler handler1_;
  LiveHandler handler2_;
  std::optional<SharedInformer> informer_;
  HandlerRegistration registration1_;
  HandlerRegistration registration2_;
  StepResult last_;
  Clock::Mono request_at_{};  ///< when the reflector sends its next request, if that is known
  bool waited_ = false;       ///< the last step found nothing to do
  std::uint64_t steps_ = 0;
  std::vector<std::string> news_;
  std::set<PicturePart> moved_;
};

}  // namespace kinf
