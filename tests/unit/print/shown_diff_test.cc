// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/shown_diff.h"

#include <doctest/doctest.h>

#include "kinf/print/diff_text.h"
#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

using test::kPods;
using test::kSecrets;

Change change_of(std::string old_json, std::string new_json) {
  test::Sample before;
  before.name = "x";
  before.json = std::move(old_json);
  test::Sample after = before;
  after.json = std::move(new_json);
  return test::updated(test::make_object(before), test::make_object(after));
}

/// `diff` or `patch` as JSON.
std::string shown(const PrintOptions& options, const ResourceType& type, const Change& change) {
  ShownDiff diff(options);
  const ObjectDiff* const found = diff.of(type, change);
  if (found == nullptr) return "nothing";
  std::string out;
  if (options.diff == DiffForm::patch) {
    append_patch_json(out, *found);
  } else {
    append_diff_json(out, *found);
  }
  return out;
}

PrintOptions form(DiffForm diff) {
  PrintOptions options;
  options.diff = diff;
  return options;
}

TEST_CASE("what each update changes is shown only in a patch, or if nothing else changed") {
  CHECK(shown(form(DiffForm::lines), kPods,
              change_of(R"({"metadata":{"generation":1},"a":1})",
                        R"({"metadata":{"generation":2},"a":2})")) ==
        R"([{"path":".a","old":1,"new":2}])");
  const Change both =
      change_of(R"({"metadata":{"resourceVersion":"1","managedFields":[]},"a":1})",
                R"({"metadata":{"resourceVersion":"2","managedFields":[1]},"a":2})");
  CHECK(shown(form(DiffForm::lines), kPods, both) == R"([{"path":".a","old":1,"new":2}])");
  CHECK(shown(form(DiffForm::patch), kPods, both) ==
        R"([{"op":"add","path":"/metadata/managedFields/0","value":1},)"
        R"({"op":"replace","path":"/metadata/resourceVersion","value":"2"},)"
        R"({"op":"replace","path":"/a","value":2}])");
  const Change version = change_of(R"({"metadata":{"resourceVersion":"1"}})",
                                   R"({"metadata":{"resourceVersion":"2"}})");
  CHECK(shown(form(DiffForm::yaml), kPods, version) ==
        R"([{"path":".metadata.resourceVersion","old":"1","new":"2"}])");
}

TEST_CASE("what is ignored is left out, except from a patch") {
  PrintOptions options = form(DiffForm::lines);
  options.ignored = *IgnoredPaths::parse(std::vector<std::string>{".a"});
  const Change change = change_of(R"({"a":1,"b":1})", R"({"a":2,"b":2})");
  CHECK(shown(options, kPods, change) == R"([{"path":".b","old":1,"new":2}])");
  options.diff = DiffForm::patch;
  CHECK(shown(options, kPods, change).find("/a") != std::string::npos);
}

TEST_CASE("only updates have differences, and only documents that can be read") {
  CHECK(shown(form(DiffForm::lines), kPods, test::listed(change_of("{}", "{}").object)) ==
        "nothing");
  CHECK(shown(form(DiffForm::lines), kPods, change_of(R"({"a":{"b":1})", R"({"a":{"b":2}})")) ==
        "nothing");
}

TEST_CASE("the values of Secrets are masked wherever a difference begins") {
  const auto hides = [](const std::string& old_json, const std::string& new_json) {
    for (const DiffForm diff : {DiffForm::lines, DiffForm::patch}) {
      const std::string text = shown(form(diff), kSecrets, change_of(old_json, new_json));
      CAPTURE(text);
      CHECK(text.find("c2VjcmV0") == std::string::npos);
      CHECK(text.find("secret") == std::string::npos);
      CHECK(text.size() > 4);
    }
  };
  const std::string applied =
      R"("kubectl.kubernetes.io/last-applied-configuration":"{\"data\":{\"p\":\"c2VjcmV0\"}}")";
  hides(R"({"data":{"p":"c2VjcmV0"}})", R"({"data":{"p":"c2VjcmV1"}})");
  hides(R"({"data":{"p":"c2VjcmV0"}})", R"({"data":{}})");
  hides(R"({"data":{"p":"c2VjcmV0"}})", R"({})");
  hides(R"({})", R"({"stringData":{"p":"secret"}})");
  hides(R"({"data":["c2VjcmV0"]})", R"({"data":["c2VjcmV1"]})");
  hides(R"({"data":null})", R"({"data":"c2VjcmV0"})");
  hides(R"({"metadata":{}})", R"({"metadata":{"annotations":{)" + applied + "}}}");
  hides(R"({"metadata":{"annotations":{"a":""}}})",
        R"({"metadata":{"annotations":{"a":"",)" + applied + "}}}");
  CHECK(shown(form(DiffForm::lines), kSecrets,
              change_of(R"({"data":{"p":"c2VjcmV0"},"type":"a"})",
                        R"({"data":{"p":"c2VjcmV1"},"type":"b"})")) ==
        R"([{"path":".data.p","old":"<6 bytes>","new":"<6 bytes, changed>"},)"
        R"({"path":".type","old":"a","new":"b"}])");
  PrintOptions open = form(DiffForm::lines);
  open.show_secrets = true;
  CHECK(shown(open, kSecrets,
              change_of(R"({"data":{"p":"c2VjcmV0"}})", R"({"data":{"p":"eA=="}})")) ==
        R"([{"path":".data.p","old":"c2VjcmV0","new":"eA=="}])");
}

TEST_CASE("values from a file that masks Secrets are compared, their change is shown") {
  const auto stored = [](std::string_view value) {
    return mask_recorded_secret(fmt::format(R"({{"data":{{"p":"{}"}},"type":"a"}})", value))
        .value();
  };
  const auto lines = [](const std::string& old_json, const std::string& new_json) {
    return shown(form(DiffForm::lines), kSecrets, change_of(old_json, new_json));
  };
  const std::string changed = R"({"path":".data.p","old":"<6 bytes>","new":"<6 bytes, changed>"})";
  CHECK(lines(stored("c2VjcmV0"), stored("aGlkZGVu")) == "[" + changed + "]");
  // The object of --state, and one of the server.
  CHECK(lines(stored("c2VjcmV0"), R"({"data":{"p":"aGlkZGVu"},"type":"a"})") ==
        "[" + changed + "]");
  CHECK(lines(stored("c2VjcmV0"), R"({"data":{"p":"c2VjcmV0"},"type":"b"})") ==
        R"([{"path":".type","old":"a","new":"b"}])");
}

TEST_CASE("an annotation that contains an old or a new value is masked in a diff") {
  const std::string text = shown(
      form(DiffForm::lines), kSecrets,
      change_of(R"({"metadata":{"annotations":{"n":"was: secret"}},"data":{"p":"c2VjcmV0"}})",
                R"({"metadata":{"annotations":{"n":"not secret"}},"data":{"p":"aGlkZGVu"}})"));
  CHECK(text.find("secret") == std::string::npos);
  CHECK(text.find(R"("<11 bytes>")") != std::string::npos);
}

}  // namespace
}  // namespace kinf
