// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/change.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "fakes/change_builder.h"
#include "kinf/api/object_decoder.h"

namespace kinf::test {
namespace {

/// Returns an object with one entry in managedFields.
ObjectPtr written_by(const std::string& manager, bool deleting = false) {
  ObjectDecoder decoder({});
  return decoder
      .decode(fmt::format(R"({{"metadata":{{"name":"a",{}"managedFields":[{{"manager":"{}"}}]}}}})",
                          deleting ? R"("deletionTimestamp":"2026-11-23T10:00:00Z",)" : "",
                          manager))
      .value();
}

TEST_CASE("an addition or update was made by the newest manager") {
  CHECK(make_added(written_by("one")).manager() == "one");
  CHECK(make_updated(written_by("one"), written_by("two")).manager() == "two");
  CHECK(make_updated(written_by("one"), written_by("one")).manager() == "one");
  CHECK(make_updated(written_by("one", true), written_by("two", true)).manager() == "two");
}

TEST_CASE("who begins a deletion is not known, because that leaves managedFields as they were") {
  CHECK(make_updated(written_by("one"), written_by("one", true)).manager().empty());
}

TEST_CASE("a deletion and a resync have no manager") {
  CHECK(make_deleted(written_by("one")).manager().empty());
  Change resync = make_updated(written_by("one"), written_by("two"));
  resync.type = ChangeType::resync;
  CHECK(resync.manager().empty());
  CHECK(Change{}.manager().empty());
}

}  // namespace
}  // namespace kinf::test
