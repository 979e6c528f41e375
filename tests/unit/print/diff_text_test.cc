// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/diff_text.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "kinf/print/event_printer.h"

namespace kinf {
namespace {

std::string text(DiffForm form, std::string_view old_json, std::string_view new_json,
                 std::size_t indent = 2, bool colour = false, std::size_t screen = 0) {
  const Result<ObjectDiff> found = diff(old_json, new_json);
  REQUIRE(found);
  std::string out;
  PrintOptions options;
  options.diff = form;
  options.colour = colour;
  options.terminal_width = [&] { return screen; };
  DiffText(options).append(out, *found, indent);
  return out;
}

std::string lines(std::string_view old_json, std::string_view new_json) {
  return text(DiffForm::lines, old_json, new_json);
}

constexpr std::string_view kOld =
    R"({"spec":{},"status":{"phase":"Pending","conditions":[{"type":"Ready","status":"False"}],
        "containerStatuses":[{"name":"c","ready":false}]}})";
constexpr std::string_view kNew =
    R"({"spec":{"nodeName":"node-1"},"status":{"phase":"Running",
        "conditions":[{"type":"PodScheduled","status":"True"},{"type":"Ready","status":"True"}],
        "containerStatuses":[{"name":"c","ready":true}]}})";

TEST_CASE("lines show paths with old and new values, and of a new condition its status") {
  CHECK(lines(kOld, kNew) ==
        "  .spec.nodeName                       <none> → node-1\n"
        "  .status.phase                        Pending → Running\n"
        "  .status.conditions[PodScheduled]     <none> → True\n"
        "  .status.conditions[Ready].status     False → True\n"
        "  .status.containerStatuses[c].ready   false → true\n");
}

TEST_CASE("on a terminal, the lines of YAML wrap, but not a patch, which would not be JSON") {
  const std::string_view old_json = R"({"spec":{"image":"registry.example.com/web:1"}})";
  const std::string_view new_json = R"({"spec":{"image":"registry.example.com/web:2"}})";
  CHECK(text(DiffForm::yaml, old_json, new_json, 2, false, 24) ==
        "    spec:\n"
        "  -   image: registry.ex\n"
        "  -     ample.com/web:1\n"
        "  +   image: registry.ex\n"
        "  +     ample.com/web:2\n");
  CHECK(text(DiffForm::patch, old_json, new_json, 2, false, 24) ==
        text(DiffForm::patch, old_json, new_json));
}

TEST_CASE("on a terminal with no room for a wide character, a line of YAML goes beyond the edge") {
  const std::string shown = text(DiffForm::yaml, R"({"a":"x"})",
                                 "{\"a\":\"\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e\"}", 2, false, 6);
  CHECK(shown.find("\u8a9e") != std::string::npos);
}

TEST_CASE("V7: on a terminal, neither a path nor a value is cut: values go below their path") {
  const std::string_view old_json = R"({"spec":{"image":"registry.example.com/team/web:1"},"a":1})";
  const std::string_view new_json = R"({"spec":{"image":"registry.example.com/team/web:2"},"a":2})";
  CHECK(text(DiffForm::lines, old_json, new_json, 2, false, 60) ==
        "  .spec.image\n"
        "      registry.example.com/team/web:1\n"
        "      → registry.example.com/team/web:2\n"
        "  .a" +
            std::string(30, ' ') + "1 → 2\n");
  CHECK(text(DiffForm::lines, R"({"a":"one two three four"})", R"({"a":"five"})", 2, false, 20) ==
        "  .a\n      one two three\n      four\n      → five\n");
}

TEST_CASE("lines show a list that came or went by its items, if they have merge keys") {
  CHECK(
      lines(R"({"status":{"args":["a"]}})",
            R"({"status":{"conditions":[{"type":"A","status":"True"},{"type":"B","status":"False"}],
                  "podIPs":[]}})") ==
      "  .status.args                         [\"a\"] → <none>\n"
      "  .status.conditions[A]                <none> → True\n"
      "  .status.conditions[B]                <none> → False\n"
      "  .status.podIPs                       <none> → []\n");
}

TEST_CASE("a wider path moves the values of later changes too, a very wide one only its own") {
  const std::string path(40, 'p');
  const std::string wide = R"({")" + path + R"(":)";
  DiffText form((PrintOptions()));
  std::string out;
  const auto append = [&](const std::string& old_json, const std::string& new_json) {
    const Result<ObjectDiff> found = diff(old_json, new_json);
    REQUIRE(found);
    out.clear();
    form.append(out, *found, 0);
  };
  append(wide + "1}", wide + "2}");
  CHECK(out == "." + path + "   1 → 2\n");
  append(R"({"a":1})", R"({"a":2})");
  CHECK(out == ".a" + std::string(42, ' ') + "1 → 2\n");
  const std::string wider = R"({")" + std::string(70, 'w') + R"(":)";
  append(wider + "1}", wider + "2}");
  append(R"({"a":1})", R"({"a":2})");
  CHECK(out == ".a" + std::string(42, ' ') + "1 → 2\n");
}

TEST_CASE("a long value is cut, to the place that changed") {
  const std::string same(200, 's');
  const std::string tail(200, 't');
  const auto changed = [&](char c) { return R"({"a":")" + same + c + tail + "\"}"; };
  const std::string out = lines(changed('x'), changed('y'));
  CHECK(out.find("…" + std::string(16, 's') + "x" + std::string(63, 't') + "… → …" +
                 std::string(16, 's') + "y") != std::string::npos);
  CHECK(out.size() < 300);
}

TEST_CASE("nothing but printable characters, and no line break, comes out of a value or name") {
  for (const DiffForm form : {DiffForm::lines, DiffForm::patch}) {
    const std::string out = text(form, R"({"a\u001b[1m":"x"})",
                                 "{\"a\\u001b[1m\":\"l1\\nl2\\t\\u202e\\u0007\x7f\xff\"}");
    CAPTURE(out);
    CHECK(out.find('\x1b') == std::string::npos);
    CHECK(out.find('\x07') == std::string::npos);
    CHECK(out.find('\x7f') == std::string::npos);
    CHECK(out.find("\xff") == std::string::npos);
    CHECK(out.find("\u202e") == std::string::npos);
    CHECK(out.find('\n') == out.size() - 1);
  }
  CHECK(lines(R"({"a":"x"})", R"({"a":"l1\nl2"})").find("x → l1\\nl2") != std::string::npos);
}

TEST_CASE("old values are red and new ones green, if colours are wanted") {
  CHECK(text(DiffForm::lines, R"({"a":1})", R"({"a":2})", 0, true)
            .find("\x1b[31m1\x1b[0m → \x1b[32m2\x1b[0m") != std::string::npos);
}

TEST_CASE("the YAML form shows the changed parts where they are in the document") {
  CHECK(text(DiffForm::yaml, kOld, kNew) ==
        "    spec:\n"
        "  +   nodeName: node-1\n"
        "    status:\n"
        "  -   phase: Pending\n"
        "  +   phase: Running\n"
        "      conditions:\n"
        "  +   - status: \"True\"\n"
        "  +     type: PodScheduled\n"
        "      - type: Ready\n"
        "  -     status: \"False\"\n"
        "  +     status: \"True\"\n"
        "      containerStatuses:\n"
        "      - name: c\n"
        "  -     ready: false\n"
        "  +     ready: true\n");
  CHECK(text(DiffForm::yaml,
             R"({"ports":[{"port":53,"protocol":"UDP","x":1}],"args":["a",{"b":1}]})",
             R"({"ports":[{"port":53,"protocol":"UDP","x":2}],"args":["c",{"b":[1,{"d":""}]}]})") ==
        "    ports:\n"
        "    - port: 53\n"
        "      protocol: UDP\n"
        "  -   x: 1\n"
        "  +   x: 2\n"
        "    args:\n"
        "  - - a\n"
        "  + - c\n"
        "    - # [1]\n"
        "  -   b: 1\n"
        "  +   b:\n"
        "  +   - 1\n"
        "  +   - d: \"\"\n");
  CHECK(text(DiffForm::yaml, R"({"data":{"a.b":"1\n2\n"}})", R"({"data":{"a.b":"1\n3\n"}})", 0) ==
        "  data:\n"
        "-   a.b: |\n"
        "-     1\n"
        "-     2\n"
        "+   a.b: |\n"
        "+     1\n"
        "+     3\n");
}

TEST_CASE("the patch form is one operation a line") {
  CHECK(text(DiffForm::patch, R"({"env":[{"name":"A"},{"name":"B"}],"n":1.10})",
             "{\"env\":[{\"name\":\"B\"},{\"name\":\"A\"}],\"n\":{\n\"x\": 2 }}") ==
        "  {\"op\":\"move\",\"from\":\"/env/1\",\"path\":\"/env/0\"}\n"
        "  {\"op\":\"replace\",\"path\":\"/n\",\"value\":{\"x\":2}}\n");
}

TEST_CASE("the fields of a JSON event keep the values as the server wrote them") {
  const Result<ObjectDiff> found =
      diff(R"({"a\"":1.10,"b":1,"d":0})", "{\"a\\\"\":1.1,\"c\":{\n}}");
  REQUIRE(found);
  std::string out;
  append_diff_json(out, *found);
  CHECK(out ==
        R"([{"path":".a\\\"","old":1.10,"new":1.1},{"path":".b","old":1},{"path":".d","old":0},)"
        R"({"path":".c","new":{}}])");
  out.clear();
  append_patch_json(out, *found);
  CHECK(out == R"([{"op":"replace","path":"/a\"","value":1.1},{"op":"remove","path":"/b"},)"
               R"({"op":"remove","path":"/d"},{"op":"add","path":"/c","value":{}}])");
  CHECK_FALSE(nlohmann::json::parse(out, nullptr, false).is_discarded());
}

}  // namespace
}  // namespace kinf
