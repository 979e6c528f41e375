// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/server_version.h"

#include <doctest/doctest.h>

#include <string>

namespace kinf {
namespace {

TEST_CASE("the version of a server is read from gitVersion, with any suffix") {
  CHECK(parse_server_version(R"({"major":"1","minor":"34+","gitVersion":"v1.34.1-gke.2"})") ==
        ServerVersion{1, 34});
  CHECK(parse_server_version(R"({"gitVersion":"v1.31.4+k3s1"})") == ServerVersion{1, 31});
  CHECK(parse_server_version(R"({"gitVersion":"v2.0"})") == ServerVersion{2, 0});
  for (const char* bad : {"", "{", "[]", "{}", R"({"gitVersion":7})", R"({"gitVersion":"1.34"})",
                          R"({"gitVersion":"v1"})", R"({"gitVersion":"v1."})",
                          R"({"gitVersion":"v1.99999999999"})"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_server_version(bad));
  }
}

TEST_CASE("a version document that is too large is not read") {
  const std::string padding(64 * 1024, ' ');
  CHECK_FALSE(parse_server_version(R"({"gitVersion":"v1.34.1"})" + padding));
}

}  // namespace
}  // namespace kinf
