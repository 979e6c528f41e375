// SPDX-License-Identifier: Apache-2.0
// Damaged recordings: no reader returns anything that kinf did not write.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

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

TEST_CASE("A damaged page is named") {
  RecordingRig rig;
  fill(rig, 100);
  std::string bytes = rig.folder.read("pods.kinf");
  const std::size_t last = bytes.size() / 4096 - 1;
  bytes[last * 4096 + 2000] ^= 1;
  rig.folder.write("pods.kinf", bytes);
  const auto read = contents(rig.path);
  REQUIRE_FALSE(read);
  CHECK(read.error().message ==
        fmt::format("{} is damaged: page {} is not as kinf wrote it", rig.path, last + 1));
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
  CHECK(read.error().message == "the recording is damaged: version 8 is not as kinf wrote it");
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
