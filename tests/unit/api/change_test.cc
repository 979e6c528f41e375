// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/change.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "fakes/change_builder.h"
#include "kinf/api/object_decoder.h"
#include "kinf/base/timestamp.h"

namespace kinf::test {
namespace {

/// An entry of managedFields. `second` is the second of its time.
std::string entry(const std::string& manager, int second, const std::string& fields = "{}",
                  const std::string& subresource = {}) {
  const std::string part =
      subresource.empty() ? "" : fmt::format(R"("subresource":"{}",)", subresource);
  return fmt::format(R"({{"manager":"{}",{}"time":"2026-11-23T10:00:{:02}Z","fieldsV1":{}}})",
                     manager, part, second, fields);
}

/// Returns an object that was created at 10:00:00.
ObjectPtr written(const std::vector<std::string>& entries, bool deleting = false) {
  ObjectDecoder decoder({});
  return decoder
      .decode(fmt::format(R"({{"metadata":{{"name":"a","creationTimestamp":"2026-11-23T10:00:00Z",)"
                          R"({}"managedFields":[{}]}}}})",
                          deleting ? R"("deletionTimestamp":"2026-11-23T10:00:00Z",)" : "",
                          fmt::join(entries, ",")))
      .value();
}

/// An object whose manager is all that is known, as from a recording.
ObjectPtr recorded(const std::string& manager) {
  ObjectDecoder decoder({});
  RowCells row;
  row.manager = manager;
  return decoder.decode(R"({"metadata":{"name":"a"}})", row).value();
}

/// The manager of an update that arrived at 10:00 and `second` seconds.
std::string manager_of(ObjectPtr before, ObjectPtr after, int second = 50) {
  Change change = make_updated(std::move(before), std::move(after));
  change.origin.arrived =
      wall_time(*parse_timestamp("2026-11-23T10:00:00Z")) + std::chrono::seconds(second);
  return std::string(change.manager());
}

TEST_CASE("W2: the entry that is new, or has a new time, made the change") {
  const std::string one = entry("one", 1);
  CHECK(make_added(written({one, entry("two", 2)})).manager() == "two");
  CHECK(manager_of(written({one}), written({one, entry("two", 2)})) == "two");
  CHECK(manager_of(written({one, entry("two", 2)}), written({entry("one", 3), entry("two", 2)})) ==
        "one");
  CHECK(manager_of(written({one}), written({one, entry("kubectl", 2, "{}", "scale")})) ==
        "kubectl (scale)");
  CHECK(manager_of(written({}), written({one})) == "one");
  // An entry of another subresource is another entry.
  CHECK(manager_of(written({entry("kubelet", 9)}),
                   written({entry("kubelet", 9), entry("kubelet", 5, "{}", "status")})) ==
        "kubelet (status)");
}

TEST_CASE("W2: of two changed entries the newest counts, then the one that grew, then the spec") {
  const std::string big = R"({"f:a":{},"f:b":{}})";
  const std::string small = R"({"f:a":{}})";
  CHECK(manager_of(written({entry("one", 1), entry("two", 1)}),
                   written({entry("one", 3), entry("two", 2)})) == "one");
  CHECK(manager_of(written({entry("one", 1, small), entry("two", 1, big)}),
                   written({entry("one", 2, big), entry("two", 2, small)})) == "one");
  CHECK(manager_of(written({entry("one", 1), entry("two", 1, "{}", "status")}),
                   written({entry("one", 2), entry("two", 2, "{}", "status")})) == "one");
  // In the second of the entry, only its fields tell.
  CHECK(manager_of(written({entry("one", 1, small), entry("two", 1, big)}),
                   written({entry("one", 1, big), entry("two", 1, small)})) == "one");
  CHECK(manager_of(written({entry("one", 1, small)}),
                   written({entry("one", 1, R"({"f:b":{}})")})) == "one");
}

TEST_CASE("W2: else the entry that lost fields or vanished is named") {
  const std::string labels = R"({"f:labels":{"f:a":{},"f:b":{}}})";
  CHECK(manager_of(written({entry("one", 1, labels), entry("two", 2)}),
                   written({entry("one", 1, "{}"), entry("two", 2)})) == "one");
  CHECK(manager_of(written({entry("one", 1, labels), entry("two", 2)}),
                   written({entry("two", 2)})) == "one");
  // The removal of a finalizer after the deletion has begun.
  CHECK(manager_of(written({entry("one", 1, labels)}, true), written({}, true)) == "one");
  CHECK(manager_of(written({entry("one", 1, labels), entry("two", 1)}, true),
                   written({entry("two", 1)}, true)) == "one");
}

TEST_CASE("W2: else the newest entry is named if it is of the last two seconds") {
  const std::vector<std::string> entries = {entry("creator", 0), entry("kubelet", 8)};
  CHECK(manager_of(written(entries), written(entries), 8) == "kubelet");
  CHECK(manager_of(written(entries), written(entries), 10) == "kubelet");
  CHECK(manager_of(written(entries), written(entries), 6) == "kubelet");
  CHECK(manager_of(written(entries), written(entries), 11).empty());
  CHECK(manager_of(written(entries), written(entries), 5).empty());
  // A binding right after the creation is not the creator's.
  CHECK(manager_of(written({entry("creator", 0)}), written({entry("creator", 0)}), 1).empty());
}

TEST_CASE("W2: without the entries of the old object, only the time of an entry tells") {
  CHECK(manager_of(recorded("one"), written({entry("one", 1), entry("two", 8)}), 9) == "two");
  CHECK(manager_of(recorded("one"), written({entry("one", 1), entry("two", 8)}), 20).empty());
  CHECK(manager_of(recorded("one"), written({entry("creator", 0)}), 1) == "creator");
}

TEST_CASE("W2: blanks between the entries are no change") {
  ObjectDecoder decoder({});
  const auto pod = [&](const char* blanks) {
    return decoder
        .decode(fmt::format(
            "{{\n\"metadata\":{{\"name\":\"a\",\"managedFields\":[{{\"manager\":\"one\","
            "\"fieldsV1\":{{\"f:a\":{{}}}}{}}}]}}}}",
            blanks))
        .value();
  };
  CHECK(manager_of(pod(""), pod("\n  ")).empty());
}

TEST_CASE("a recorded manager is repeated") {
  CHECK(manager_of(written({entry("one", 1)}), recorded("kubectl (scale)")) == "kubectl (scale)");
  CHECK(manager_of(recorded("one"), recorded("")).empty());
}

TEST_CASE("who begins a deletion is not known, because that leaves managedFields as they were") {
  const std::string one = entry("one", 8);
  CHECK(manager_of(written({one}), written({one}, true), 8).empty());
  CHECK(manager_of(written({one}), written({one, entry("two", 9)}, true), 9) == "two");
}

TEST_CASE("a deletion and a resync have no manager") {
  const ObjectPtr object = written({entry("one", 1)});
  CHECK(make_deleted(object).manager().empty());
  Change resync = make_updated(object, written({entry("two", 2)}));
  resync.type = ChangeType::resync;
  CHECK(resync.manager().empty());
  CHECK(Change{}.manager().empty());
}

TEST_CASE("of very many entries, the newest are compared") {
  std::vector<std::string> entries;
  for (int i = 0; i < 300; ++i) entries.push_back(entry(fmt::format("m{}", i), i % 50));
  entries.insert(entries.begin(), entry("last", 55));
  const ObjectPtr object = written(entries);
  CHECK(object->manager() == "last");
  CHECK(object->writers()->size() < 3000);
  CHECK(manager_of(object, object, 55) == "last");
}

}  // namespace
}  // namespace kinf::test
