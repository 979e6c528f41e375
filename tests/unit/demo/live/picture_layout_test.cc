// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live/picture_layout.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "kinf/base/display_width.h"

namespace kinf {
namespace {

using Lines = std::vector<std::string>;

PipelinePicture full_picture() {
  PipelinePicture picture;
  picture.server = {"12", 4, "0", {"LIST any version: 3 pods", "WATCH after 3: open, 9 events"}};
  picture.reflector = {"watching after v12", "12", "connection refused", "none", 1, 2, 9};
  for (int pod = 1; pod <= 9; ++pod) {
    const std::string name = "pod-" + std::to_string(pod);
    picture.queue.push_back({"default/" + name, {"Updated v" + std::to_string(pod)}});
    picture.store.push_back({name, std::to_string(pod), "Running"});
  }
  picture.index = {{"Pending", {"pod-1"}}, {"Running", {"pod-2", "pod-3"}}};
  picture.handler1 = {"Handler 1: 3 calls", "ready", "OnAdd pod-1 v1", Lines()};
  picture.handler2 = {"Handler 2: 1 call, slow", "busy for 2.0 s", "",
                      Lines{"add pod-2", "add pod-3"}};
  picture.step = 7;
  picture.time = "3.5 s";
  picture.news = {"The first sentence.", "The second sentence."};
  picture.moved = {PicturePart::queue};
  picture.keys = "the keys";
  return picture;
}

std::string text_of(const StyledRow& row) {
  std::string text;
  for (const StyledText& part : row) text += part.text;
  return text;
}

std::string text_of(const std::vector<StyledRow>& rows) {
  std::string text;
  for (const StyledRow& row : rows) text += text_of(row) + "\n";
  return text;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST_CASE("the diagram fills a terminal of any size with seven closed boxes") {
  for (const auto& [columns, lines] : std::vector<std::pair<std::size_t, std::size_t>>{
           {80, 24}, {81, 25}, {100, 30}, {123, 37}, {200, 60}, {500, 24}, {80, 200}}) {
    CAPTURE(columns);
    CAPTURE(lines);
    const auto rows = draw_picture(full_picture(), columns, lines, ScreenCharacters::utf8);
    REQUIRE(rows.size() == lines);
    for (const StyledRow& row : rows) CHECK(display_width(text_of(row)) == columns);
    const std::string text = text_of(rows);
    CHECK(count(text, "┌") == 6);
    CHECK(count(text, "┘") == 6);
    CHECK(count(text, "┏") == 1);
    CHECK(count(text, "┛") == 1);
    for (const char* part :
         {"API server", "at v12, with 4 pods", "WATCH after 3: open, 9 events",
          "watching after v12", "last error: connection refused", "Queue (DeltaFIFO): 9 keys",
          "pod-1: Updated v1", "Store and index: 9 pods", "pod-1 v1", "Controller",
          "last: OnAdd pod-1 v1", "2 changes waiting: add pod-2",
          "The first sentence. The second sentence.", "step 7  3.5 s", "the keys"}) {
      CAPTURE(part);
      CHECK(has(text, part));
    }
  }
}

TEST_CASE("a question of the tour stands above the diagram") {
  PipelinePicture picture = full_picture();
  picture.question =
      "A pod is added, updated and deleted. What comes out of the queue, and when? Why?";
  for (const auto& [columns, lines] :
       std::vector<std::pair<std::size_t, std::size_t>>{{80, 24}, {100, 30}}) {
    const auto rows = draw_picture(picture, columns, lines, ScreenCharacters::utf8);
    REQUIRE(rows.size() == lines);
    for (const StyledRow& row : rows) CHECK(display_width(text_of(row)) == columns);
    const std::string text = text_of(rows);
    CHECK(text_of(rows[1]).starts_with("A pod is added"));
    CHECK(has(text, "Why?"));
    CHECK(count(text, "┌") + count(text, "┏") == 7);
    CHECK(count(text, "└") + count(text, "┗") == 7);
    CHECK(has(text, "The first sentence."));
    picture.answer = "That is why.";
    const auto answered = text_of(draw_picture(picture, columns, lines, ScreenCharacters::utf8));
    CHECK(has(answered, "That is why."));
    CHECK_FALSE(has(answered, "The first sentence."));
    picture.answer.clear();
  }
}

TEST_CASE("a diagram in ASCII has the same shape") {
  const auto rows = draw_picture(full_picture(), 80, 24, ScreenCharacters::ascii);
  for (const StyledRow& row : rows) {
    CHECK(text_of(row).size() == 80);
    CHECK(std::ranges::all_of(text_of(row), [](char c) { return c >= ' ' && c <= '~'; }));
  }
  const std::string text = text_of(rows);
  CHECK(has(text, "+- API server -"));
  CHECK(has(text, "#= Queue (DeltaFIFO): 9 keys ="));
  CHECK(has(text, "-1>"));
  CHECK(has(text, "<.."));
}

TEST_CASE("what does not fit is counted") {
  PipelinePicture picture = full_picture();
  for (int pod = 10; pod <= 40; ++pod) {
    picture.queue.push_back({"default/pod-" + std::to_string(pod), {"Added v9"}});
  }
  const std::string text = text_of(draw_picture(picture, 80, 24, ScreenCharacters::utf8));
  CHECK(has(text, " more"));
  CHECK_FALSE(has(text, "pod-40: Added"));
  const std::string large = text_of(draw_picture(full_picture(), 100, 60, ScreenCharacters::utf8));
  CHECK_FALSE(has(large, " more"));
  CHECK(has(large, "default/pod-9: Updated v9"));
  CHECK(has(large, "pod-9 v9 Running"));
}

TEST_CASE("the controller pops the queue, and calls both handlers") {
  const auto rows = draw_picture(full_picture(), 80, 24, ScreenCharacters::ascii);
  std::vector<std::string> lines;
  for (const StyledRow& row : rows) lines.push_back(text_of(row));
  const auto line_of = [&](std::string_view part) {
    const auto found =
        std::ranges::find_if(lines, [&](const std::string& l) { return has(l, part); });
    REQUIRE(found != lines.end());
    return static_cast<std::size_t>(found - lines.begin());
  };
  const std::size_t controller = line_of("- Controller: pops");
  CHECK(has(lines[controller - 1], "4^"));   // into the store
  CHECK(has(lines[controller - 1], "3v"));   // out of the queue
  CHECK(has(lines[controller - 1], "<.."));  // the queue looks up known objects
  CHECK(count(lines[controller + 1], "6v") == 2);
  CHECK(line_of("- Handler 1") == controller + 2);
  CHECK(has(lines[line_of("Store and index")], "5"));
  CHECK(count(text_of(rows), "2v") == 1);
  CHECK(count(text_of(rows), "1>") == 1);
}

TEST_CASE("a worker reads the store and writes to the server") {
  PipelinePicture picture = full_picture();
  picture.flow = PictureFlow::worker;
  picture.handler2 = {"Work queue -8-> worker", "no key waits", "", {}};
  const std::string text = text_of(draw_picture(picture, 80, 24, ScreenCharacters::ascii));
  CHECK(count(text, "6v") == 1);
  CHECK(has(text, "<7-"));
  CHECK(has(text, "-8->"));
  CHECK(has(text, "|9"));
  CHECK(has(text, "+->|"));  // the write, into the box of the server
}

TEST_CASE("all keys of the queue have a namespace, or none") {
  PipelinePicture picture = full_picture();
  picture.queue = {{"default/pod-1", {"Added v7", "Updated v8", "Deleted v9"}},
                   {"default/pod-2", {"Added v4"}}};
  const std::string text = text_of(draw_picture(picture, 80, 24, ScreenCharacters::utf8));
  CHECK(has(text, "pod-1: Added v7, Updated v8,"));
  CHECK(has(text, "pod-2: Added v4"));
  CHECK_FALSE(has(text, "default/"));
}

TEST_CASE("each pod of the store keeps its phase and version") {
  PipelinePicture picture = full_picture();
  picture.queue.clear();
  const std::string text = text_of(draw_picture(picture, 80, 24, ScreenCharacters::utf8));
  CHECK(has(text, "index Running: pod-1 v1,"));
  CHECK(has(text, "pod-9 v9"));
}

TEST_CASE("only the boxes where something moved are strong") {
  const auto rows = draw_picture(full_picture(), 100, 30, ScreenCharacters::utf8);
  std::string strong;
  for (const StyledRow& row : rows) {
    for (const StyledText& part : row) {
      if (part.style == CellStyle::accent) strong += part.text;
    }
  }
  CHECK(has(strong, "Queue"));
  CHECK_FALSE(has(strong, "Reflector"));
}

TEST_CASE("a small terminal shows what is needed") {
  for (const auto& [columns, lines] :
       std::vector<std::pair<std::size_t, std::size_t>>{{79, 24}, {80, 23}, {30, 6}, {1, 1}}) {
    const auto rows = draw_picture(full_picture(), columns, lines, ScreenCharacters::utf8);
    REQUIRE(rows.size() == lines);
    for (const StyledRow& row : rows) CHECK(display_width(text_of(row)) == columns);
    if (columns >= 79) CHECK(has(text_of(rows), "The diagram needs 80 x 24"));
  }
}

}  // namespace
}  // namespace kinf
