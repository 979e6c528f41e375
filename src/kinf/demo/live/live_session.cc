// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live/live_session.h"

namespace kinf {
namespace {

constexpr char kPlayed = '>';  ///< stands in pressed_ for a step of play_step()
/// How many keys a session takes: it presses all of them again to go back.
constexpr std::size_t kKeysKept = 10000;

/// What the diagram says of a queue after a switch to it.
constexpr std::string_view kAboutDelta =
    "Now with the DeltaFIFO: all changes of a pod wait in one entry, at the place of the first. So "
    "changes of different pods change their order.";
constexpr std::string_view kAboutInOrder =
    "Now in order, as client-go's RealFIFO: each change is an entry. The store is always in a "
    "state "
    "that the server had. That is why client-go went from the DeltaFIFO to it.";
constexpr std::string_view kNoChoice = "This scene has no other queue to show.";

}  // namespace

LiveSession::LiveSession(const DemoScene* scene, QueueKind queue) : scene_(scene), queue_(queue) {
  restart();
}

void LiveSession::press(char key) {
  has_switched_ = key == 'f';
  if (key == 'b') {
    if (pressed_.empty()) return;
    pressed_.pop_back();
    return restart();
  }
  if (key == 'f') {
    queue_ = queue_ == QueueKind::delta ? QueueKind::in_order_atomic : QueueKind::delta;
    return restart();
  }
  if (pressed_.size() >= kKeysKept) return;
  pressed_ += key;
  replay(key);
}

void LiveSession::play(std::string_view keys, const std::function<void(char)>& after) {
  constexpr int kSteps = 1000;  // more steps than any scene takes
  const auto press_one = [&](char key) {
    press(key);
    after(key);
  };
  for (const char key : keys) {
    if (key != '.') press_one(key);
    for (int steps = 0; key == '.' && !model_->is_quiet() && steps < kSteps; ++steps) {
      press_one(' ');
    }
  }
}

void LiveSession::play_step() {
  if (pressed_.size() >= kKeysKept) return;
  pressed_ += kPlayed;
  replay(kPlayed);
}

void LiveSession::replay(char key) { key == kPlayed ? model_->step(false) : model_->press(key); }

void LiveSession::restart() {
  model_ = make_live_model(scene_ != nullptr ? scene_->kind : LiveKind::informer, queue_);
  if (scene_ != nullptr) {
    model_->play(scene_->keys);
    model_->begin_story();
  }
  for (const char key : pressed_) replay(key);
}

bool LiveSession::is_over() const {
  if (scene_ == nullptr || !has_begun()) return false;
  return model_->is_quiet() || (scene_->steps > 0 && model_->steps() > scene_->steps);
}

PipelinePicture LiveSession::picture() const {
  PipelinePicture picture = model_->picture();
  if (has_switched_) {
    const bool is_in_order = queue_ != QueueKind::delta && picture.queue_name != "DeltaFIFO";
    picture.news = {std::string(is_in_order                  ? kAboutInOrder
                                : queue_ == QueueKind::delta ? kAboutDelta
                                                             : kNoChoice)};
    return picture;
  }
  if (is_over()) {
    if (model_->is_quiet()) picture.news.clear();
    picture.news.emplace_back("The story of this scene is over: press Enter, or play on.");
  }
  return picture;
}

}  // namespace kinf
