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
ObjectPtr written_by(const std::string& manager, const std::string& time = "T1",
                     const std::string& fields = "{}", const DecodeOptions& options = {}) {
  ObjectDecoder decoder(options);
  return decoder
      .decode(fmt::format(R"({{"metadata":{{"name":"a","managedFields":[{{"manager":"{}",)"
                          R"("time":"{}","fieldsV1":{}}}]}}}})",
                          manager, time, fields))
      .value();
}

/// Returns an object of a recording or a state, which have no managedFields.
ObjectPtr saved(const std::string& manager) {
  ObjectDecoder decoder({});
  return decoder.decode(R"({"metadata":{"name":"a"}})", {"", nullptr, manager}).value();
}

TEST_CASE("an update was made by the newest manager if managedFields changed") {
  CHECK(make_updated(written_by("one"), written_by("two")).manager() == "two");
  CHECK(make_updated(written_by("one", "T1"), written_by("one", "T2")).manager() == "one");
  CHECK(make_updated(written_by("one", "T1", "{}"), written_by("one", "T1", R"({"f:a":{}})"))
            .manager() == "one");
  CHECK(make_updated(saved(""), written_by("one")).manager() == "one");
}

TEST_CASE("the manager of an update that left managedFields as they were is not known") {
  CHECK(make_updated(written_by("one"), written_by("one")).manager().empty());
  DecodeOptions kept;
  kept.keep_managed_fields = true;
  CHECK(make_updated(written_by("one", "T1", "{}", kept), written_by("one", "T1", "{}", kept))
            .manager()
            .empty());
}

TEST_CASE("an addition has the newest manager, a deletion and a resync have none") {
  CHECK(make_added(written_by("one")).manager() == "one");
  CHECK(make_deleted(written_by("one")).manager().empty());
  Change resync = make_updated(written_by("one"), written_by("two"));
  resync.type = ChangeType::resync;
  CHECK(resync.manager().empty());
  CHECK(Change{}.manager().empty());
}

TEST_CASE("a recorded change has the recorded manager") {
  CHECK(make_updated(saved("one"), saved("one")).manager() == "one");
  CHECK(make_updated(saved("one"), saved("")).manager().empty());
}

TEST_CASE("for an earlier state without managedFields, only another manager is certain") {
  CHECK(make_updated(saved("one"), written_by("two")).manager() == "two");
  CHECK(make_updated(saved("one"), written_by("one")).manager().empty());
}

TEST_CASE("managedFields are skipped if the manager is not needed") {
  DecodeOptions options;
  options.needs_manager = false;
  const ObjectPtr object = written_by("one", "T1", R"({"f:a":{}})", options);
  CHECK(object->manager().empty());
  CHECK(object->managed_fields_hash() == 0);
  Scratch scratch;
  CHECK(object->json(scratch) == R"({"metadata":{"name":"a"}})");
}

}  // namespace
}  // namespace kinf::test
