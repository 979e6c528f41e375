// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live/live_model.h"

#include "kinf/demo/stages/stage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <optional>

namespace kinf {
namespace {

using Lines = std::vector<std::string>;

bool news_have(const PipelinePicture& picture, std::string_view part) {
  return std::ranges::any_of(picture.news, [&](const std::string& sentence) {
    return sentence.find(part) != std::string::npos;
  });
}

/// Steps until `done`, at most 100 times.
bool step_until(LiveModel& pipeline, const std::function<bool(const PipelinePicture&)>& done) {
  for (int steps = 0; steps < 100; ++steps) {
    pipeline.step(true);
    if (done(pipeline.picture())) return true;
  }
  return false;
}

bool is_quiet(const PipelinePicture& picture) { return news_have(picture, "Nothing to do: "); }

TEST_CASE("the first list goes through the queue into the store, then to the handlers") {
  const auto model = make_live_model(LiveKind::informer);
  LiveModel& pipeline = *model;
  CHECK(pipeline.picture().server.version == "3");
  CHECK(pipeline.picture().reflector.activity == "not started");
  pipeline.step(true);
  CHECK(pipeline.picture().server.requests == Lines{"LIST any version: no answer yet"});
  CHECK(pipeline.picture().reflector.activity == "listing: waits for the answer");
  pipeline.step(true);
  PipelinePicture picture = pipeline.picture();
  REQUIRE(picture.queue.size() == 3);
  CHECK(picture.queue[0].key == "default/pod-1");
  CHECK(picture.queue[0].deltas == Lines{"Replaced v1"});
  CHECK(news_have(picture, "Replaced: the pod was in a list."));
  CHECK(picture.store.empty());
  pipeline.step(true);
  picture = pipeline.picture();
  CHECK(picture.queue.size() == 2);
  REQUIRE(picture.store.size() == 1);
  CHECK(picture.index[0].value == "Pending");
  CHECK(picture.index[0].keys == Lines{"pod-1"});
  CHECK(picture.handler1.waiting == std::optional(Lines{"add pod-1"}));
  CHECK(picture.moved == std::set{PicturePart::queue, PicturePart::store, PicturePart::controller});
  REQUIRE(step_until(pipeline, is_quiet));
  picture = pipeline.picture();
  CHECK(picture.reflector.activity == "watching after v3");
  CHECK(picture.handler1.last == "OnAdd pod-3 v3");
  CHECK(picture.handler1.title == "Handler 1: 3 calls");
  CHECK(picture.handler2.activity == "ready, has synced");
}

TEST_CASE("changes of one pod wait together in the queue") {
  const auto model = make_live_model(LiveKind::informer);
  LiveModel& pipeline = *model;
  REQUIRE(step_until(pipeline, is_quiet));
  pipeline.update_pod();
  pipeline.add_pod();
  pipeline.delete_pod();
  pipeline.step(true);
  const PipelinePicture picture = pipeline.picture();
  REQUIRE(picture.queue.size() == 2);
  CHECK(picture.queue[0].deltas == Lines{"Updated v4", "Deleted v6"});
  CHECK(picture.queue[1].deltas == Lines{"Added v5"});
  CHECK(news_have(picture, "MODIFIED pod-1, ADDED pod-4, DELETED pod-1"));
}

TEST_CASE("the states between are shown, and the handlers get the same") {
  const auto model = make_live_model(LiveKind::informer);
  LiveModel& pipeline = *model;
  REQUIRE(step_until(pipeline, is_quiet));
  pipeline.update_pod();
  pipeline.update_pod();
  pipeline.update_pod();
  pipeline.update_pod();
  REQUIRE(step_until(pipeline, [](const PipelinePicture& picture) {
    return picture.controller == "store pod-1: v1 -> v4 -> v7";
  }));
  CHECK(
      news_have(pipeline.picture(), "the store and the index: v1 -> v4 -> v7. Each change waits"));
  CHECK(pipeline.picture().handler1.waiting ==
        std::optional(Lines{"update pod-1", "update pod-1"}));
}

TEST_CASE("a slow handler has a backlog, while the store and the other handler go on") {
  const auto model = make_live_model(LiveKind::informer);
  LiveModel& pipeline = *model;
  REQUIRE(step_until(pipeline, is_quiet));
  pipeline.toggle_slow();
  bool was_merged = false;
  for (int update = 0; update < 10; ++update) {
    pipeline.update_pod();
    for (int step = 0; step < 3; ++step) {
      pipeline.step(true);
      was_merged =
          was_merged || news_have(pipeline.picture(), "A handler is behind: 1 change merged");
    }
  }
  CHECK(was_merged);
  PipelinePicture picture = pipeline.picture();
  CHECK(picture.store[0].version == "13");
  CHECK(picture.handler1.waiting->empty());
  CHECK(picture.handler1.title == "Handler 1: 13 calls");
  CHECK(picture.handler2.waiting->size() == 4);
  CHECK(std::ranges::any_of(*picture.handler2.waiting,
                            [](const std::string& text) { return text.ends_with("merged)"); }));
  REQUIRE(step_until(pipeline, is_quiet));
  picture = pipeline.picture();
  CHECK(picture.handler2.waiting->empty());
  CHECK(picture.handler2.activity == "ready, has synced");
}

TEST_CASE("after 410 the reflector lists again, and handlers hear only of differences") {
  const auto model = make_live_model(LiveKind::informer);
  LiveModel& pipeline = *model;
  REQUIRE(step_until(pipeline, is_quiet));
  pipeline.cut();
  pipeline.delete_pod();
  pipeline.add_pod();
  pipeline.send_gone();  // the changes are forgotten before the informer is back
  REQUIRE(step_until(pipeline, [](const PipelinePicture& picture) {
    return picture.reflector.activity == "must list again";
  }));
  CHECK(pipeline.picture().reflector.last_error == "too old resource version: 3 (5)");
  REQUIRE(step_until(pipeline, [](const auto& picture) { return !picture.queue.empty(); }));
  CHECK(news_have(pipeline.picture(), "Deleted?: the store has the pod"));
  const auto queue = pipeline.picture().queue;
  CHECK(std::ranges::any_of(queue, [](const auto& entry) {
    return entry.key == "default/pod-1" && entry.deltas.back().starts_with("Deleted?");
  }));
  bool was_unchanged = false;
  REQUIRE(step_until(pipeline, [&](const PipelinePicture& picture) {
    was_unchanged = was_unchanged || news_have(picture, "finds it unchanged");
    return is_quiet(picture);
  }));
  CHECK(was_unchanged);
  const PipelinePicture picture = pipeline.picture();
  CHECK(picture.handler1.title == "Handler 1: 5 calls");
  CHECK(picture.reflector.activity == "watching after v5");
}

TEST_CASE("a cut connection is retried with growing pauses, and resumes without a list") {
  const auto model = make_live_model(LiveKind::informer);
  LiveModel& pipeline = *model;
  REQUIRE(step_until(pipeline, is_quiet));
  pipeline.cut();
  pipeline.add_pod();
  REQUIRE(step_until(pipeline, [](const PipelinePicture& picture) {
    return picture.reflector.back_off.starts_with("next request in ");
  }));
  CHECK(pipeline.picture().reflector.last_error == "connection refused");
  REQUIRE(step_until(pipeline, is_quiet));
  const PipelinePicture picture = pipeline.picture();
  CHECK(picture.reflector.lists == 1);
  CHECK(picture.reflector.watches > 2);
  CHECK(picture.handler1.last == "OnAdd pod-4 v4");
}

TEST_CASE("a step skips time only if it may") {
  const auto model = make_live_model(LiveKind::informer);
  LiveModel& pipeline = *model;
  REQUIRE(step_until(pipeline, is_quiet));
  pipeline.toggle_slow();
  pipeline.update_pod();
  for (int step = 0; step < 3; ++step) pipeline.step(false);
  CHECK(pipeline.picture().handler2.activity == "busy for 3.0 s");
  for (int step = 0; step < 2; ++step) pipeline.step(false);
  CHECK(pipeline.picture().handler2.activity == "busy for 2.0 s");
  for (int step = 0; step < 2; ++step) pipeline.step(true);
  CHECK(pipeline.picture().handler2.activity == "ready, has synced");
}

TEST_CASE("without pods there is nothing to update or delete") {
  const auto model = make_live_model(LiveKind::informer);
  LiveModel& pipeline = *model;
  for (int pod = 0; pod < 3; ++pod) pipeline.delete_pod();
  pipeline.delete_pod();
  CHECK(news_have(pipeline.picture(), "no pod to delete"));
  pipeline.update_pod();
  CHECK(news_have(pipeline.picture(), "no pod to update"));
  REQUIRE(step_until(pipeline, is_quiet));
  CHECK(pipeline.picture().store.empty());
  CHECK(pipeline.picture().handler1.activity == "ready, has synced");
}

TEST_CASE("keys without a meaning change nothing") {
  const auto model = make_live_model(LiveKind::informer);
  LiveModel& pipeline = *model;
  pipeline.press('x');
  CHECK(pipeline.picture().step == 0);
  CHECK(pipeline.picture().server.version == "3");
}

}  // namespace
}  // namespace kinf
