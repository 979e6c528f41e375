// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/jq/libjq.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fakes/fixture.h"
#include "kinf/query/jq/jq_program.h"

namespace kinf {
namespace {

/// Returns the value as jq prints it; empty if `json` is left to jq's parser.
std::string read(std::string_view json, const JqReads& reads = {}) {
  REQUIRE(libjq());
  const jv value = read_jq_object(json, reads);
  if (libjq()->jv_get_kind(value) == JV_KIND_INVALID) return {};
  const jv text = libjq()->jv_dump_string(value, 0);
  std::string copy = libjq()->jv_string_value(text);
  libjq()->jv_free(text);
  return copy;
}

/// Returns the value that jq's own parser reads, which is what is left to it inside a list.
std::string read_by_jq(std::string_view json) {
  const Result<JqValue> list = JqValue::parse(fmt::format("[{}]", json));
  REQUIRE(list);
  const std::string text = list->text();
  return text.substr(1, text.size() - 2);
}

TEST_CASE("a document is the value that jq's parser reads") {
  const std::vector<std::string> documents = {
      "{}",
      "{\"a\":{},\"b\":{},\"c\":[],\"d\":[{}]}",
      " {\"a\" : [ 1 , 2 ]}\n",
      R"({"a":-0,"b":0,"c":-1,"d":1e3,"e":0.1,"f":9007199254740993,"g":123456789012345678901234})",
      R"({"a":18446744073709551615,"b":-9223372036854775808,"c":1e-400,"d":5e-324,"e":1.5E+2})",
      R"({"a":"\u00e9\n\"\\\/","b":"\ud83d\ude00","é":"ü","\u0041":true,"c":false,"d":null,"":""})",
      R"({"a":1,"a":2,"b":{"c":1,"c":[2]},"nul":"\u0000 x"})"};
  for (const std::string& json : documents) {
    INFO(json);
    CHECK(read(json) == read_by_jq(json));
  }
  const auto list = nlohmann::json::parse(test::fixture("list/pods.json"));
  for (const auto& pod : list.at("items")) {
    CHECK(read(pod.dump()) == read_by_jq(pod.dump()));
  }
}

TEST_CASE("empty objects that share a value change alone") {
  const Result<JqValue> value = JqValue::parse(R"({"a":{},"b":{}})");
  std::string reported;
  const auto program = JqProgram::compile(".a.x = 1 | tojson", reported);
  REQUIRE((value && program && *program));
  std::string text;
  REQUIRE((*program)->run(*value, nullptr, {}, [&](const JqValue& result) {
    text = result.text();
    return true;
  }));
  CHECK(text == R"({"a":{"x":1},"b":{}})");
}

TEST_CASE("what is not an object of ordinary depth in strict JSON is left to jq's parser") {
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += "{\"a\":";
    return text + "1" + std::string(static_cast<std::size_t>(depth), '}');
  };
  CHECK(read(nested(60)) == nested(60));
  for (const std::string& json :
       {std::string(), std::string("1"), std::string("[{}]"), std::string("{} {}"),
        std::string("{\"a\":1e400}"), std::string("{\"a\":nan}"), std::string("{\"a\":[1}}"),
        std::string("{\"a\":\"\\ud800\"}"), std::string("{\"a\":\"\xff\"}"),
        std::string("{\"a\":\"\x01\"}"), std::string("{\"a\":1,}"), std::string("{\"a\":007}"),
        std::string("{\"a\":"), std::string("{\"a\" 1}"), std::string("{\"a\":[1,2"),
        nested(200)}) {
    INFO(json);
    CHECK(read(json).empty());
  }
  CHECK(JqValue::parse("{\"a\":\"\xff\"}")->text() == "{\"a\":\"\xef\xbf\xbd\"}");
  CHECK_FALSE(JqValue::parse(nested(20'000)));
}

TEST_CASE("members that are not read are left out") {
  const JqReads reads = JqReads::of(".status.phase and .spec");
  CHECK(read(R"({"kind":"Pod","status":{"a":[1],"phase":"P","b":{}},"spec":{"c":{"d":1}}})",
             reads) == R"({"status":{"phase":"P"},"spec":{"c":{"d":1}}})");
  CHECK(read(R"({"status":"text","spec":null})", reads) == R"({"status":"text","spec":null})");
  // The last one counts, as in the whole document.
  CHECK(read(R"({"status":{"phase":"P"},"status":{"b":1}})", reads) == R"({"status":{}})");
  CHECK(read(R"({"kind":"Pod"})", reads) == "{}");
}

}  // namespace
}  // namespace kinf
