// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/object_document.h"

#include <doctest/doctest.h>

#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

ObjectPtr web_with(std::string json) {
  test::Sample sample;
  sample.name = "web";
  sample.json = std::move(json);
  return test::make_object(sample);
}

std::string shown(const ResourceType& type, const std::string& json, bool show_secrets) {
  Scratch scratch;
  return std::string(object_document(type, *web_with(json), show_secrets, scratch).text);
}

TEST_CASE("a document consists of the bytes of the server") {
  const std::string json = R"({"z": 1.10, "a": "\u003c"})";
  CHECK(shown(test::kPods, json, false) == json);
}

TEST_CASE("the values of a Secret are masked unless requested") {
  const std::string json = R"({"data":{"k":"aHVudGVyMg=="}})";
  CHECK(shown(test::kSecrets, json, false) == R"({"data":{"k":"<7 bytes>"}})");
  CHECK(shown(test::kSecrets, json, true) == json);
  CHECK(shown(test::kPods, json, false) == json);
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
  CHECK(text(test::kPods, "n1") == R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"n1"}})");
  CHECK(change_document(test::kPods, test::listed(web_with(R"({"a":1})")), false, scratch).text ==
        R"({"a":1})");
}

}  // namespace
}  // namespace kinf
