// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/kubeconfig_text.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "kinf/base/yaml_document.h"

namespace kinf::sandbox {
namespace {

nlohmann::json parsed(const std::string& text) {
  const auto documents = parse_yaml_documents(text);
  REQUIRE(documents.has_value());
  REQUIRE(documents->size() == 1);
  return documents->front();
}

TEST_CASE("a kubeconfig has one context, which is the current one") {
  const auto config = parsed(kubeconfig_text("left", "http://127.0.0.1:8080", "secret", ""));
  CHECK(config["current-context"] == "left");
  CHECK(config["contexts"][0]["name"] == "left");
  CHECK(config["contexts"][0]["context"]["cluster"] == config["clusters"][0]["name"]);
  CHECK(config["contexts"][0]["context"]["user"] == config["users"][0]["name"]);
  CHECK(config["contexts"][0]["context"]["namespace"] == "default");
  CHECK(config["clusters"][0]["cluster"]["server"] == "http://127.0.0.1:8080");
  CHECK_FALSE(config["clusters"][0]["cluster"].contains("certificate-authority-data"));
  CHECK(config["users"][0]["user"]["token"] == "secret");
}

TEST_CASE("a certificate is added in base 64, and a token may hold any character") {
  const auto config =
      parsed(kubeconfig_text("sandbox", "https://127.0.0.1:1", "a: \"b\" #c", "PEM"));
  CHECK(config["clusters"][0]["cluster"]["certificate-authority-data"] == "UEVN");
  CHECK(config["users"][0]["user"]["token"] == "a: \"b\" #c");
}

TEST_CASE(
    "without a token the file has a token that is not checked, so that kubectl does not ask") {
  CHECK(parsed(kubeconfig_text("sandbox", "http://h:1", "", ""))["users"][0]["user"]["token"] ==
        "sandbox");
}

}  // namespace
}  // namespace kinf::sandbox
