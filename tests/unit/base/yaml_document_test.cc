// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/yaml_document.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace kinf {
namespace {

using Json = nlohmann::json;

TEST_CASE("a stream of YAML documents is read to its end, empty ones included") {
  const auto documents = parse_yaml_documents("a: 1\n---\n---\n- x\n...\n---\nyes\n");
  REQUIRE(documents);
  CHECK(*documents == std::vector<Json>{{{"a", 1}}, nullptr, {"x"}, true});
  CHECK(parse_yaml_documents("# nothing\n")->empty());
}

TEST_CASE("a stray sign where a document should begin is refused and does not go on for ever") {
  for (const char* text : {"\n,\n", ",", "a: 1\n---\n, b\n", "--- ,\n"}) {
    CAPTURE(text);
    const auto documents = parse_yaml_documents(text);
    REQUIRE_FALSE(documents);
    CHECK(documents.error().message.find("a value is expected") != std::string::npos);
  }
}

}  // namespace
}  // namespace kinf
