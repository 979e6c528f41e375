// SPDX-License-Identifier: Apache-2.0
// Each scene of the tour shows what its question is about.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kinf/demo/live/live_model.h"
#include "kinf/demo/live/picture_layout.h"
#include "kinf/demo/stages/stage.h"

namespace kinf {
namespace {

using Lines = std::vector<std::string>;

/// Returns what the tour shows of a stage after some steps of the user.
PipelinePicture after(std::string_view stage, int steps) {
  const DemoScene scene = find_stage(stage)->scene.value();
  const auto model = make_live_model(scene.kind);
  model->play(scene.keys);
  for (int step = 0; step < steps; ++step) model->press(' ');
  return model->picture();
}

std::string news_of(const PipelinePicture& picture) {
  std::string text;
  for (const std::string& sentence : picture.news) text += sentence + " ";
  return text;
}

/// Returns whether the news of one of the next `steps` steps has `part`.
bool comes(std::string_view stage, int steps, std::string_view part) {
  for (int step = 0; step <= steps; ++step) {
    if (news_of(after(stage, step)).find(part) != std::string::npos) return true;
  }
  return false;
}

TEST_CASE("tour: what the queue does") {
  CHECK(after("deltafifo", 1).queue.at(0).deltas == Lines{"Added v7", "Updated v8", "Deleted v9"});
  const PipelinePicture dedup = after("dedup", 1);
  REQUIRE(dedup.queue.size() == 2);
  CHECK(dedup.queue[0].key == "default/pod-4");
  CHECK(dedup.queue[0].deltas == Lines{"Added v7", "Updated v9"});
  CHECK(comes("synced", 6, "the informer has synced with 3 pods"));
}

TEST_CASE("tour: a watch without a version begins with every pod") {
  const PipelinePicture picture = after("listwatch", 5);
  CHECK(picture.client1.lines == Lines{"pod-1", "pod-2", "pod-3"});
  REQUIRE(picture.client2.lines.size() == 3);
  CHECK(picture.client2.lines[0] == "ADDED pod-3 v3 Pending");
}

TEST_CASE("tour: requests without a reflector end with the first failure") {
  const auto model = make_live_model(LiveKind::requests);
  model->play(".");
  model->cut();
  model->step(true);
  CHECK(news_of(model->picture()).find("no reflector") != std::string::npos);
  CHECK(model->picture().client2.activity == "ended");
}

TEST_CASE("tour: only a queue that knows a store hands over a late deletion") {
  CHECK(comes("reflector", 1, "The queue ignores 1 deletion"));
  CHECK(after("reflector", 3).queue.empty());
  CHECK(after("reflector", 3).handler2.activity == "default/pod-3: Replaced v3");
  CHECK(after("reflector-known", 1).queue.at(0).deltas == Lines{"Deleted v4"});
  CHECK(after("reflector-known", 2).handler2.activity == "default/pod-1: Deleted v4");
  CHECK(after("reflector-known", 2).store.size() == 2);
}

TEST_CASE("tour: what handlers get") {
  CHECK(after("informer", 1).queue.at(0).deltas == Lines{"Updated v4"});
  CHECK(after("informer", 3).handler1.last == "OnUpdate pod-1 v1 -> v4");
  CHECK(after("shared", 5).handler1.title == "Handler 1: 5 calls");
  CHECK(after("shared", 5).handler2.title == "Handler 2: 4 calls, slow");
  CHECK(after("shared-listwatch", 30).reflector.watches == 1);
  const PipelinePicture late = after("factory", 4);
  CHECK(late.handler2.title == "Handler 2: 3 calls");
  CHECK(late.reflector.lists == 1);
}

TEST_CASE("tour: two informers need twice as much") {
  CHECK(after("shared-vs-separate", 40).server.cost ==
        "4 requests, 6 pods sent; the two stores hold 6 pods in memory");
}

TEST_CASE("tour: the changes for a slow handler are merged, and only it is behind") {
  CHECK(comes("slow-handler", 4, "A handler is behind: 1 change merged"));
  const PipelinePicture slow = after("slow-handler", 3);
  CHECK(slow.store.at(0).version == "20");
  CHECK(slow.handler1.waiting->empty());
  CHECK(slow.handler2.waiting->size() >= 3);
}

TEST_CASE("tour: the index follows a pod") {
  CHECK(after("index-map", 0).index.size() == 1);
  const PipelinePicture moved = after("index-map", 2);
  REQUIRE(moved.index.size() == 2);
  CHECK(moved.index[0].keys == Lines{"pod-2", "pod-3"});
  CHECK(moved.index[1].keys == Lines{"pod-1"});
}

TEST_CASE("tour: a resync is the second chance of a handler, without a request") {
  const PipelinePicture failed = after("resync", 0);
  CHECK(failed.handler1.activity == "ready, must do pod-2 again");
  CHECK(after("resync", 1).queue.at(0).deltas == Lines{"Sync v1"});
  CHECK(comes("resync", 8, "OnUpdate pod-2 v2 (resync): done now"));
  const PipelinePicture done = after("resync", 8);
  CHECK(done.handler2.title == "Handler 2: 3 calls");
  CHECK(done.server.requests == failed.server.requests);
}

TEST_CASE("tour: after 410 the informer lists again") {
  CHECK(comes("gone", 15, "too old resource version"));
  CHECK(after("gone", 40).reflector.lists == 2);
  // The scene itself fits, too: what was changed and forgotten.
  const std::string begin = news_of(after("gone", 0));
  CHECK(begin.find("410 Gone") != std::string::npos);
  CHECK(wrapped(begin, kPictureColumns).size() <= 3);
}

TEST_CASE("tour: a watch that breaks after an event is opened again, without a list") {
  CHECK(comes("broken-watch", 2, "connection reset by peer"));
  CHECK(comes("broken-watch", 12, "The watch brings ADDED pod-4"));
  CHECK(after("broken-watch", 40).reflector.lists == 1);
}

TEST_CASE("tour: a failed key comes back later, and the others do not wait") {
  CHECK(comes("workqueue", 10, "pod-5: failure 1, again in 2.0 s"));
  CHECK(comes("workqueue", 11, "pod-6: Pending in the store, done"));
  CHECK(comes("workqueue", 13, "pod-5: failure 2, again in 4.0 s"));
  CHECK(comes("workqueue", 15, "pod-5: Pending in the store, done"));
}

TEST_CASE("tour: a controller receives its own write, and stops there") {
  CHECK(comes("controller", 4, "it writes checked=yes to the server"));
  CHECK(comes("controller", 5, "The watch brings MODIFIED pod-4"));
  CHECK(comes("controller", 8, "has the label, nothing to do"));
  CHECK(after("controller", 20).server.version == "8");
}

TEST_CASE("tour: each question and answer fits into the smallest diagram") {
  for (const DemoStage& stage : demo_stages()) {
    if (stage.question.empty()) continue;
    CAPTURE(stage.name);
    CHECK(wrapped(stage.question, kPictureColumns).size() <= 2);
    CHECK(wrapped(stage.answer, kPictureColumns).size() <= 3);
  }
}

std::string scene_text(const std::vector<StyledRow>& rows) {
  std::string text;
  for (const StyledRow& row : rows) {
    for (const StyledText& part : row) text += part.text;
    text += "\n";
  }
  return text;
}

bool is_cut_text(const std::string& text) {
  // A box that has no room for all its lines says `and 3 more`.
  return text.find("…") != std::string::npos || text.find(" more  ") != std::string::npos;
}

TEST_CASE("tour: nothing in any box of any scene is cut at any size") {
  constexpr int kSteps = 30;
  for (const DemoStage& stage : demo_stages()) {
    if (!stage.scene) continue;
    CAPTURE(stage.name);
    const auto model = make_live_model(stage.scene->kind);
    model->play(stage.scene->keys);
    for (int step = 0; step <= kSteps; ++step) {
      CAPTURE(step);
      PipelinePicture picture = model->picture();
      picture.question = stage.question;
      for (const auto& [columns, lines] :
           std::vector<std::pair<std::size_t, std::size_t>>{{80, 24}, {100, 30}, {120, 40}}) {
        const std::string text =
            scene_text(draw_picture(picture, columns, lines, ScreenCharacters::utf8));
        CHECK_MESSAGE(!is_cut_text(text), text);
      }
      model->press(' ');
    }
  }
}

TEST_CASE("tour: the write of the worker is shown in the smallest diagram") {
  PipelinePicture picture = after("controller", 4);
  picture.question = find_stage("controller")->question;
  const std::string text =
      scene_text(draw_picture(picture, kPictureColumns, kPictureLines, ScreenCharacters::utf8));
  CHECK(text.find("PATCH pod-") != std::string::npos);
}

TEST_CASE("the stage list fits into 80 columns") {
  const std::string list = stage_list();
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find('\n', at), list.size());
    CHECK_MESSAGE(end - at <= 80, list.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace
}  // namespace kinf
