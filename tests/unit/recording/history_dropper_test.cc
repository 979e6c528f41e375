// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/history_dropper.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "unit/cli/runtime/captured_stream.h"
#include "unit/recording/recording_rig.h"

namespace kinf::test {
namespace {

/// A status of about a kilobyte, of which a part depends on `number`.
std::string kilobyte_status(int number) {
  std::string text = fmt::format(R"({{"observedGeneration":{},"containerStatuses":[)", number);
  for (std::uint32_t i = 1; i < 12; ++i) {
    const std::uint32_t id = static_cast<std::uint32_t>(number) * 2654435761U + i * 40503U;
    text += fmt::format(R"({{"name":"sidecar-{}","imageID":"{:08x}","containerID":"{:08x}"}},)", i,
                        i * 2654435761U, i < 3 ? id : i);
  }
  text.back() = ']';
  return text + "}";
}

std::string pod_name(int number) { return "pod-" + std::to_string(number); }

std::uintmax_t bytes_of(const std::string& path) {
  std::error_code none;
  const std::uintmax_t log = std::filesystem::file_size(path + "-wal", none);
  return std::filesystem::file_size(path) + (none ? 0 : log);
}

/// A recorder of pods that change one after the other, with a limit on its size.
struct LimitedRecording : RecordingRig {
  explicit LimitedRecording(int count, std::int64_t max_bytes) : count_(count) {
    options_.max_bytes = max_bytes;
    for (int i = 0; i < count; ++i) last.push_back(pod(i, i + 1));
    start_session();
    version_ = count;
  }
  /// Begins a session, which lists the pods as they are.
  void start_session() {
    writer.reset();
    writer = open(options_);
    pods = add_pods(*writer);
    list(*writer, pods, last);
  }
  static ObjectPtr pod(int number, int version) {
    return recorded_pod(pod_name(number), std::to_string(version), kilobyte_status(version),
                        "u" + std::to_string(number));
  }
  void change(int number) {
    ObjectPtr& pod_now = last.at(static_cast<std::size_t>(number));
    ObjectPtr next = pod(number, ++version_);
    writer->write(pods, at_now(make_updated(pod_now, next))).value();
    pod_now = std::move(next);
    clock.advance(std::chrono::milliseconds(10));
  }
  /// Changes `changes` pods and commits after every 20. Returns the largest size of the file with
  /// its log.
  std::uintmax_t change_some(int changes) {
    std::uintmax_t most = 0;
    for (int i = 0; i < changes; ++i) {
      change(i % (count_ - 1) + 1);  // pod-0 never changes
      if (i % 20 != 0) continue;
      writer->commit(clock.wall()).value();
      most = std::max(most, bytes_of(path));
    }
    return most;
  }

  const int count_;
  WriterOptions options_;
  std::unique_ptr<RecordingWriter> writer;
  std::size_t pods = 0;
  std::vector<ObjectPtr> last;
  int version_ = 0;
};

TEST_CASE("A file with a maximum size holds it, with its log") {
  constexpr std::int64_t kMost = 2'000'000;
  LimitedRecording recording(100, kMost);
  CHECK(recording.change_some(30'000) <= kMost * 11 / 10);
  const auto reader = recording.read();
  const std::int64_t first = reader->seq_at(Clock::Wall()).value();
  CHECK(first > 1000);
  CHECK(reader->last_seq() - first > 1000);
  CHECK(bytes_of(recording.path) > kMost / 2);
}

TEST_CASE("The oldest moment of a shortened file is whole") {
  LimitedRecording recording(100, 800'000);
  for (int session = 0; session < 5; ++session) {
    recording.change_some(2475);  // each pod 25 times
    recording.start_session();
  }
  const auto reader = recording.read();
  const std::int64_t first = reader->seq_at(Clock::Wall()).value();
  REQUIRE(first > 100);
  const auto state =
      reader->state({.seq = first, .type = reader->id_of(pod_type().type)}, {}).value();
  REQUIRE(state.size() == 100);
  for (const StateObject& object : state) {
    const int version = std::stoi(std::string(object.object->resource_version()));
    Scratch scratch;
    CHECK(object.object->json(scratch).ends_with(kilobyte_status(version) + "}"));
    if (object.object->name() == "pod-0") CHECK(version == 1);
  }
  std::string text;
  for (std::int64_t seq = first + 1; seq <= reader->last_seq(); ++seq) {
    const auto number = (seq - 101) % 99 + 1;
    reader->rebuild(number + 1, seq, text).value();
    CHECK(text.ends_with(kilobyte_status(static_cast<int>(seq)) + "}"));
  }
}

TEST_CASE("A state that is larger than the maximum size stays, with one warning") {
  std::string output;
  output = captured(STDERR_FILENO, [] {
    LimitedRecording recording(400, 100'000);
    recording.change_some(3000);
    const auto reader = recording.read();
    CHECK(reader->state({.seq = reader->last_seq(), .type = 1}, {}).value().size() == 400);
    CHECK(reader->last_seq() - reader->seq_at(Clock::Wall()).value() < 100);
  });
  const std::string warning = "the last state alone is larger than 100 kB";
  CHECK(output.find(warning) != std::string::npos);
  CHECK(output.find(warning) == output.rfind(warning));
}

TEST_CASE("A file that continues with a smaller maximum size shrinks") {
  LimitedRecording recording(50, 50'000'000);
  recording.change_some(20'000);
  recording.writer.reset();
  const std::uintmax_t before = bytes_of(recording.path);
  WriterOptions options;
  options.max_bytes = static_cast<std::int64_t>(before / 3);
  const auto writer = recording.open(options);
  for (int i = 0; i < 20; ++i) writer->commit(recording.clock.wall()).value();
  CHECK(bytes_of(recording.path) <= before / 3 * 11 / 10);
}

}  // namespace
}  // namespace kinf::test
