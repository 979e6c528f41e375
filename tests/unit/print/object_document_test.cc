// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/object_document.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <random>
#include <string>

#include "fakes/fixture.h"
#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

using test::as;
using test::kPods;
using test::listed;
using test::web_with;

std::string shown(const ResourceType& type, const std::string& json, bool show_secrets) {
  Scratch scratch;
  return std::string(object_document(type, *web_with(json), show_secrets, scratch).text);
}

TEST_CASE("a document consists of the bytes of the server") {
  const std::string json = R"({"z": 1.10, "a": "\u003c"})";
  CHECK(shown(kPods, json, false) == json);
}

TEST_CASE("the values of a Secret are masked unless requested") {
  const std::string json = R"({"data":{"k":"aHVudGVyMg=="}})";
  CHECK(shown(test::kSecrets, json, false) == R"({"data":{"k":"<7 bytes>"}})");
  CHECK(shown(test::kSecrets, json, true) == json);
  CHECK(shown(kPods, json, false) == json);
}

TEST_CASE("a Secret that cannot be read shows only its type and name") {
  CHECK(shown(test::kSecrets, R"({"data":{"k":aHVudGVyMg}})", false) ==
        R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"web","namespace":"default"}})");
}

TEST_CASE("an object that was never seen has a document with its type and name") {
  Scratch scratch;
  const auto text = [&](const ResourceType& type, std::string key) {
    return std::string(
        change_document(type, test::make_lost(std::move(key), nullptr), false, scratch).text);
  };
  CHECK(text(test::kDeployments, "default/a\"b") ==
        R"({"apiVersion":"apps/v1","kind":"Deployment",)"
        R"("metadata":{"name":"a\"b","namespace":"default"}})");
  CHECK(text(kPods, "n1") == R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"n1"}})");
  CHECK(change_document(kPods, listed(web_with(R"({"a":1})")), false, scratch).text ==
        R"({"a":1})");
}

TEST_CASE("what a reader of JSON would refuse is found") {
  JsonCheck check;
  for (const char* good : {"{}", R"({"a":123456789012345678901234,"b":[-0,1e-400]})",
                           R"({"a":[1,-0.5e3,"\u00e9\n",null,true]})", "{\"a\":\"\x7f\u009b\"}"}) {
    CAPTURE(good);
    CHECK(check.check(good).has_value());
  }
  for (const char* bad : {"", "{", R"({"a":007})", R"({"a":0x10})", R"({"a":[1})", R"({"a":1,})",
                          R"({"a" 1})", R"({"a":"\x"})", "{\"a\":\"\n\"}", "{\"a\":\"\xff\"}",
                          R"({"a":tru})", R"({"a":1}{})", R"({"a":1e400})"}) {
    CAPTURE(bad);
    CHECK_FALSE(check.check(bad).has_value());
  }
  using namespace std::string_view_literals;
  CHECK_FALSE(check.check("{\"a\":123456789012345678901234}\0{"sv).has_value());
  const auto nested = [](std::size_t depth, const std::string& first) {
    return std::string(depth, '[') + first + std::string(depth, ']');
  };
  for (const std::string first : {"", "123456789012345678901234", "\"[[[[\""}) {
    CHECK(check.check(nested(512, first)).has_value());
    CHECK_FALSE(check.check(nested(513, first)).has_value());
    CHECK_FALSE(check.check(nested(5000, first)).has_value());
  }
}

TEST_CASE("a document is refused if and only if nlohmann's parser refuses it") {
  const nlohmann::json pods = nlohmann::json::parse(test::fixture("list/pods.json")).at("items");
  const std::string sources[] = {
      pods[0].dump(),
      R"({"a":[1,-0.5e3,"\u00e9\n\ud83d\ude00",null,true,false,{}],"é":{"b":[[]]}})"};
  constexpr std::string_view kBytes = "{}[]\",:\\u0123dDeE+-. \n\ttruefalsn\x01\x7f\xc3\xa9\xff";
  std::mt19937_64 random(31);
  JsonCheck check;
  std::size_t valid = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = sources[i % 10 == 0 ? 0 : 1];
    for (std::size_t changes = 1 + random() % 2; changes > 0 && !text.empty(); --changes) {
      const std::size_t at = random() % text.size();
      const char byte = kBytes[random() % kBytes.size()];
      switch (random() % 3) {
        case 0: text[at] = byte; break;
        case 1: text.insert(at, 1, byte); break;
        default: text.erase(at, 1);
      }
    }
    CAPTURE(text);
    const bool accepted = nlohmann::json::accept(text);
    CHECK(check.check(text).has_value() == accepted);
    valid += accepted ? 1 : 0;
  }
  CHECK(valid > 2'000);
  CHECK(valid < 18'000);
}

TEST_CASE("an event with a damaged document is logged and counted, not printed") {
  PrintOptions with_columns = as(OutputFormat::custom_columns);
  with_columns.headers = false;
  with_columns.columns = CustomColumns::parse("NAME:.metadata.name").value();
  for (const PrintOptions& options :
       {as(OutputFormat::json), as(OutputFormat::yaml), with_columns}) {
    const auto printer = make_event_printer(options);
    std::string out;
    printer->print(kPods, listed(web_with(R"({"spec":007})")), Clock::Wall(test::kNow), out);
    printer->flush(out);
    CHECK(out.empty());
    CHECK(printer->unprinted() == 1);
    printer->print(kPods, listed(web_with("{}")), Clock::Wall(test::kNow), out);
    printer->flush(out);
    CHECK_FALSE(out.empty());
    CHECK(printer->unprinted() == 1);
  }
}

}  // namespace
}  // namespace kinf
