// SPDX-License-Identifier: Apache-2.0
// LiveModel: the state behind the diagram of `kinf demo --live`: a cluster, and classes of the
// library that receive its changes. All of them run step by step on one thread. Each subclass shows
// a different set of classes.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/demo/live/live_server.h"
#include "kinf/demo/live/pipeline_picture.h"
#include "kinf/informer/informer_options.h"

namespace kinf {

enum class LiveKind;  // defined in demo/stages/stage_table.h

/// A clock that stands still between two steps of `kinf demo --live`, so that the user can study
/// each step without a time limit. Only advance() and wait_until() move the clock.
/// Threads: not thread-safe.
class DemoClock final : public Clock {
 public:
  Mono now() const override { return Mono{} + passed_; }
  Wall wall() const override { return Wall{} + passed_; }
  /// Moves the clock to `deadline`, because no other thread could end the wait earlier.
  void wait_until(CondVar& cv, Mutex& mu, Mono deadline, const std::stop_token& stop)
      KINF_REQUIRES(mu) override {
    (void)cv, (void)mu, (void)stop;
    if (deadline != kNever) passed_ = std::max(passed_, deadline - Mono{});
  }
  void advance(Duration by) { passed_ += by; }
  /// Returns the time since the start.
  Duration passed() const { return passed_; }

 private:
  Duration passed_{};
};

/// Threads: not thread-safe.
class LiveModel {
 public:
  /// Starts with three pods at the server and no request.
  LiveModel();
  virtual ~LiveModel() = default;
  LiveModel(const LiveModel&) = delete;
  LiveModel& operator=(const LiveModel&) = delete;

  /// Moves the clock by kStep, and does the next piece of work. If neither this step nor the last
  /// one finds work and `may_skip` is true, moves the clock to the time of the next work and does
  /// that work.
  void step(bool may_skip);
  static constexpr Clock::Duration kStep = std::chrono::milliseconds(500);

  /// Handles a key. Space calls step(). `a`, `u`, `d`, `g`, `c` and `s` call the functions below.
  /// `h` adds a handler if the model supports that. Ignores other keys.
  void press(char key);
  /// Presses the keys of `scene`, and calls `after` with each key. A `.` presses space until no
  /// work is left. A `;` presses space until no work is due now, even if later work is left.
  void play(std::string_view scene, const std::function<void(char)>& after = {});

  // The changes that the user can make to the cluster.
  void add_pod();
  void update_pod();
  void delete_pod();
  void send_gone();
  void cut();
  /// Slows a handler down, or makes it fast again.
  virtual void toggle_slow();

  PipelinePicture picture() const;
  /// Counts the steps from 1 again, after the keys of a scene.
  void begin_story() { steps_ = 1; }
  std::uint64_t steps() const { return steps_; }
  /// Returns whether the last step found nothing to do, and nothing is due later.
  bool is_quiet() const { return waited_ && next_due() == Clock::kNever; }

 protected:
  /// Does one piece of work. Returns false if there is nothing to do now.
  virtual bool work() = 0;
  /// Returns when the next work is due, or kNever if there is none.
  virtual Clock::Mono next_due() const = 0;
  /// Adds the parts of the picture that belong to the subclass.
  virtual void draw(PipelinePicture& picture) const = 0;
  /// Registers another handler. The default does nothing.
  virtual void add_handler() {}

  /// Returns a new API server for one client of the cluster. `client` is the name of the client in
  /// sentences, such as `The reflector`.
  std::unique_ptr<LiveServer> make_server(std::string client);
  void say(PicturePart part, std::string sentence);
  /// Adds a sentence before the other sentences of this step.
  void say_first(std::string sentence) { news_.insert(news_.begin(), std::move(sentence)); }
  /// Adds a sentence that says when the reflector sends its next request.
  void say_retry(Clock::Duration after);
  /// Adds a sentence about an action of the user. The first action after a step replaces the
  /// sentences of that step.
  void report(PicturePart part, std::string sentence);
  void move(PicturePart part) { moved_.insert(part); }
  bool has_moved(PicturePart part) const { return moved_.contains(part); }

  DemoClock clock_;
  LiveCluster cluster_;
  std::vector<LiveServer*> servers_;  ///< not owned: the subclass or its informer owns them

 private:
  void describe_waiting(bool may_skip);

  bool waited_ = false;     ///< the last step found nothing to do
  bool has_acted_ = false;  ///< the user has done something since the last step
  std::uint64_t steps_ = 0;
  std::vector<std::string> news_;
  std::set<PicturePart> moved_;
};

/// Makes the model of a scene.
std::unique_ptr<LiveModel> make_live_model(LiveKind kind, QueueKind queue = QueueKind::delta);

// Used by make_live_model(). Each class is in the file with its name, such as live_pipeline.cc.
std::unique_ptr<LiveModel> make_live_pipeline(LiveKind kind, QueueKind queue);
std::unique_ptr<LiveModel> make_live_reflector(bool has_store);
std::unique_ptr<LiveModel> make_live_informers();
std::unique_ptr<LiveModel> make_live_requests();

}  // namespace kinf
