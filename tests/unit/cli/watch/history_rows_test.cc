// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/watch/history_rows.h"

#include <doctest/doctest.h>

#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

using std::chrono::milliseconds;
using test::kPods;

constexpr Clock::Wall kStart{std::chrono::seconds(1'700'000'000)};

HistoryRow version(milliseconds at, std::string key = "version", std::size_t bytes = 0) {
  HistoryRow row;
  row.type = &kPods;
  row.change.key = std::move(key);
  row.change.origin.arrived = kStart + at;
  if (bytes == 0) return row;
  ObjectFacts facts;
  const std::string json(bytes, ' ');
  facts.json = json;
  row.change.object = Object::create(facts);
  return row;
}

HistoryRow event_of(const std::string& time, milliseconds arrived) {
  static const ResourceType type{{"", "v1", "events"}, "Event", "event", true};
  HistoryRow row = version(arrived, "event");
  row.type = &type;
  row.note = EventNote();
  ObjectFacts facts;
  const std::string json = R"({"lastTimestamp":")" + time + "\"}";
  facts.json = json;
  row.change.object = Object::create(facts);
  return row;
}

/// An Event that happened in the second after `at`.
HistoryRow event(std::chrono::seconds at, milliseconds arrived) {
  return event_of("2023-11-14T22:13:" + std::to_string(20 + at.count()) + "Z", arrived);
}

HistoryRow gap(milliseconds end) {
  HistoryRow row;
  row.change.key = "gap";
  row.gap = Gap{.begin = kStart, .end = kStart + end, .resources = {}, .reason = ""};
  return row;
}

/// Returns the keys of the rows, with a `*` behind a gap that is between two rows.
std::string taken(HistoryRows& rows, bool all = true) {
  std::string text;
  for (const HistoryRow& row : rows.take(all)) {
    text += (text.empty() ? "" : " ") + row.change.key + (row.is_between ? "*" : "");
  }
  return text;
}

TEST_CASE(
    "An Event comes where it happened, after the versions of its second that arrived before") {
  HistoryRows rows(true);
  rows.add(version(milliseconds(1500), "a"));
  rows.add(event(std::chrono::seconds(1), milliseconds(1900)));
  rows.add(version(milliseconds(1950), "b"));
  rows.add(version(milliseconds(3000), "c"));
  rows.add(event(std::chrono::seconds(2), milliseconds(60'000)));
  CHECK(taken(rows, false).empty());
  CHECK(taken(rows) == "a event b event c");
}

TEST_CASE("An Event of a time before the clock's comes first") {
  HistoryRows rows(true);
  rows.add(version(milliseconds(1000), "a"));
  rows.add(event_of("1500-04-11T23:47:16Z", milliseconds(1500)));
  CHECK(taken(rows) == "event a");
}

TEST_CASE("An Event of the last second of the clock comes where it arrived") {
  HistoryRows rows(true);
  rows.add(version(milliseconds(1000), "a"));
  rows.add(event_of("2262-04-11T23:47:16Z", milliseconds(1500)));
  rows.add(version(milliseconds(2000), "b"));
  CHECK(taken(rows) == "a event b");
}

TEST_CASE("Versions keep their order when the clock goes back") {
  HistoryRows rows(true);
  rows.add(version(milliseconds(5000), "a"));
  rows.add(version(milliseconds(1000), "b"));
  rows.add(version(milliseconds(5500), "c"));
  CHECK(taken(rows) == "a b c");
}

TEST_CASE("A gap is between two rows only if a row follows") {
  for (const bool sorts : {false, true}) {
    HistoryRows rows(sorts);
    rows.add(gap(milliseconds(1)));
    rows.add(version(milliseconds(2), "a"));
    rows.add(gap(milliseconds(3)));
    rows.add(gap(milliseconds(4)));
    rows.add(version(milliseconds(5), "b"));
    rows.add(gap(milliseconds(6)));
    CHECK(taken(rows) == "gap a gap* gap* b gap");
  }
}

TEST_CASE("At most 1,000 rows wait, and 16 MiB of objects") {
  HistoryRows rows(true);
  std::size_t count = 0;
  for (int i = 0; i < 3000; ++i) {
    rows.add(version(milliseconds(i)));
    count += rows.take(false).size();
  }
  CHECK(count == 2000);
  CHECK(rows.take(true).size() == 1000);
  for (int i = 0; i < 40; ++i) {
    rows.add(version(milliseconds(4000 + i), "large", std::size_t{1024} * 1024));
    count += rows.take(false).size();
  }
  CHECK(count == 2000 + 40 - 15);
}

}  // namespace
}  // namespace kinf
