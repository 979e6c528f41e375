// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recording_file.h"

#include <doctest/doctest.h>
#include <sys/fsuid.h>
#include <sys/stat.h>

#include <filesystem>
#include <stop_token>
#include <string>

#include "kinf/recording/recording_schema.h"
#include "unit/recording/recording_rig.h"

namespace kinf::test {
namespace {

/// Checks that a file is refused both ways and stays as it is.
void check_refused(const RecordingRig& rig, const std::string& message) {
  const std::string before = rig.folder.read("pods.kinf");
  const auto writing = RecordingFile::open_for_writing(rig.path);
  REQUIRE_FALSE(writing);
  CHECK(writing.error().message == rig.path + " " + message);
  const auto reading = RecordingFile::open_for_reading(rig.path);
  REQUIRE_FALSE(reading);
  CHECK(reading.error().message == rig.path + " " + message);
  CHECK((rig.folder.read("pods.kinf") == before));
}

/// Makes a recording of format 1, with one session of the server `https://one`.
void make_format_1(const RecordingRig& rig) {
  rig.folder.write("pods.kinf", "");
  Database::open(rig.path, OpenMode::write)
      .value()
      ->run(recording_schema(1) +
            "INSERT INTO session(started, ended, server) VALUES(1, 1, 'https://one'); "
            "PRAGMA journal_mode=WAL")
      .value();
}

TEST_CASE("A new recording can be read by its owner only") {
  RecordingRig rig;
  rig.open();
  struct stat info{};
  REQUIRE(::stat(rig.path.c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
}

TEST_CASE("A second writer is refused while readers are not") {
  RecordingRig rig;
  auto writer = rig.open();
  const auto second = RecordingFile::open_for_writing(rig.path);
  REQUIRE_FALSE(second);
  CHECK(second.error().kind == ErrorKind::conflict);
  CHECK(RecordingFile::open_for_reading(rig.path));
  writer.reset();
  CHECK(RecordingFile::open_for_writing(rig.path));
}

TEST_CASE("A file that is not a recording is left alone") {
  RecordingRig rig;
  rig.folder.write("pods.kinf", "hello");
  check_refused(rig, "is not a recording of kinf");
  rig.folder.write("pods.kinf", std::string("SQLite format 3\0", 16) + std::string(200, 'x'));
  check_refused(rig, "is not a recording of kinf");
}

TEST_CASE("A file whose creation was interrupted is created again") {
  RecordingRig rig;
  rig.open();
  rig.folder.write("pods.kinf", rig.folder.read("pods.kinf").substr(0, 4096));
  // Its rollback journal: the magic bytes, two numbers, and how many pages there were before.
  const std::string magic{"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8};
  rig.folder.write("pods.kinf-journal", magic + std::string(504, '\0'));
  const auto writer = rig.open();
  rig.list(*writer, rig.add_pods(*writer), {recorded_pod("a", "1")});
  CHECK(rig.read()->last_seq() == 1);
}

TEST_CASE("A recording of a newer format is left alone") {
  RecordingRig rig;
  rig.open();
  Database::open(rig.path, OpenMode::write).value()->run("PRAGMA user_version=3").value();
  check_refused(rig, "was written by a newer kinf (format 3; this one knows 2)");
}

TEST_CASE("A recording that was cut is left alone") {
  RecordingRig rig;
  rig.open();
  const auto size = std::filesystem::file_size(rig.path);
  std::filesystem::resize_file(rig.path, size - 4096);
  const std::string message = fmt::format("was cut: it has {} of {} bytes", size - 4096, size);
  check_refused(rig, message);
  rig.folder.write("pods.kinf-wal", "x");
  check_refused(rig, message);
}

TEST_CASE("A recording that was cut next to a log without the missing pages is left alone") {
  RecordingRig rig;
  const auto writer = rig.open();
  rig.list(*writer, rig.add_pods(*writer), {recorded_pod("a", "1")});
  const RecordingRig copy;  // as after kill -9
  std::filesystem::copy_file(rig.path, copy.path);
  std::filesystem::copy_file(rig.path + "-wal", copy.path + "-wal");
  CHECK(RecordingFile::open_for_reading(copy.path));
  const auto size = std::filesystem::file_size(copy.path);
  for (const std::uintmax_t cut : {std::uintmax_t{1}, std::uintmax_t{10'000}, size / 2}) {
    std::filesystem::resize_file(copy.path, size - cut);
    check_refused(copy, fmt::format("was cut: it has {} of {} bytes", size - cut, size));
  }
  CHECK((copy.folder.read("pods.kinf-wal") == rig.folder.read("pods.kinf-wal")));
}

TEST_CASE("An empty file next to a write-ahead log is left alone") {
  RecordingRig rig;
  rig.folder.write("pods.kinf", "");
  rig.folder.write("pods.kinf-wal", "x");
  CHECK_FALSE(RecordingFile::open_for_writing(rig.path));
  CHECK(rig.folder.read("pods.kinf-wal") == "x");
}

/// Takes from this thread the right of root to write everything.
class Unprivileged {
 public:
  Unprivileged() : before_(::setfsuid(kNobody)) {}
  ~Unprivileged() { ::setfsuid(static_cast<uid_t>(before_)); }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;

 private:
  static constexpr uid_t kNobody = 65534;
  const int before_;
};

TEST_CASE("A file and a folder that cannot be written can be read") {
  RecordingRig rig;
  rig.open()->commit(rig.clock.wall()).value();
  REQUIRE(::chmod(rig.path.c_str(), 0444) == 0);
  REQUIRE(::chmod(rig.folder.path().c_str(), 0555) == 0);
  {
    const Unprivileged unprivileged;
    const auto reader = RecordingFile::open_for_reading(rig.path);
    REQUIRE(reader);
    CHECK(reader->database->integer("SELECT count(*) FROM session").value() == 1);
    for (const std::string& path : {rig.path, rig.folder.path("new.kinf")}) {
      const auto writer = RecordingFile::open_for_writing(path);
      REQUIRE_FALSE(writer);
      CHECK(writer.error().message == path + ": Permission denied");
      CHECK(writer.error().hint == "check that you may write the file and its folder");
    }
  }
  ::chmod(rig.folder.path().c_str(), 0755);
}

TEST_CASE("What a killed recorder left in its log can be read in a read-only folder") {
  RecordingRig rig;
  TempFolder copy;
  {
    const auto writer = rig.open();
    rig.list(*writer, rig.add_pods(*writer), {recorded_pod("a", "1"), recorded_pod("b", "2")});
    for (const char* name : {"pods.kinf", "pods.kinf-wal"}) {
      copy.write(name, rig.folder.read(name));
      REQUIRE(::chmod(copy.path(name).c_str(), 0444) == 0);
    }
  }
  REQUIRE(copy.read("pods.kinf-wal").size() > 0);
  const std::string path = copy.path("pods.kinf");
  REQUIRE(::chmod(copy.path().c_str(), 0555) == 0);
  {
    const Unprivileged unprivileged;
    const auto reader = RecordingReader::open(path);
    REQUIRE(reader);
    CHECK((*reader)->last_seq() == 2);
    std::string text;
    CHECK((*reader)->rebuild(2, 2, text));
  }
  ::chmod(copy.path().c_str(), 0755);
  CHECK_FALSE(std::filesystem::exists(path + "-shm"));
}

TEST_CASE("A recording with another schema is left alone") {
  const auto refuses = [](const std::string& sql, const std::string& what) {
    CAPTURE(sql);
    RecordingRig rig;
    rig.open();
    Database::open(rig.path, OpenMode::write).value()->run(sql).value();
    check_refused(rig, "is not a recording of kinf: " + what);
  };
  const std::string endless =
      "DROP TABLE gap; CREATE VIEW gap(scope, begin, end, reason) AS "
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i, i, i FROM n";
  refuses(endless, "it lacks tables or indexes");
  refuses("DROP INDEX version_by_object", "it lacks tables or indexes");
  refuses("CREATE TRIGGER t AFTER INSERT ON object BEGIN DELETE FROM version; END",
          "trigger \"t\" is not one that kinf creates");
  refuses("CREATE INDEX i ON object(upper(name))", "index \"i\" is not one that kinf creates");
  refuses("ALTER TABLE gap ADD COLUMN x AS (hex(reason))",
          "table \"gap\" is not one that kinf creates");
}

TEST_CASE("A refused recording keeps its write-ahead log") {
  RecordingRig rig;
  rig.open();
  const auto other = Database::open(rig.path, OpenMode::write).value();
  other->run("CREATE TABLE notes(x)").value();
  RecordingRig copy;
  for (const char* name : {"pods.kinf", "pods.kinf-wal"}) {
    copy.folder.write(name, rig.folder.read(name));
  }
  check_refused(copy, "is not a recording of kinf: table \"notes\" is not one that kinf creates");
  CHECK((copy.folder.read("pods.kinf-wal") == rig.folder.read("pods.kinf-wal")));
}

TEST_CASE("A recording may have other views, which kinf does not read") {
  RecordingRig rig;
  rig.open();
  Database::open(rig.path, OpenMode::write)
      .value()
      ->run("DROP VIEW gaps; CREATE VIEW pods AS SELECT * FROM object")
      .value();
  const RecordingFile file = RecordingFile::open_for_reading(rig.path).value();
  CHECK_FALSE(file.database->prepare("SELECT * FROM pods"));
  CHECK(RecordingFile::open_for_writing(rig.path));
}

TEST_CASE("A file of format 1 that is refused keeps its format") {
  RecordingRig rig;
  make_format_1(rig);
  const auto format = [&] {
    return Database::open(rig.path, OpenMode::read).value()->integer("PRAGMA user_version").value();
  };
  WriterOptions options;
  options.server = {.address = "https://other", .cluster = ""};
  const auto refused = RecordingWriter::open(rig.path, options, rig.clock.wall());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.contains("holds another cluster"));
  CHECK(format() == 1);
  options.server.address = "https://one";
  RecordingWriter::open(rig.path, options, rig.clock.wall()).value()->commit({}).value();
  CHECK(format() == 2);
}

TEST_CASE("A stop ends a query without an end") {
  RecordingRig rig;
  rig.open();
  std::stop_source source;
  const RecordingFile file = RecordingFile::open_for_reading(rig.path, source.get_token()).value();
  source.request_stop();
  const auto count = file.database->integer(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
  REQUIRE_FALSE(count);
  CHECK(count.error().kind == ErrorKind::stopped);
}

TEST_CASE("A pipe is refused, and not waited for") {
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    CAPTURE(suffix);
    RecordingRig rig;
    rig.open();
    const std::string pipe = rig.path + suffix;
    std::filesystem::remove(pipe);
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const auto reading = RecordingFile::open_for_reading(rig.path);
    REQUIRE_FALSE(reading);
    CHECK(reading.error().message == pipe + " is not a regular file");
    const auto writing = RecordingFile::open_for_writing(rig.path);
    REQUIRE_FALSE(writing);
    CHECK(writing.error().message == pipe + " is not a regular file");
  }
}

}  // namespace
}  // namespace kinf::test
