// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "kinf/client/http_lister_watcher.h"
#include "kinf/client/server_version.h"

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

namespace {

TEST_CASE("the server's version and the output decide how to list") {
  using enum NewestFromMemory;
  struct Row {
    std::optional<ServerVersion> version;
    Representation representation;
    NewestFromMemory newest;
    bool prefers_watch_list;
  };
  const Row kRows[] = {
      {{{1, 27}}, Representation::object, none, true},
      {{{1, 30}}, Representation::metadata, none, false},
      {{{1, 31}}, Representation::object, whole, true},
      {{{1, 33}}, Representation::object, whole, true},
      {{{1, 33}}, Representation::metadata, whole, false},
      {{{1, 33}}, Representation::table, whole, false},
      {{{1, 33}}, Representation::table_with_object, whole, false},
      {{{1, 34}}, Representation::object, pages, false},
      {{{1, 36}}, Representation::table, pages, false},
      {{{2, 0}}, Representation::object, pages, false},
      {{}, Representation::object, pages, false},
  };
  for (const Row& row : kRows) {
    CAPTURE((row.version ? row.version->minor : -1));
    const ListChoice choice = cheapest_list(row.version, row.representation);
    CHECK(choice.newest == row.newest);
    CHECK(choice.prefers_watch_list == row.prefers_watch_list);
  }
}

}  // namespace

}  // namespace kinf
