// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live/pipeline_picture.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

using Lines = std::vector<std::string>;

TEST_CASE("the state of the diagram is one line of JSON with all its parts") {
  PipelinePicture picture;
  picture.server = {"12", 4, "2", {"LIST any version: 3 pods"}};
  picture.reflector = {"watching after v12", "11", "refused", "none", 1, 2, 9};
  picture.queue = {{"default/pod-1", {"Updated v5", "Deleted v6"}}};
  picture.store = {{"pod-1", "4", "Running"}};
  picture.index = {{"Running", {"pod-1", "pod-2"}}};
  picture.handler1 = {"Handler 1: 3 calls", "ready", "OnAdd pod-1 v1", {}};
  picture.handler2 = {"Handler 2: 1 call", "busy for 2.0 s", "", Lines{"add pod-2"}};
  picture.step = 7;
  picture.time = "3.5 s";
  picture.news = {"You say \"a\"."};
  picture.moved = {PicturePart::queue, PicturePart::handler2};
  CHECK(
      picture_json(picture, "u") ==
      R"({"key":"u","step":7,"time":"3.5 s","news":["You say \"a\"."],)"
      R"("moved":["queue","handler2"],)"
      R"("server":{"version":"12","oldest":"2","pods":4,"requests":["LIST any version: 3 pods"]},)"
      R"("reflector":{"activity":"watching after v12","version":"11","lastError":"refused",)"
      R"("backOff":"none","lists":1,"watches":2,"events":9},)"
      R"("queue":[{"key":"default/pod-1","deltas":["Updated v5","Deleted v6"]}],)"
      R"("store":[{"name":"pod-1","version":"4","phase":"Running"}],)"
      R"("index":{"Running":["pod-1","pod-2"]},"controller":"",)"
      R"("handler1":{"title":"Handler 1: 3 calls","activity":"ready","last":"OnAdd pod-1 v1",)"
      R"("waiting":[]},)"
      R"("handler2":{"title":"Handler 2: 1 call","activity":"busy for 2.0 s","last":"",)"
      R"("waiting":["add pod-2"]}})");
}

TEST_CASE("empty parts of the diagram are empty arrays and objects") {
  const std::string text = picture_json({}, "");
  CHECK(text.starts_with(R"({"key":"","step":0,"time":"","news":[],"moved":[],"server":)"));
  CHECK(text.find(R"("queue":[],"store":[],"index":{},)") != std::string::npos);
}

}  // namespace
}  // namespace kinf
