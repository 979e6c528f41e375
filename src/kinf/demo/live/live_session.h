// SPDX-License-Identifier: Apache-2.0
// LiveSession: a LiveModel together with the keys that were pressed, so that it can go one step
// back and do the same with another queue: it makes a new model and presses the same keys.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "kinf/demo/live/live_model.h"
#include "kinf/demo/stages/stage_table.h"
#include "kinf/informer/informer_options.h"

namespace kinf {

/// The keys that LiveSession::press() knows.
inline constexpr std::string_view kLiveKeys = " .audgcshbf";

/// Threads: not thread-safe.
class LiveSession {
 public:
  /// Shows `scene`, whose keys are pressed first. Null means an informer that has not started.
  LiveSession(const DemoScene* scene, QueueKind queue);

  /// Handles a key. `b` goes back to the state before the last key; `f` switches the queue. The
  /// others go to the model.
  void press(char key);
  /// Does a step, but never moves the clock to later work.
  void play_step();
  /// Presses `keys`, and calls `after` with each key. A `.` presses space until nothing is to do.
  void play(std::string_view keys, const std::function<void(char)>& after);
  /// Returns the picture. Its news end with a sentence if the story of the scene is over.
  PipelinePicture picture() const;
  /// Returns whether any key has been pressed and not been taken back.
  bool has_begun() const { return !pressed_.empty(); }

 private:
  bool is_over() const;
  void restart();
  void replay(char key);

  const DemoScene* scene_;
  QueueKind queue_;
  std::unique_ptr<LiveModel> model_;
  std::string pressed_;
  bool has_switched_ = false;  ///< the last key switched the queue
};

}  // namespace kinf
