// SPDX-License-Identifier: Apache-2.0
// Tests of the simulation itself.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>

#include "kinf/base/log.h"
#include "kinf/recording/recording_file.h"
#include "sim/documents.h"
#include "sim/etcd.h"
#include "sim/printed_lines.h"
#include "sim/run.h"
#include "sim/schedule.h"
#include "sim/shrink.h"
#include "sim/sim_clock.h"
#include "sim/sim_disk.h"

namespace kinf::sim {
namespace {

TEST_CASE("the same seed gives the same trace, byte for byte, and other seeds give others") {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const Outcome once = run_schedule(schedule_of(seed), true);
    CHECK(once.trace.size() > 10000);
    CHECK(once.trace == run_schedule(schedule_of(seed), true).trace);
    CHECK(once.trace != run_schedule(schedule_of(seed + 1), true).trace);
  }
}

TEST_CASE("a recording and a state are written alike by two runs of a seed, too") {
  for (const StorageKind kind : {StorageKind::recording, StorageKind::state}) {
    Schedule schedule = schedule_of(8);
    schedule.plan.client_go = 0;
    schedule.plan.storage = static_cast<int>(kind);
    schedule.steps.insert(schedule.steps.begin() + 400,
                          {{Op::crash, {0, 3}}, {Op::advance, {300}}, {Op::disk_full, {0, 2}}});
    const Outcome once = run_schedule(schedule, true);
    CHECK(once.broken.value_or("") == "");
    CHECK(once.trace == run_schedule(schedule, true).trace);
  }
}

TEST_CASE("a schedule that was written as text and read again runs alike") {
  const Schedule schedule = schedule_of(7);
  const Result<Schedule> read = parse_schedule("# a comment\n\n" + text_of(schedule));
  REQUIRE(read);
  CHECK(text_of(*read) == text_of(schedule));
  CHECK(run_schedule(*read, true).trace == run_schedule(schedule, true).trace);
}

TEST_CASE("text that is no schedule is an error") {
  CHECK(!parse_schedule("jump 3\n"));
  CHECK(!parse_schedule("put 3\n"));
  CHECK(!parse_schedule("plan seed 3 colour 1\n"));
}

TEST_CASE("a schedule shrinks to the steps and numbers that matter") {
  const auto fails = [](const Schedule& schedule) {
    const auto has = [&](Op op, int least) {
      return std::ranges::any_of(
          schedule.steps, [&](const Step& step) { return step.op == op && step.args[0] >= least; });
    };
    return has(Op::put, 2) && has(Op::remove, 1) && schedule.plan.handlers > 0;
  };
  Schedule schedule = schedule_of(1);
  REQUIRE(fails(schedule));
  const Schedule shortest = shrink(schedule, fails);
  CHECK(shortest.steps.size() == 2);
  CHECK(shortest.plan.handlers == 1);
  CHECK(shortest.plan.clients == 1);
  CHECK(std::ranges::all_of(shortest.steps, [](const Step& step) { return step.args[0] <= 3; }));
}

TEST_CASE("etcd keeps the state of every revision, and a restore drops the newer ones") {
  Etcd etcd;
  etcd.put(0, 5);
  etcd.back_up();
  etcd.put(0, 6);
  etcd.remove(0);
  CHECK(!etcd.state().at(0).exists());
  CHECK(etcd.state_at(etcd.revision() - 1).at(0).value == 6);
  const std::uint32_t uid = etcd.state_at(2).at(0).uid;
  REQUIRE(etcd.restore());
  CHECK(etcd.epoch() == 1);
  CHECK(etcd.revision() == 2);
  CHECK(etcd.state().at(0) == Version{uid, 2, 5});
  CHECK(!etcd.restore());
  etcd.put(1, 1);
  CHECK(etcd.state().at(1).uid > uid);
  CHECK(etcd.has_had(0, {uid, 2, 5}));
  CHECK(etcd.has_had(0, {uid, 3, 6}));  // lost
  CHECK_FALSE(etcd.has_had(0, {uid, 3, 5}));
  CHECK_FALSE(etcd.has_had(1, {uid, 2, 5}));
}

/// A file of kinf on a disk whose power fails, with a row in a table for each commit.
struct PowerlessFile {
  PowerlessFile() { open(); }
  ~PowerlessFile() { file.reset(); }
  void open() {
    Result<RecordingFile> opened = RecordingFile::open_for_writing(disk.path());
    REQUIRE(opened);
    file = *std::move(opened);
  }
  void commit() {
    const std::string sql = "INSERT INTO manager(name) VALUES(hex(randomblob(4000)))";
    REQUIRE(file->database->run(sql));
  }
  void checkpoint() { REQUIRE(file->database->run("PRAGMA wal_checkpoint")); }
  void fail_power(bool lies, std::uint64_t number) {
    disk.kill_after(0);
    file.reset();
    disk.revive();
    for (const char* suffix : {"", "-wal"}) {
      std::ifstream stream(disk.path() + suffix, std::ios::binary);
      const std::string real{std::istreambuf_iterator<char>(stream), {}};
      CHECK(real == disk.cache().contents(disk.path() + suffix));
    }
    disk.fail_power(lies, number);
  }
  std::int64_t commits() {
    open();
    return file->database->integer("SELECT count(*) FROM manager").value().value_or(0);
  }

  SimDisk disk;
  SimDisk::Use use{disk};
  std::optional<RecordingFile> file;
};

TEST_CASE("a power failure keeps what was synced, and a part of the rest: the first commits") {
  std::set<std::int64_t> kept;
  for (std::uint64_t number = 0; number < 50; ++number) {
    PowerlessFile file;
    for (int i = 0; i < 2; ++i) file.commit();
    file.checkpoint();
    for (int i = 0; i < 4; ++i) file.commit();
    file.fail_power(false, number);
    kept.insert(file.commits());
    CHECK(file.disk.is_intact());
    file.commit();
    file.fail_power(false, 0);
    CHECK(file.commits() < 7);
  }
  CHECK(*kept.begin() == 2);
  CHECK(*kept.rbegin() == 6);
  CHECK(kept.size() > 3);
}

TEST_CASE("a disk that lies about syncs loses what was synced, too") {
  PowerlessFile honest;
  honest.commit();
  honest.checkpoint();
  honest.fail_power(false, 0);
  CHECK(honest.commits() == 1);
  PowerlessFile lying;
  lying.commit();
  lying.checkpoint();
  lying.fail_power(true, 0);
  CHECK(!RecordingFile::open_for_reading(lying.disk.path()));
}

TEST_CASE("without syncs, a power failure damages the file or loses what a checkpoint moved") {
  PowerlessFile file;
  REQUIRE(file.file->database->run("PRAGMA synchronous=OFF"));
  for (int i = 0; i < 4; ++i) file.commit();
  file.checkpoint();
  file.fail_power(false, 0);
  CHECK(file.commits() < 4);
}

TEST_CASE("the program goes on after power failures, with what is left of its file") {
  for (const StorageKind kind : {StorageKind::recording, StorageKind::state}) {
    for (const int lies : {0, 1}) {
      Schedule schedule = schedule_of(8);
      schedule.plan.client_go = 0;
      schedule.plan.storage = static_cast<int>(kind);
      schedule.steps.insert(schedule.steps.begin() + 400, {Op::power, {0, lies, 60}});
      const Outcome once = run_schedule(schedule, true);
      CHECK(once.broken.value_or("") == "");
      CHECK((once.trace.contains("client 0 goes back to") ||
             once.trace.contains("client 0 starts with a new file")));
      CHECK(once.trace == run_schedule(schedule, true).trace);
    }
  }
}

/// A reader of lines that a test prints. etcd has o0 at 2, 3 and 5, and o1 at 4.
struct Reader {
  Reader() {
    etcd.put(0, 1);
    etcd.put(0, 2);
    etcd.put(1, 3);
    etcd.put(0, 4);
    lines.begin({});
  }
  /// Prints the version of an object at a revision. Returns which property is broken.
  std::string print(std::string_view type, std::size_t object, std::uint32_t revision) {
    const Version version = etcd.state_at(revision).at(object);
    return print(fmt::format(R"({{"type":"{}","object":{},"source":"watch","key":"{}"}})", type,
                             object_document(object, version, revision), key_of(object)) +
                 "\n");
  }
  std::string print(const std::string& text) {
    REQUIRE(::write(lines.descriptor(), text.data(), text.size()) ==
            static_cast<ssize_t>(text.size()));
    lines.check();
    return verdict.broken().value_or("").substr(0, 30);
  }

  SimClock clock;
  Verdict verdict{clock, false};
  Etcd etcd;
  Wire wire;
  PrintedLines lines{{.name = "x"}, etcd, wire, verdict};
};

TEST_CASE("lines that tell the history of etcd keep all properties") {
  Reader reader;
  CHECK(reader.print("ADDED", 0, 2).empty());
  CHECK(reader.print("MODIFIED", 0, 3).empty());
  CHECK(reader.print("ADDED", 1, 4).empty());
  CHECK(reader.print("MODIFIED", 0, 5).empty());
}

TEST_CASE("a line that is lost, repeated, cut, changed or out of order breaks a property") {
  const auto after_first = [](auto print) {
    Reader reader;
    REQUIRE(reader.print("ADDED", 0, 2).empty());
    return print(reader);
  };
  CHECK(after_first([](Reader& r) { return r.print("ADDED", 1, 4); }) ==
        "lines: x: the event at 3 was n");
  CHECK(after_first([](Reader& r) {
          return r.print("ADDED", 0, 2);
        }).starts_with("lines: x: after u1@2"));
  CHECK(after_first([](Reader& r) { return r.print("ADDED", 0, 3); }) ==
        "lines: x: it has u1@2: {\"type\"");
  CHECK(after_first([](Reader& r) { return r.print("{\"type\":\"ADD"); }) ==
        "lines: x: the output ends in t");
  CHECK(after_first([](Reader& r) {
          const std::string changed = object_document(0, {1, 3, 9}, 3);
          return r.print(R"({"type":"MODIFIED","object":)" + changed + R"(,"source":"watch"})" +
                         "\n");
        }) == "lines: x: the document is not ");
  CHECK(after_first([](Reader& r) {
          REQUIRE(r.print("MODIFIED", 0, 3).empty());
          return r.print("MODIFIED", 0, 5);
        }) == "lines: x: the event at 4 was n");
}

/// etcd goes back from 5 to 3, and writes o0 again. The lines are at 5.
struct RestoredReader : Reader {
  RestoredReader() {
    etcd = Etcd();
    etcd.put(0, 1);
    etcd.put(0, 2);
    etcd.back_up();
    etcd.put(0, 3);
    etcd.put(0, 4);
    for (const std::uint32_t revision : {2U, 3U, 4U, 5U}) {
      REQUIRE(print(revision == 2 ? "ADDED" : "MODIFIED", 0, revision).empty());
    }
    REQUIRE(etcd.restore());
    lines.lose_timeline();
    etcd.put(0, 7);
  }
};

TEST_CASE("after a restore, lines go back, but only to what the servers have had") {
  CHECK(RestoredReader().print("MODIFIED", 0, 4).empty());
  RestoredReader reader;
  const std::string invented = object_document(0, {1, 4, 9}, 4);
  CHECK(reader.print(R"({"type":"MODIFIED","object":)" + invented + R"(,"source":"watch"})" +
                     "\n") == "lines: x: the server never had");
}

TEST_CASE("the order of lines counts again when they show the restored timeline") {
  RestoredReader reader;
  REQUIRE(reader.print("MODIFIED", 0, 4).empty());
  reader.lines.find_timeline();
  CHECK(reader.print("MODIFIED", 0, 3).starts_with("lines: x: after u1@4"));
}

}  // namespace
}  // namespace kinf::sim

int main(int argc, char** argv) {
  kinf::log::set_sink([](std::string_view) {});
  return doctest::Context(argc, argv).run();
}
