// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live/live_session.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "kinf/demo/live/guesses.h"
#include "kinf/demo/live/picture_layout.h"
#include "kinf/demo/stages/stage.h"

namespace kinf {
namespace {

bool is_story_over(const LiveSession& session) {
  return std::ranges::any_of(session.picture().news, [](const std::string& sentence) {
    return sentence.starts_with("The story of this scene is over");
  });
}

TEST_CASE("b goes one step back, as often as keys were pressed") {
  LiveSession session(nullptr, QueueKind::delta);
  std::vector<std::string> states = {picture_json(session.picture(), "")};
  for (const char key : std::string("  a  uds c  g   ")) {
    session.press(key);
    states.push_back(picture_json(session.picture(), ""));
  }
  session.play_step();
  while (!states.empty()) {
    session.press('b');
    CHECK(picture_json(session.picture(), "") == states.back());
    states.pop_back();
  }
  session.press('b');  // nothing is left to take back
  CHECK(session.picture().step == 0);
}

TEST_CASE("f shows the same keys with the other queue") {
  const auto queue_of = [](const LiveSession& session) {
    std::vector<std::string> rows;
    for (const auto& [key, deltas] : session.picture().queue) {
      for (const std::string& delta : deltas) rows.push_back(key + " " + delta);
      rows.emplace_back("-");
    }
    return rows;
  };
  using Rows = std::vector<std::string>;
  LiveSession session(nullptr, QueueKind::delta);
  for (const char key : std::string("  ")) session.press(key);
  CHECK(queue_of(session).size() == 6);
  session.press('f');
  CHECK(session.picture().queue_name == "in order, RealFIFO");
  const std::string why = session.picture().news.at(0);
  CHECK(why.find("That is why client-go went from the DeltaFIFO to it.") != std::string::npos);
  CHECK(wrapped(why, kPictureColumns).size() <= 3);
  CHECK(queue_of(session) == Rows{"the list ReplacedAll 3 pods", "-"});
  for (const char key : std::string("            uad ")) session.press(key);
  // In order: each change by itself, and in between those of other pods.
  CHECK(queue_of(session) == Rows{"default/pod-1 Updated v4", "-", "default/pod-4 Added v5", "-",
                                  "default/pod-1 Deleted v6", "-"});
  session.press('f');
  CHECK(session.picture().queue_name == "DeltaFIFO");
  CHECK(queue_of(session) == Rows{"default/pod-1 Updated v4", "default/pod-1 Deleted v6", "-",
                                  "default/pod-4 Added v5", "-"});
}

TEST_CASE("each scene begins at step 1 and says when its story is over") {
  for (const DemoStage& stage : demo_stages()) {
    if (!stage.scene) continue;
    CAPTURE(stage.name);
    LiveSession session(&*stage.scene, QueueKind::delta);
    CHECK(session.picture().step == 1);
    CHECK_FALSE(is_story_over(session));
    int steps = 0;
    for (; steps < 120 && !is_story_over(session); ++steps) session.press(' ');
    CHECK(steps < 120);
  }
}

TEST_CASE("the first scene of the tour begins without a call of a handler") {
  LiveSession session(&*find_stage("deltafifo")->scene, QueueKind::delta);
  CHECK(session.picture().handler1.title == "Handler 1: 0 calls");
}

TEST_CASE("each question has three guesses that fit into the diagram") {
  for (const DemoStage& stage : demo_stages()) {
    if (stage.question.empty()) continue;
    CAPTURE(stage.name);
    const Guesses* const guesses = find_guesses(stage.name);
    REQUIRE(guesses != nullptr);
    CHECK(guesses->right < guesses->texts.size());
    CHECK(
        wrapped("Guess first.  " + guesses_text(*guesses) + "  Then press space.", kPictureColumns)
            .size() <= 4);
    CHECK(wrapped(verdict(*guesses, 1) + " " + std::string(stage.answer), kPictureColumns).size() <=
          4);
    CHECK(verdict(*guesses, guesses->right + 1).starts_with("Right"));
    CHECK(verdict(*guesses, (guesses->right + 1) % 3 + 1).starts_with("No"));
  }
  CHECK(find_guesses("nothing") == nullptr);
}

}  // namespace
}  // namespace kinf
