// SPDX-License-Identifier: Apache-2.0
// Damaged recordings: no reader returns anything that kinf did not write.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "kinf/base/limits.h"
#include "kinf/recording/recorded_moment.h"
#include "kinf/recording/recording_copier.h"
#include "kinf/recording/recording_schema.h"
#include "kinf/recording/recording_summary.h"
#include "recording_rig.h"

namespace kinf::test {
namespace {

/// One line for each fact and version of a recording, with its text, or the error.
Result<std::vector<std::string>> contents(const std::string& path) {
  Result<std::unique_ptr<RecordingReader>> opened = RecordingReader::open(path);
  if (!opened) return fail(opened);
  RecordingReader& reader = **opened;
  std::vector<std::string> lines;
  for (const auto& [id, type] : reader.types()) lines.push_back(type.type.gvr.resource);
  lines.push_back(std::to_string(reader.ends().time_since_epoch().count()));
  Result<std::vector<RecordedGap>> gaps = reader.gaps();
  if (!gaps) return fail(gaps);
  for (const RecordedGap& gap : *gaps) lines.push_back(gap.resource + gap.reason);
  std::string text;
  while (true) {
    Result<std::optional<RecordedVersion>> next = reader.next(reader.last_seq());
    if (!next) return fail(next);
    if (!*next) return lines;
    const RecordedVersion& version = **next;
    text.clear();
    const bool is_deleted = version.version.facts.type == ChangeType::deleted;
    if (!is_deleted) {
      Result<void> rebuilt = reader.rebuild(version.object, version.version.seq, text);
      if (!rebuilt) return fail(rebuilt);
    }
    lines.push_back(fmt::format("{} {} {} {} {}/{} {} {}", version.version.seq,
                                version.version.time, version.version.facts.pack(), version.type,
                                version.ns, version.name, version.version.resource_version, text));
  }
}

/// Writes a recording with `updates` changes of three pods, and a gap.
void fill(RecordingRig& rig, int updates) {
  const auto writer = rig.open();
  const std::size_t pods = rig.add_pods(*writer);
  std::vector<ObjectPtr> last;
  for (const char* name : {"a", "b", "c"}) last.push_back(recorded_pod(name, "1", "{}", name));
  rig.list(*writer, pods, last);
  std::mt19937_64 random(static_cast<std::uint64_t>(updates));
  for (int i = 0; i < updates; ++i) {
    ObjectPtr& object = last.at(static_cast<std::size_t>(i % 3));
    const std::string name{object->name()};
    ObjectPtr next = recorded_pod(name, std::to_string(2 + i),
                                  fmt::format(R"({{"phase":"{}"}})", random()), name);
    rig.clock.advance(std::chrono::seconds(1));
    rig.watch(*writer, pods, make_updated(object, next));
    object = next;
  }
  rig.watch(*writer, pods, make_deleted(last.front()));
}

/// Changes the file as another program does.
void change(const RecordingRig& rig, const std::string& sql) {
  Database::open(rig.path, OpenMode::write).value()->run(sql).value();
}

/// Returns how many flips to try: few, or as many as the environment says.
int flips() {
  const char* const text = std::getenv("KINF_BIT_FLIPS");
  return text == nullptr ? 400 : std::atoi(text);
}

}  // namespace

TEST_CASE("A flipped bit never changes what is read from a recording") {
  constexpr int kFiles = 10;
  int refused = 0;
  for (int file = 0; file < kFiles; ++file) {
    RecordingRig rig;
    fill(rig, 3 + file * 40);
    const std::vector<std::string> whole = contents(rig.path).value();
    const std::string bytes = rig.folder.read("pods.kinf");
    std::mt19937_64 random(static_cast<std::uint64_t>(file));
    for (int i = 0; i < flips() / kFiles; ++i) {
      std::string damaged = bytes;
      const std::size_t at = random() % damaged.size();
      const auto bit = static_cast<unsigned>(random() % 8);
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U << bit));
      rig.folder.write("pods.kinf", damaged);
      const auto read = contents(rig.path);
      refused += read ? 0 : 1;
      CAPTURE(at);
      CAPTURE(bit);
      if (read) CHECK((*read == whole));
      if (!read) CHECK_FALSE(read.error().message.empty());
    }
  }
  CHECK(refused > 0);
}

/// Changes the last page of a recording, and checks that reading it names the page.
void check_last_page(const std::function<void(std::span<char> page)>& change) {
  RecordingRig rig;
  fill(rig, 100);
  std::string bytes = rig.folder.read("pods.kinf");
  const std::size_t last = bytes.size() / 4096 - 1;
  change(std::span(bytes).subspan(last * 4096, 4096));
  rig.folder.write("pods.kinf", bytes);
  const auto read = contents(rig.path);
  REQUIRE_FALSE(read);
  CHECK(read.error().message ==
        fmt::format("{} is damaged: page {} is not as kinf wrote it", rig.path, last + 1));
}

TEST_CASE("A damaged page is named, and one of zeros is damaged") {
  check_last_page([](std::span<char> page) { page[2000] ^= 1; });
  check_last_page([](std::span<char> page) { std::ranges::fill(page, '\0'); });
}

TEST_CASE("A version that is not as kinf wrote it is named") {
  RecordingRig rig;
  fill(rig, 10);
  Database::open(rig.path, OpenMode::write)
      .value()
      ->run("UPDATE version SET resource_version = 77 WHERE seq = 8")
      .value();
  const auto read = contents(rig.path);
  REQUIRE_FALSE(read);
  CHECK(read.error().message == rig.path + " is damaged: version 8 is not as kinf wrote it");
}

TEST_CASE("A recording that is cut while it is read is an error") {
  RecordingRig rig;
  fill(rig, 300);
  const auto reader = rig.read();
  std::filesystem::resize_file(rig.path, std::uintmax_t{4096} * 3);
  Result<std::optional<RecordedVersion>> next = reader->next(reader->last_seq());
  while (next && *next) next = reader->next(reader->last_seq());
  REQUIRE_FALSE(next);
  CHECK(next.error().kind == ErrorKind::protocol);
  CHECK(next.error().message.starts_with(rig.path + " is damaged: page "));
}

TEST_CASE("A version that is based on too many others is an error, which takes little time") {
  RecordingRig rig;
  fill(rig, 3);
  change(rig,
         "INSERT INTO version SELECT seq + 1 + n, object, time, facts, resource_version, manager, "
         "column_set, 1, NULL, x'200100010000', late, NULL FROM version, "
         "(WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE "
         "n < 200000) SELECT n FROM numbers) WHERE seq = 6");
  std::string text;
  const Result<void> rebuilt = rig.read()->rebuild(3, 200'000, text);
  REQUIRE_FALSE(rebuilt);
  CHECK(rebuilt.error().message ==
        rig.path + " is damaged: version 200000: it is based on too many others");
}

TEST_CASE("A text that is larger than kinf writes is an error") {
  RecordingRig rig;
  fill(rig, 3);
  {
    const auto database = Database::open(rig.path, OpenMode::write).value();
    database->prepare("UPDATE type SET kind = hex(zeroblob(600000))", limits::kVersionBytes)
        .value()
        .run()
        .value();
  }
  const auto read = RecordingReader::open(rig.path);
  REQUIRE_FALSE(read);
  CHECK(read.error().message == rig.path + " is damaged: it has a value that is too large");
}

TEST_CASE("A name that no reader would accept is not recorded") {
  RecordingRig rig;
  const auto writer = rig.open();
  const std::size_t pods = rig.add_pods(*writer);
  const std::string name(limits::kRecordedTextBytes + 1, 'a');
  const Change change = rig.at_now(make_added(recorded_pod(name, "1")));
  const Result<void> written = writer->write(pods, change);
  REQUIRE_FALSE(written);
  CHECK(written.error().message == rig.path + ": a value is too large to be recorded");
}

TEST_CASE("A large version comes back") {
  RecordingRig rig;
  std::mt19937_64 random(1);
  std::string noise;
  while (noise.size() < 4 * limits::kRecordedTextBytes) noise += std::to_string(random());
  {
    const auto writer = rig.open();
    const std::size_t pods = rig.add_pods(*writer);
    rig.list(*writer, pods, {recorded_pod("a", "1", fmt::format(R"({{"noise":"{}"}})", noise))});
  }
  std::string text;
  rig.read()->rebuild(1, 1, text).value();
  CHECK(text.contains(noise));
}

TEST_CASE("More types than a recording has are an error") {
  RecordingRig rig;
  fill(rig, 3);
  change(rig,
         "INSERT INTO type(resource) WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT "
         "n + 1 FROM numbers WHERE n < 20000) SELECT n FROM numbers");
  const auto read = RecordingReader::open(rig.path);
  REQUIRE_FALSE(read);
  CHECK(read.error().message == rig.path + " is damaged: it has more than 20000 types");
}

TEST_CASE("The first and the last times and numbers there are do not overflow") {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t time : {kMost, kLeast, kMost - 1, kLeast + 1, std::int64_t{0}}) {
    for (const std::int64_t other : {kMost, kLeast}) {
      const Clock::Wall left{Clock::Duration(recorded_time(time))};
      const Clock::Wall right{Clock::Duration(recorded_time(other))};
      CHECK(((left - right).count() < 0) == (left < right));
      CHECK((left + limits::kFlagTime > left));
      CHECK((right - limits::kFlagTime < right));
      CHECK((std::chrono::floor<std::chrono::days>(left) <= left));
      CHECK((std::chrono::ceil<std::chrono::seconds>(left) >= left));
    }
  }
  for (const std::int64_t time : {kMost, kLeast}) {
    RecordingRig rig;
    fill(rig, 10);
    change(rig, fmt::format("UPDATE version SET time = {0}, late = {0}, checksum = NULL; "
                            "UPDATE session SET started = {0}, ended = {0}; "
                            "UPDATE scope SET listed = {0}, watched = {0}; "
                            "INSERT INTO gap VALUES(NULL, {0}, {1}, 'a'), (1, {1}, {0}, 'b')",
                            time, -(time + 1)));
    const auto reader = rig.read();
    CHECK((reader->ends() == Clock::Wall(Clock::Duration(recorded_time(time)))));
    CHECK_FALSE(find_moment(*reader, {.time = {}, .version = {}, .before_end = limits::kFlagTime}));
    const RecordingSummary summary = summarize_recording(rig.path, 3, {}).value();
    CHECK(summary.gaps.size() >= 2);
    CHECK(summary.unrecorded >= Clock::Duration());
    CHECK(check_recording(rig.path, {}));
    CHECK(copy_recording(rig.path, rig.folder.path("copy"),
                         {.since = rig.clock.wall(), .until = {}, .namespaces = {}}, {}));
    rig.play();
    rig.open();
  }
  RecordingRig rig;
  fill(rig, 3);
  change(rig, fmt::format("INSERT INTO version(seq, object) VALUES({}, 1)", kLeast));
  CHECK(rig.read()->seq_at(rig.clock.wall()).value() == 7);
  change(rig, fmt::format("INSERT INTO version(seq, object) VALUES({}, 1)", kMost));
  const auto written = RecordingWriter::open(rig.path, {}, rig.clock.wall());
  REQUIRE_FALSE(written);
  CHECK(written.error().message ==
        fmt::format("{} is damaged: version {} cannot be", rig.path, kMost));
}

TEST_CASE("A copy ends an object whose deletion is damaged, and notes a gap") {
  RecordingRig rig;
  fill(rig, 3);
  change(rig, "UPDATE version SET manager = 7 WHERE seq = 7");
  const std::string copy = rig.folder.path("copy");
  const CopyResult copied = copy_recording(rig.path, copy, {}, {}).value();
  CHECK(copied.damaged == 1);
  rig.path = copy;
  const auto reader = rig.read();
  CHECK(reader->state({.seq = reader->last_seq(), .type = 1}, {}).value().size() == 2);
  CHECK(reader->gaps().value().back().reason == "1 damaged version left out");
  CHECK(check_recording(copy, {}).value() == 7);
  const auto file = RecordingFile::open_for_reading(copy).value();
  CHECK(file.database->integer("SELECT resource_version FROM version WHERE seq = 7").value() == 2);
}

TEST_CASE("Frames of the log behind a damaged one are counted") {
  RecordingRig rig;
  const auto writer = rig.open();
  const std::size_t pods = rig.add_pods(*writer);
  rig.list(*writer, pods, {});
  for (const char* name : {"a", "b", "c"}) {
    rig.watch(*writer, pods, make_added(recorded_pod(name, "1", "{}", name)));
  }
  const std::string log = rig.folder.read("pods.kinf-wal");
  REQUIRE(log.size() > 32);
  rig.folder.write("copy", rig.folder.read("pods.kinf"));
  rig.folder.write("copy-wal", log);
  const std::int64_t versions = check_recording(rig.folder.path("copy"), {}).value();
  std::string damaged = log;
  const std::size_t frames = (log.size() - 32) / (24 + 4096);
  damaged[32 + (24 + 4096) + 24 + 7] ^= 1;  // in the second frame
  std::filesystem::remove(rig.folder.path("copy-shm"));
  rig.folder.write("copy-wal", damaged);
  const auto checked = check_recording(rig.folder.path("copy"), {});
  REQUIRE_FALSE(checked);
  CHECK(checked.error().message ==
        fmt::format("{0} is damaged: its log {0}-wal is: {1} frames of it cannot be read, with the "
                    "last changes",
                    rig.folder.path("copy"), frames - 1));
  CHECK(versions == 3);
}

TEST_CASE("A base that is not as kinf wrote it is an error of the versions that need it") {
  RecordingRig rig;
  fill(rig, 10);
  Database::open(rig.path, OpenMode::write)
      .value()
      ->run("UPDATE version SET time = time + 1 WHERE seq = 4")
      .value();
  const auto reader = rig.read();
  std::string text;
  CHECK(reader->rebuild(1, 1, text));
  CHECK_FALSE(reader->rebuild(1, 4, text));
}

}  // namespace kinf::test
