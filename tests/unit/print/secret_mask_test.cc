// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/secret_mask.h"

#include <doctest/doctest.h>

#include <set>

#include "kinf/base/base64.h"
#include "kinf/base/json_string.h"

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

std::string with_annotation(const std::string& key, const std::string& text) {
  std::string quoted;
  append_json_string(quoted, text);
  return R"({"metadata":{"uid":"u","annotations":{")" + key + "\":" + quoted +
         R"(}},"data":{"a":"aHVudGVyMg=="}})";
}

TEST_CASE("values in the annotations of any tool are masked") {
  const std::string manifest = R"({"data":{"old":"c2VjcmV0"},"kind":"Secret"})";
  struct Case {
    std::string_view what;
    std::string key;
    std::string text;
    std::string_view shown;  ///< the annotation
  };
  const Case cases[] = {
      {"kapp", "kapp.k14s.io/original", manifest,
       R"("{\"data\":{\"old\":\"<6 bytes>\"},\"kind\":\"Secret\"}")"},
      {"gzip in base64", "objectset.rio.cattle.io/applied", "H4sIAAAAAAAA/w==", R"("<16 bytes>")"},
      {"nested", "kapp.k14s.io/original",
       with_annotation("kubectl.kubernetes.io/last-applied-configuration", manifest), ""},
      {"a value", "example.com/note", "is hunter2 now", R"("<14 bytes>")"},
      {"its base64", "example.com/note", "aHVudGVyMg", R"("<10 bytes>")"},
      {"a value in JSON", "example.com/note", R"({"password":"hunter2"})", R"("<22 bytes>")"},
      {"damaged JSON", "example.com/note", R"({"password":)", R"("<12 bytes>")"},
      {"no value", "example.com/note", R"({"a":[1]})", R"("{\"a\":[1]}")"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.what);
    const std::string json = with_annotation(one.key, one.text);
    for (const std::string& masked : {mask_secret(json).value(), mask_recorded_secret(json).value(),
                                      mask_secret(mask_recorded_secret(json).value()).value()}) {
      CAPTURE(masked);
      for (const std::string_view secret : {"hunter2", "aHVudGVyMg", "c2VjcmV0", "H4sI"}) {
        CHECK(masked.find(secret) == std::string::npos);
      }
    }
    CHECK(mask_secret(json)->find(one.shown) != std::string::npos);
    CHECK(mask_secret(mask_recorded_secret(json).value()).value() == mask_secret(json).value());
  }
}

TEST_CASE("the name of a service account is shown, even if a value is equal") {
  const std::string json =
      R"({"metadata":{"annotations":{"kubernetes.io/service-account.name":"default"}},)"
      R"("data":{"namespace":"ZGVmYXVsdA=="}})";
  CHECK(mask_secret(json)->find(R"(name":"default")") != std::string::npos);
}

TEST_CASE("a recording has as many bytes, and another letter for another value") {
  const auto recorded = [](const std::string& uid, const std::string& base64) {
    const std::string masked =
        mask_recorded_secret(R"({"metadata":{"uid":")" + uid + R"("},"data":{"a":")" + base64 +
                             R"("},"stringData":{"b":"xyz"}})")
            .value();
    CHECK(mask_secret(masked)->find(R"("data":{"a":"<7 bytes>"},"stringData":{"b":"<3 bytes>"})") !=
          std::string::npos);
    const std::size_t begin = masked.find(R"("a":")") + 5;
    return base64_decode(masked.substr(begin, masked.find('"', begin) - begin)).value();
  };
  const std::string one = recorded("u", "aHVudGVyMg==");
  CHECK(one == std::string(7, one.front()));
  CHECK(recorded("u", "aHVudGVyMg==") == one);
  std::set<std::string> values;
  std::set<std::string> uids;
  for (int i = 0; i < 100; ++i) {
    values.insert(recorded("u", base64_encode("passw" + std::to_string(10 + i % 90))));
    uids.insert(recorded("u" + std::to_string(i), "aHVudGVyMg=="));
  }
  CHECK(values.size() > 20);
  CHECK(uids.size() > 20);
}

TEST_CASE("a damaged Secret is an error") {
  CHECK_FALSE(mask_secret(R"({"data":{"a":hunter2}})").has_value());
  CHECK_FALSE(mask_secret(std::string(100'000, '[')).has_value());
}

}  // namespace
}  // namespace kinf
