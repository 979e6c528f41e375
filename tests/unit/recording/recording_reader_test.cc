// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recording_reader.h"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "kinf/recording/recorded_moment.h"
#include "kinf/recording/recording_copier.h"
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

TEST_CASE("A moment in whole milliseconds is the whole millisecond") {
  RecordingRig rig;
  Clock::Wall printed;
  {
    const auto writer = rig.open();
    const std::size_t pods = rig.add_pods(*writer);
    rig.list(*writer, pods, {recorded_pod("a", "1")});
    rig.clock.advance(std::chrono::nanoseconds(5'123'456));
    printed = std::chrono::floor<std::chrono::milliseconds>(rig.clock.wall());
    rig.watch(*writer, pods, make_updated(recorded_pod("a", "1"), recorded_pod("a", "2")));
    rig.clock.advance(std::chrono::milliseconds(1));
    rig.watch(*writer, pods, make_updated(recorded_pod("a", "2"), recorded_pod("a", "3")));
  }
  const auto reader = rig.read();
  const auto at = [&](const RecordedMoment& moment) {
    return find_moment(*reader, moment).value().seq;
  };
  CHECK(at({.time = printed}) == 2);
  CHECK(at({.time = printed + std::chrono::nanoseconds(1)}) == 1);
  CHECK(at({.time = printed, .version = {}, .before_end = {}, .plays_on = true}) ==
        1);  // the change is played
  PlayedTime shown;
  shown.end = printed;
  const std::vector<std::string> played = {"ADDED a@1 initial", "SYNCED 1", "MODIFIED a@1->2"};
  CHECK(rig.play(shown) == played);
}

TEST_CASE("A copy until a moment has nothing of what began later") {
  RecordingRig rig;
  Clock::Wall until;
  {
    const auto writer = rig.open();
    const std::size_t pods = writer->add_scope({pod_type(), "default", "", "", ""}).value();
    rig.list(*writer, pods, {recorded_pod("a", "1")});
    until = rig.clock.wall();
    rig.clock.advance(std::chrono::seconds(1));
    RecordedScope late{pod_type(), "late", "", "", ""};
    late.is_late = true;
    const std::size_t joined = writer->add_scope(late).value();
    rig.watch(*writer, pods, make_updated(recorded_pod("a", "1"), recorded_pod("a", "2")));
    writer->synced(joined, {"3", 0}, rig.clock.wall()).value();
    writer->gathered().value();
    writer->commit(rig.clock.wall()).value();
  }
  const std::string copy = rig.folder.path("copy");
  CHECK(copy_recording(rig.path, copy, {.since = {}, .until = until, .namespaces = {}}, {})
            .value()
            .versions == 1);
  rig.path = copy;
  const auto reader = rig.read();
  CHECK(reader->gathered().value() == 1);
  CHECK((reader->begins() == until));
  const auto file = RecordingFile::open_for_reading(copy).value();
  CHECK(file.database->integer("SELECT count(*) FROM scope").value() == 1);
}

}  // namespace
}  // namespace kinf::test
