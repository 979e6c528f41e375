// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recording_reader.h"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "unit/recording/recording_rig.h"

namespace kinf::test {
namespace {

TEST_CASE("The versions of a few objects are read without those of others") {
  RecordingRig rig;
  const auto writer = rig.open();
  const std::size_t pods = rig.add_pods(*writer);
  rig.list(*writer, pods, {recorded_pod("a", "1"), recorded_pod("b", "2", "{}", "u2")});
  constexpr int kVersions = 2000;
  for (int i = 3; i < kVersions; ++i) {
    const bool is_first = i % 100 == 0;
    const ObjectPtr pod = is_first ? recorded_pod("a", std::to_string(i))
                                   : recorded_pod("b", std::to_string(i), "{}", "u2");
    writer->write(pods, rig.at_now(make_updated(pod, pod))).value();
  }
  writer->commit(rig.clock.wall()).value();
  const auto reader = rig.read();
  const std::int64_t type = reader->id_of(pod_type().type);
  std::vector<std::int64_t> found;
  const ObjectSelection first{type, true, "default", "a"};
  CHECK(reader->seek(1, std::array{first, first}, kVersions - 100).value());
  while (const auto version = reader->next(kVersions).value())
    found.push_back(version->version.seq);
  CHECK(found.size() == 19);
  CHECK(found.front() == 100);
  CHECK(found.back() == 1900);
  CHECK_FALSE(reader->seek(0, std::array{ObjectSelection{type}}, kVersions).value());
  CHECK(reader->next(kVersions).value()->version.seq == 1);
}

TEST_CASE("A recorded object keeps its document only if it is needed") {
  VersionParts parts;
  parts.decode.form = ObjectForm::metadata;
  parts.needs_document = [](const Object& object) { return object.name() == "a"; };
  VersionDecoder decoder(parts);
  Scratch scratch;
  const ObjectPtr needed = recorded_pod("a", "1");
  const ObjectPtr other = recorded_pod("b", "2");
  CHECK(decoder.decode(needed->json(scratch), {}).value()->form() == ObjectForm::raw);
  CHECK(decoder.decode(other->json(scratch), {}).value()->form() == ObjectForm::metadata);
}

}  // namespace
}  // namespace kinf::test
