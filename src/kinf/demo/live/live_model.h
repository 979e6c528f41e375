// SPDX-License-Identifier: Apache-2.0
// LiveModel: what `kinf demo --live` shows: a cluster, and classes of the library that receive its
// changes, step by step on one thread. The subclasses decide which classes.
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

namespace kinf {

enum class LiveKind;  // demo/stages/stage_table.h

/// A clock that moves only in advance(), so that `kinf demo --live` can show a moment for
/// as long as the user wants.
/// Threads: one.
class DemoClock final : public Clock {
 public:
  Mono now() const override { return Mono{} + passed_; }
  Wall wall() const override { return Wall{} + passed_; }
  /// Nothing else runs, so waiting is moving the clock.
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

/// Threads: one.
class LiveModel {
 public:
  /// Starts with three pods at the server and no request.
  LiveModel();
  virtual ~LiveModel() = default;
  LiveModel(const LiveModel&) = delete;
  LiveModel& operator=(const LiveModel&) = delete;

  /// Does the next piece of work, and moves the clock by kStep. If there is nothing to do until
  /// later and `may_skip`, moves it to that time.
  void step(bool may_skip);
  static constexpr Clock::Duration kStep = std::chrono::milliseconds(500);

  /// Does what the key means: space steps, `a`, `u`, `d`, `g`, `c` and `s` call the functions
  /// below, and `h` adds a handler, if the model can. Ignores other keys.
  void press(char key);
  /// Presses the keys of `scene`, and calls `after` with each. A `.` steps until there is nothing
  /// to do, a `;` until something is due only later: `after` gets a space for each step.
  void play(std::string_view scene, const std::function<void(char)>& after = {});

  // What the user does to the cluster.
  void add_pod();
  void update_pod();
  void delete_pod();
  void send_gone();
  void cut();
  /// Slows a handler down, or makes it fast again.
  virtual void toggle_slow();

  PipelinePicture picture() const;

 protected:
  /// Does one piece of work. Returns false if there is nothing to do now.
  virtual bool work() = 0;
  /// Returns when something is due; kNever if nothing is.
  virtual Clock::Mono next_due() const = 0;
  /// Adds everything that the picture shows of the subclass.
  virtual void draw(PipelinePicture& picture) const = 0;
  /// Registers another handler.
  virtual void add_handler() {}

  /// Returns a server of the cluster for `client`, such as `The reflector`.
  std::unique_ptr<LiveServer> make_server(std::string client);
  void say(PicturePart part, std::string sentence);
  /// Puts a sentence before those of this step.
  void say_first(std::string sentence) { news_.insert(news_.begin(), std::move(sentence)); }
  /// Says when the reflector sends its next request.
  void say_retry(Clock::Duration after);
  /// Says what the user has just done, instead of what happened in the last step.
  void report(PicturePart part, std::string sentence);
  void move(PicturePart part) { moved_.insert(part); }
  bool has_moved(PicturePart part) const { return moved_.contains(part); }

  DemoClock clock_;
  LiveCluster cluster_;
  std::vector<LiveServer*> servers_;  ///< owned by those who use them

 private:
  void describe_waiting(bool may_skip);
  bool is_quiet() const { return waited_ && next_due() == Clock::kNever; }

  bool waited_ = false;     ///< the last step found nothing to do
  bool has_acted_ = false;  ///< the user has done something since the last step
  std::uint64_t steps_ = 0;
  std::vector<std::string> news_;
  std::set<PicturePart> moved_;
};

/// Makes the model of a scene.
std::unique_ptr<LiveModel> make_live_model(LiveKind kind);

// Used by make_live_model(). Each class is in the file of its name.
std::unique_ptr<LiveModel> make_live_pipeline(LiveKind kind);
std::unique_ptr<LiveModel> make_live_reflector(bool has_store);
std::unique_ptr<LiveModel> make_live_informers();
std::unique_ptr<LiveModel> make_live_requests();

}  // namespace kinf
