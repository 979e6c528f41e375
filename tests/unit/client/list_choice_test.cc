// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/list_choice.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>

namespace kinf {
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
