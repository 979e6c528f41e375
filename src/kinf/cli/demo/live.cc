// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/demo/live.h"

#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/log.h"
#include "kinf/base/sync.h"
#include "kinf/cli/demo/live_pipeline.h"
#include "kinf/cli/demo/live_screen.h"
#include "kinf/cli/demo/picture_layout.h"
#include "kinf/cli/session.h"

namespace kinf {
namespace {

/// The time between two steps while the diagram plays.
constexpr Clock::Duration kPlayPeriod = LivePipeline::kStep;
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

/// The diagram and what the user does with it.
class LiveDemo {
 public:
  LiveDemo(LiveScreen& screen, const CommandContext& context, std::string_view scene,
           std::string_view question)
      : screen_(screen), context_(context), question_(question) {
    pipeline_.play(scene);
    if (!scene.empty()) hint_ = "Press space for the next step.";
  }

  void run() {
    while (!context_.stop.stop_requested() && !has_quit_) {
      show();
      const Clock::Mono now = context_.clock.now();
      const std::optional<int> key = screen_.wait_key(is_playing_ ? next_step_ - now : kIdle);
      if (key) handle(*key);
      if (is_playing_ && context_.clock.now() >= next_step_) {
        pipeline_.step(false);
        next_step_ = context_.clock.now() + kPlayPeriod;
      }
    }
  }

 private:
  void show() {
    PipelinePicture picture = pipeline_.picture();
    picture.is_playing = is_playing_;
    picture.question = question_;
    if (!hint_.empty()) picture.news.push_back(hint_);
    screen_.show(draw_picture(picture, screen_.columns(), screen_.lines(), screen_.characters()));
  }

  void handle(int key) {
    hint_.clear();
    switch (key) {
      case ' ':
        is_playing_ = false;
        return pipeline_.press(' ');
      case 'p':
        is_playing_ = !is_playing_;
        next_step_ = context_.clock.now();
        return;
      case LiveScreen::kControlC:
        return context_.exit_request.set(ExitCode::interrupted);
      case 'q':
      case '\r':
      case '\n':
        has_quit_ = key == 'q' || !question_.empty();
        return;
      case LiveScreen::kClosed:
        has_quit_ = true;
        return;
      default:
        if (key > 0) pipeline_.press(static_cast<char>(key));
    }
  }

  LiveScreen& screen_;
  const CommandContext& context_;
  const std::string question_;
  std::string hint_;  ///< shown until the first key
  LivePipeline pipeline_;
  bool is_playing_ = false;
  bool has_quit_ = false;
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
  LiveDemo(**screen, context, "", "").run();
  return context.exit_request.code().value_or(ExitCode::ok);
}

bool show_scene(std::string_view scene, std::string_view question, const DemoCommand& command,
                const CommandContext& context) {
  if (context.environment.dumb_terminal) return false;
  const HeldLog log;
  const auto screen =
      LiveScreen::open(wants_colour(command.global, context.environment), context.stop);
  if (!screen) return false;
  if ((*screen)->columns() < kPictureColumns || (*screen)->lines() < kPictureLines) return false;
  LiveDemo(**screen, context, scene, question).run();
  return true;
}

}  // namespace kinf
