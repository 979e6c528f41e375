// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/secret_mask.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

TEST_CASE("values are replaced by their lengths; all other bytes stay") {
  CHECK(
      mask_secret(R"({"data": {"a":"aHVudGVyMg==","b":""}, "n":1.10,"stringData":{"c":"h\u00fc"}})")
          .value() ==
      R"({"data": {"a":"<7 bytes>","b":"<0 bytes>"}, "n":1.10,"stringData":{"c":"<3 bytes>"}})");
}

TEST_CASE("the copy that kubectl apply keeps is masked too") {
  const std::string masked =
      mask_secret(
          R"({"metadata":{"annotations":{"kubectl.kubernetes.io\/last-applied-configuration":)"
          R"("{\"data\":{\"a\":\"aHVudGVyMg==\"},\"kind\":\"Secret\"}\n","x":"y"}}})")
          .value();
  CHECK(masked ==
        R"({"metadata":{"annotations":{"kubectl.kubernetes.io\/last-applied-configuration":)"
        R"("{\"data\":{\"a\":\"<7 bytes>\"},\"kind\":\"Secret\"}\n","x":"y"}}})");
}

TEST_CASE("values in unusual places are masked too") {
  struct Case {
    std::string_view what;
    std::string_view json;
  };
  const Case cases[] = {
      {"an escaped key", R"({"d\u0061ta":{"a":"hunter2"}})"},
      {"the key twice", R"({"data":{},"data":{"a":"hunter2"}})"},
      {"a value that is no string", R"({"data":{"a":["hunter2"]}})"},
      {"data that is no object", R"({"data":"hunter2"})"},
      {"an annotation that is no manifest",
       R"({"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"hunter2"}}})"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.what);
    const Result<std::string> masked = mask_secret(one.json);
    REQUIRE(masked);
    CHECK(masked->find("hunter2") == std::string::npos);
    CHECK(masked->find(" bytes>") != std::string::npos);
  }
}

TEST_CASE("values that are masked already stay as they are") {
  const std::string once =
      mask_secret(R"({"data":{"a":"c2VjcmV0"},"stringData":{"b":"x"}})").value();
  CHECK(once == R"({"data":{"a":"<6 bytes>"},"stringData":{"b":"<1 bytes>"}})");
  CHECK(mask_secret(once).value() == once);
  CHECK(mask_secret(R"({"stringData":{"b":"<x bytes>"}})").value() ==
        R"({"stringData":{"b":"<9 bytes>"}})");
}

TEST_CASE("a damaged Secret is an error") {
  CHECK_FALSE(mask_secret(R"({"data":{"a":hunter2}})").has_value());
  CHECK_FALSE(mask_secret(std::string(100'000, '[')).has_value());
}

}  // namespace
}  // namespace kinf
