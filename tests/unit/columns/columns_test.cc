// SPDX-License-Identifier: Apache-2.0
#include "kinf/columns/columns.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "fakes/fake_clock.h"

using kinf::table_cells;
using kinf::table_columns;
using kinf::test::FakeClock;
using Json = nlohmann::json;

TEST_CASE("a kind without columns of its own shows name and age") {
  const Json lease = {{"apiVersion", "coordination.k8s.io/v1"},
                      {"kind", "Lease"},
                      {"metadata", {{"name", "n"}, {"creationTimestamp", "2026-11-21T10:00:00Z"}}}};
  CHECK(table_columns("coordination.k8s.io/v1", "Lease").columns.size() == 2);
  CHECK(table_cells(lease, FakeClock::kStart) == Json::array({"n", "14m"}));
}

TEST_CASE("the columns of a kind belong to its group") {
  CHECK(table_columns("v1", "Service").columns.size() == 7);
  CHECK(table_columns("serving.example.test/v1", "Service").columns.size() == 2);
}

TEST_CASE("an object of the wrong shape has cells too") {
  const Json odd = {{"apiVersion", "v1"},
                    {"kind", "Pod"},
                    {"metadata", {{"name", 5}, {"creationTimestamp", "long ago"}}},
                    {"spec", "none"},
                    {"status", {{"containerStatuses", {1, "two", nullptr}}}}};
  CHECK(table_cells(odd, FakeClock::kStart)[1] == "0/0");
  CHECK(table_cells(odd, FakeClock::kStart)[4] == "<unknown>");
}
