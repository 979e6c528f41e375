// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live/live.h"

#include <fmt/format.h>
#include <unistd.h>

#include <optional>

#include "kinf/cli/runtime/file_writer.h"
#include "kinf/demo/live/live_session.h"
#include "kinf/demo/live/picture_layout.h"
#include "kinf/demo/live/pipeline_picture.h"
#include "kinf/screen/screen.h"

namespace kinf {
namespace {

/// The time between two steps while the diagram plays.
constexpr Clock::Duration kPlayPeriod = LiveModel::kStep;
constexpr Clock::Duration kIdle = std::chrono::seconds(1);

constexpr std::string_view kKeys =
    "space step  b back  p play  a u d pods  g 410  c cut  s slow  f queue  q quit";
/// The keys that the tour shows instead of kKeys. `Enter answer` or `Enter next` precedes them.
constexpr std::string_view kTourKeys =
    "space step  b back  p play  a u d pods  g c s f faults  q end";

/// Shows the diagram and handles the keys that the user presses.
class LiveDemo {
 public:
  /// `scene` is null outside the tour.
  LiveDemo(Screen& screen, const CommandContext& context, const DemoScene* scene,
           const SceneText& text, QueueKind queue)
      : screen_(screen), context_(context), text_(text), session_(scene, queue) {}

  /// Runs until the user ends the diagram or the command is stopped. Returns how it ended.
  SceneEnd run() {
    while (!context_.stop.stop_requested() && !end_) {
      show();
      const Clock::Mono now = context_.clock.now();
      const std::optional<int> key = screen_.wait_key(is_playing_ ? next_step_ - now : kIdle);
      if (key) handle(*key);
      if (is_playing_ && context_.clock.now() >= next_step_) {
        session_.play_step();
        next_step_ = context_.clock.now() + kPlayPeriod;
      }
    }
    return end_.value_or(SceneEnd::quit);
  }

 private:
  bool has_question() const { return !text_.question.empty(); }
  bool may_guess() const { return text_.guesses != nullptr && !shows_answer_ && verdict_.empty(); }

  void show() {
    PipelinePicture picture = session_.picture();
    picture.is_playing = is_playing_;
    picture.keys = kKeys;
    if (has_question()) {
      if (text_.guesses != nullptr && !session_.has_begun()) {
        picture.news = {"Guess first.  " + guesses_text(*text_.guesses) + "  Then press space."};
      }
      picture.heading = text_.heading;
      picture.question = text_.question;
      if (shows_answer_) picture.answer = verdict_ + std::string(text_.answer);
      picture.keys =
          fmt::format("{}  {}", shows_answer_ ? "Enter next" : "Enter answer", kTourKeys);
    }
    screen_.show(draw_picture(picture, screen_.columns(), screen_.lines(), screen_.characters()));
  }

  void handle(int key) {
    if (may_guess() && key >= '1' && key <= '3') {
      verdict_ = verdict(*text_.guesses, static_cast<std::size_t>(key - '0')) + " ";
      return go_on();
    }
    switch (key) {
      case 'p':
        is_playing_ = !is_playing_ || shows_answer_;
        next_step_ = context_.clock.now();
        break;
      case Screen::kControlC: return context_.exit_request.set(ExitCode::interrupted);
      case '\r':
      case '\n': return go_on();
      case 'q':
      case Screen::kClosed: end_ = SceneEnd::quit; return;
      default:
        if (key <= 0) return;
        if (key == ' ') is_playing_ = false;
        session_.press(static_cast<char>(key));
    }
    shows_answer_ = false;
  }

  /// Shows the answer. If the answer is already shown, ends the scene, so that the next question
  /// follows.
  void go_on() {
    if (!has_question()) return;
    if (shows_answer_) end_ = SceneEnd::next;
    shows_answer_ = true;
    is_playing_ = false;
  }

  Screen& screen_;
  const CommandContext& context_;
  const SceneText text_;
  LiveSession session_;
  std::string verdict_;  ///< whether the user's guess was right; empty before it
  bool shows_answer_ = false;
  bool is_playing_ = false;
  std::optional<SceneEnd> end_;
  Clock::Mono next_step_{};
};

Error no_terminal(std::string message) {
  return Error(ErrorKind::usage, std::move(message))
      .with_hint("kinf demo STAGE shows one part of an informer without one");
}

}  // namespace

Result<ExitCode> live_demo(bool has_colours, QueueKind queue, const CommandContext& context) {
  const Environment& environment = context.environment;
  if (!environment.stdin_is_terminal || !environment.stdout_is_terminal) {
    return std::unexpected(no_terminal("--live needs a terminal for its input and output"));
  }
  if (environment.dumb_terminal) {
    return std::unexpected(
        no_terminal("--live needs a terminal that can place text, but TERM is "
                    "dumb"));
  }
  auto screen = Screen::open("--live", has_colours, context.stop);
  if (!screen) return std::unexpected(std::move(screen).error());
  LiveDemo(**screen, context, nullptr, {}, queue).run();
  return context.exit_request.code().value_or(ExitCode::ok);
}

SceneEnd show_scene(const DemoScene& scene, const SceneText& text, bool has_colours,
                    QueueKind queue, const CommandContext& context) {
  if (context.environment.dumb_terminal) return SceneEnd::not_shown;
  const auto screen = Screen::open("--live", has_colours, context.stop);
  if (!screen) return SceneEnd::not_shown;
  if ((*screen)->columns() < kPictureColumns || (*screen)->lines() < kPictureLines) {
    return SceneEnd::not_shown;
  }
  return LiveDemo(**screen, context, &scene, text, queue).run();
}

Result<void> check_keys(const std::string& keys) {
  const std::size_t wrong = keys.find_first_not_of(kLiveKeys);
  if (wrong == std::string::npos) return {};
  return std::unexpected(
      Error(ErrorKind::usage, fmt::format("--keys: unknown key \"{}\"", keys[wrong]))
          .with_hint("keys: space (one step), . (steps until nothing is to do), b (one step back), "
                     "f (the other queue), a, u, d, g, c, h and s"));
}

Result<ExitCode> trace_keys(const std::string& keys, QueueKind queue,
                            const CommandContext& context) {
  if (Result<void> known = check_keys(keys); !known) return std::unexpected(known.error());
  LiveSession session(nullptr, queue);
  FileWriter out(STDOUT_FILENO, &context.exit_request);
  const auto print = [&](const std::string& key) {
    return out.write(picture_json(session.picture(), key) + "\n");
  };
  bool goes_on = print("");
  for (std::size_t i = 0; i < keys.size() && goes_on; ++i) {
    session.play(keys.substr(i, 1), [&](char key) { goes_on = goes_on && print({key}); });
    goes_on = goes_on && !context.stop.stop_requested();
  }
  return context.exit_request.code().value_or(out.exit_code());
}

}  // namespace kinf
