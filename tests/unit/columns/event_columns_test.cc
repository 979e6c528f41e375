// SPDX-License-Identifier: Apache-2.0
// The cells of Events, as kubectl shows them.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "fakes/fake_clock.h"
#include "kinf/columns/columns.h"
#include "kinf/columns/kind_columns.h"

namespace kinf {
namespace {

using Json = nlohmann::json;

/// The times are relative to 10:14:00.
Json row(const char* event) {
  return columns::event_cells(Json::parse(event), test::FakeClock::kStart);
}

TEST_CASE("an Event of the core group shows when, what and about what") {
  CHECK(row(R"({"metadata":{"name":"web.1"},"type":"Warning","reason":"BackOff",
               "message":" Back-off restarting \n","count":3,
               "involvedObject":{"kind":"Pod","name":"web","fieldPath":"spec.containers{c}"},
               "source":{"component":"kubelet","host":"node-1"},
               "firstTimestamp":"2026-11-21T10:00:00Z","lastTimestamp":"2026-11-21T10:13:55Z"})") ==
        Json::array({"5s", "Warning", "BackOff", "pod/web", "spec.containers{c}", "kubelet, node-1",
                     "Back-off restarting", "14m", 3, "web.1"}));
}

TEST_CASE("an Event of events.k8s.io has the same cells under other names") {
  CHECK(row(R"({"metadata":{"name":"web.2"},"type":"Normal","reason":"Pulled","note":"pulled",
               "regarding":{"kind":"Pod","name":"web"},"reportingController":"kubelet",
               "eventTime":"2026-11-21T10:13:00.000000Z",
               "series":{"count":7,"lastObservedTime":"2026-11-21T10:13:58.000000Z"}})") ==
        Json::array(
            {"2s", "Normal", "Pulled", "pod/web", "", "kubelet", "pulled", "60s", 7, "web.2"}));
}

TEST_CASE("an Event without times, count and name still has a row") {
  CHECK(row(R"({"involvedObject":{"kind":"Node"}})") ==
        Json::array({"<unknown>", "", "", "node", "", "", "", "<unknown>", 1, ""}));
}

TEST_CASE("both groups have the columns of kubectl") {
  const std::vector<TableColumn>& core = table_columns("v1", "Event").columns;
  CHECK(core == table_columns("events.k8s.io/v1", "Event").columns);
  REQUIRE(core.size() == 10);
  CHECK(core[0].name == "Last Seen");
  CHECK(core[6].name == "Message");
  CHECK(core[6].priority == 0);
  CHECK(core[9].priority == 1);
}

}  // namespace
}  // namespace kinf
