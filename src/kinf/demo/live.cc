// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/log.h"
#include "kinf/base/sync.h"
#include "kinf/cli/session/session.h"
#include "kinf/demo/live_model.h"
#include "kinf/demo/live_screen.h"
#include "kinf/demo/picture_layout.h"

namespace kinf {
namespace {

/// The time between two steps while the diagram plays.
constexpr Clock::Duration kPlayPeriod = LiveModel::kStep;
constexpr Clock::Duration kIdle = std::chrono::seconds(1);

/// Keeps log lines away from the screen, and writes them when the screen is gone.
class HeldLog {
 public:
  HeldLog() {
    log::set_sink([this](std::string_view line) {
      MutexLock lock(mu_);
      if (lines_.size() < kMost) lines_.append(line).append("\n");
    });
  }
  ~HeldLog() {
    log::set_sink({});
    MutexLock lock(mu_);
    if (!lines_.empty()) log::write_stderr(lines_);
  }
  HeldLog(const HeldLog&) = delete;
  HeldLog& operator=(const HeldLog&) = delete;

 private:
  static constexpr std::size_t kMost = 65536;  ///< bytes
  Mutex mu_;
  std::string lines_ KINF_GUARDED_BY(mu_);
};

constexpr std::string_view kKeys =
    "space step  p play  a add  u update  d delete  g 410  c cut  s slow  q quit";
/// In the tour, after the key that goes on.
constexpr std::string_view kTourKeys =
    "space step  p play  a u d change pods  g 410  c cut  s slow  q end";

/// The diagram and what the user does with it.
class LiveDemo {
 public:
  LiveDemo(LiveScreen& screen, const CommandContext& context, const DemoScene& scene,
           const SceneText& text)
      : screen_(screen), context_(context), text_(text), model_(make_live_model(scene.kind)) {
    model_->play(scene.keys);
    if (!scene.keys.empty() && scene.keys.back() != ';') hint_ = "Press space.";
  }

  /// Returns how the user has ended it.
  SceneEnd run() {
    while (!context_.stop.stop_requested() && !end_) {
      show();
      const Clock::Mono now = context_.clock.now();
      const std::optional<int> key = screen_.wait_key(is_playing_ ? next_step_ - now : kIdle);
      if (key) handle(*key);
      if (is_playing_ && context_.clock.now() >= next_step_) {
        model_->step(false);
        next_step_ = context_.clock.now() + kPlayPeriod;
      }
    }
    return end_.value_or(SceneEnd::quit);
  }

 private:
  bool has_question() const { return !text_.question.empty(); }

  void show() {
    PipelinePicture picture = model_->picture();
    picture.is_playing = is_playing_;
    picture.keys = kKeys;
    if (!hint_.empty()) picture.news.push_back(hint_);
    if (has_question()) {
      picture.heading = text_.heading;
      picture.question = text_.question;
      if (shows_answer_) picture.answer = text_.answer;
      picture.keys =
          fmt::format("{}  {}", shows_answer_ ? "Enter next" : "Enter answer", kTourKeys);
    }
    screen_.show(draw_picture(picture, screen_.columns(), screen_.lines(), screen_.characters()));
  }

  void handle(int key) {
    hint_.clear();
    switch (key) {
      case 'p':
        is_playing_ = !is_playing_ || shows_answer_;
        next_step_ = context_.clock.now();
        break;
      case LiveScreen::kControlC:
        return context_.exit_request.set(ExitCode::interrupted);
      case '\r':
      case '\n':
        return go_on();
      case 'q':
      case LiveScreen::kClosed:
        end_ = SceneEnd::quit;
        return;
      default:
        if (key <= 0) return;
        if (key == ' ') is_playing_ = false;
        model_->press(static_cast<char>(key));
    }
    shows_answer_ = false;
  }

  /// Shows the answer, then the next question.
  void go_on() {
    if (!has_question()) return;
    if (shows_answer_) end_ = SceneEnd::next;
    shows_answer_ = true;
    is_playing_ = false;
  }

  LiveScreen& screen_;
  const CommandContext& context_;
  const SceneText text_;
  const std::unique_ptr<LiveModel> model_;
  std::string hint_;  ///< shown until the first key
  bool shows_answer_ = false;
  bool is_playing_ = false;
  std::optional<SceneEnd> end_;
  Clock::Mono next_step_{};
};

Error no_terminal(std::string message) {
  Error error(ErrorKind::usage, std::move(message));
  error.hint = "kinf demo STAGE shows one part of an informer without one";
  return error;
}

}  // namespace

Result<ExitCode> live_demo(const DemoCommand& command, const CommandContext& context) {
  const Environment& environment = context.environment;
  if (!environment.stdin_is_terminal || !environment.stdout_is_terminal) {
    return std::unexpected(no_terminal("--live needs a terminal for its input and output"));
  }
  if (environment.dumb_terminal) {
    return std::unexpected(
        no_terminal("--live needs a terminal that can place text, but TERM is "
                    "dumb"));
  }
  const HeldLog log;
  auto screen = LiveScreen::open(wants_colour(command.global, environment), context.stop);
  if (!screen) return std::unexpected(std::move(screen).error());
  LiveDemo(**screen, context, {}, {}).run();
  return context.exit_request.code().value_or(ExitCode::ok);
}

SceneEnd show_scene(const DemoScene& scene, const SceneText& text, const DemoCommand& command,
                    const CommandContext& context) {
  if (context.environment.dumb_terminal) return SceneEnd::not_shown;
  const HeldLog log;
  const auto screen =
      LiveScreen::open(wants_colour(command.global, context.environment), context.stop);
  if (!screen) return SceneEnd::not_shown;
  if ((*screen)->columns() < kPictureColumns || (*screen)->lines() < kPictureLines) {
    return SceneEnd::not_shown;
  }
  return LiveDemo(**screen, context, scene, text).run();
}

}  // namespace kinf
