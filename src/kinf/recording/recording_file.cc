// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recording_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <set>

#include "kinf/base/assign.h"
#include "kinf/base/limits.h"
#include "kinf/base/quote.h"
#include "kinf/recording/recording_schema.h"

namespace kinf {
namespace {

constexpr std::size_t kHeaderBytes = 100;
constexpr std::int64_t kSmallestPage = 512;
constexpr std::string_view kMagic{"SQLite format 3\0", 16};

struct FileSizes {
  std::int64_t file = 0;
  std::int64_t wal = 0;
};

Error system_error(const std::string& path, std::string_view hint) {
  return Error(ErrorKind::internal, fmt::format("{}: {}", path, std::strerror(errno)))
      .with_hint(hint);
}

/// Returns the error for a file that is not an intact recording.
std::unexpected<Error> refuse(const std::string& path, std::string_view what) {
  return fail(ErrorKind::protocol, "{} {}", path, what);
}

Result<FileSizes> sizes_of(const std::string& path, int descriptor) {
  struct stat info{};
  if (::fstat(descriptor, &info) != 0) return fail(system_error(path, ""));
  if (!S_ISREG(info.st_mode)) return refuse(path, "is not a regular file");
  FileSizes sizes{.file = info.st_size};
  // Reject pipes: SQLite would block when it opens one.
  for (const std::string_view suffix : {"-wal", "-shm", "-journal"}) {
    const std::string beside = fmt::format("{}{}", path, suffix);
    if (::stat(beside.c_str(), &info) != 0) continue;
    if (!S_ISREG(info.st_mode)) return refuse(beside, "is not a regular file");
    if (suffix == "-wal") sizes.wal = info.st_size;
  }
  return sizes;
}

std::int64_t big_endian(const std::array<char, kHeaderBytes>& header, std::size_t at,
                        std::size_t bytes) {
  std::int64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    value = value * 256 + static_cast<unsigned char>(header[at + i]);
  }
  return value;
}

/// Returns whether the WAL holds all pages after `first` up to `last`
/// (https://sqlite.org/fileformat.html#the_write_ahead_log).
bool wal_holds(const std::string& path, std::int64_t page_size, std::int64_t first,
               std::int64_t last) {
  const FileDescriptor wal(::open((path + "-wal").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  constexpr off_t kWalHeader = 32;
  constexpr std::size_t kFrameHeader = 24;
  constexpr std::size_t kSaltsAt = 16;
  constexpr std::size_t kFrameSaltsAt = 8;
  constexpr std::size_t kSaltBytes = 8;
  std::array<char, kHeaderBytes> header{};
  if (::pread(wal.get(), header.data(), kWalHeader, 0) != kWalHeader) return false;
  std::set<std::int64_t> found;
  std::array<char, kHeaderBytes> frame{};
  for (off_t at = kWalHeader;; at += static_cast<off_t>(kFrameHeader) + page_size) {
    const ssize_t bytes = ::pread(wal.get(), frame.data(), kFrameHeader, at);
    const bool is_valid =
        bytes == static_cast<ssize_t>(kFrameHeader) &&
        std::memcmp(frame.data() + kFrameSaltsAt, header.data() + kSaltsAt, kSaltBytes) == 0;
    if (!is_valid) break;
    const std::int64_t page = big_endian(frame, 0, 4);
    if (page > first && page <= last) found.insert(page);
  }
  return static_cast<std::int64_t>(found.size()) == last - first;
}

/// Checks the header of a file that is not empty (https://sqlite.org/fileformat.html). Returns
/// whether the file lacks pages at its end that are in the WAL, as after a crash.
Result<bool> check_header(const std::string& path, int descriptor, const FileSizes& sizes) {
  std::array<char, kHeaderBytes> header{};
  const ssize_t bytes = ::pread(descriptor, header.data(), header.size(), 0);
  if (bytes < 0) return fail(system_error(path, ""));
  const std::string_view text(header.data(), static_cast<std::size_t>(bytes));
  if (text.size() < kHeaderBytes || !text.starts_with(kMagic) ||
      big_endian(header, 68, 4) != kRecordingApplicationId) {
    return refuse(path, "is not a recording of kinf");
  }
  const std::int64_t format = big_endian(header, 60, 4);
  if (format < 1) return refuse(path, "is not a recording of kinf");
  if (format > kRecordingFormat) {
    return refuse(path, fmt::format("was written by a newer kinf (format {}; this one knows {})",
                                    format, kRecordingFormat));
  }
  const std::int64_t size_field = big_endian(header, 16, 2);
  const std::int64_t page_size = size_field == 1 ? 65536 : size_field;
  const std::int64_t pages = big_endian(header, 28, 4);
  if (sizes.file >= page_size * pages) return false;
  if (page_size >= kSmallestPage && wal_holds(path, page_size, sizes.file / page_size, pages)) {
    return true;
  }
  // A writer may have moved the missing pages to the file meanwhile.
  const Result<FileSizes> now = sizes_of(path, descriptor);
  if (now && now->file >= page_size * pages) return false;
  return refuse(path, fmt::format("was cut: it has {} of {} bytes", sizes.file, page_size * pages));
}

/// Empties a file whose creation was interrupted: its rollback journal says that it was empty
/// before (https://sqlite.org/fileformat.html, "The Rollback Journal").
Result<void> drop_unfinished(const std::string& path, int descriptor) {
  constexpr std::string_view kJournalMagic{"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8};
  constexpr std::size_t kPagesAt = 16;
  const std::string journal = path + "-journal";
  const FileDescriptor opened(::open(journal.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  std::array<char, kHeaderBytes> header{};
  if (!opened.is_open() || ::read(opened.get(), header.data(), header.size()) < 20) return {};
  const bool is_journal = std::string_view(header.data(), header.size()).starts_with(kJournalMagic);
  if (!is_journal || big_endian(header, kPagesAt, 4) != 0) return {};
  // kinf writes the first page, with the application id, before all others. A file without this id
  // belongs to another program, so leave it unchanged.
  const ssize_t bytes = ::pread(descriptor, header.data(), header.size(), 0);
  if (bytes < static_cast<ssize_t>(kHeaderBytes) ||
      big_endian(header, 68, 4) != kRecordingApplicationId) {
    return {};
  }
  if (::ftruncate(descriptor, 0) == 0 && ::unlink(journal.c_str()) == 0) return {};
  return fail(system_error(path, ""));
}

Result<void> create(Database& database) {
  Result<void> done = database.reserve_page_checks();
  // Switch to WAL mode last, so that a crash before the tables exist leaves an empty file.
  if (done) done = database.run(recording_schema(kRecordingFormat));
  if (done) done = database.run("PRAGMA journal_mode=WAL");
  return done;
}

/// Checks the file by reading every page. Used if pages may be missing.
Result<void> check_pages(Database& database) {
  Result<Statement> check = database.prepare("PRAGMA quick_check(1)");
  if (!check) return fail(check);
  const Result<bool> row = check->step();
  if (row && *row && check->text(0) == "ok") return {};
  return refuse(database.path(), "was cut or is damaged");
}

/// A row of sqlite_schema: its type, name, table and SQL.
using SchemaRow = std::array<std::string, 4>;

/// Returns the schema without the views, which kinf does not read and Database turns off, and
/// without the tables that ANALYZE creates, which Database does not let SQLite read.
Result<std::set<SchemaRow>> schema_of(Database& database) {
  std::set<SchemaRow> schema;
  Result<void> done = database.for_each_row(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema "
      "WHERE coalesce(sql, '') NOT LIKE 'CREATE VIEW %' "
      "AND coalesce(sql, '') NOT LIKE 'CREATE TABLE sqlite_stat_(%'",
      [&](const Statement& row) {
        schema.insert({std::string(row.text(0)), std::string(row.text(1)), std::string(row.text(2)),
                       std::string(row.text(3))});
      });
  if (!done) return fail(done);
  return schema;
}

/// Refuses a file whose tables and indexes differ from those that kinf creates, because SQL in them
/// (an expression, a trigger, a virtual table) would run when kinf reads or writes. Compares the
/// SQL as text: if kinf's text ever changes, files with the earlier text must stay readable.
Result<void> check_schema(Database& database) {
  const auto format = database.integer("PRAGMA user_version");
  if (!format) return fail(format);
  const Result<std::unique_ptr<Database>> own = Database::open(":memory:", OpenMode::write);
  if (!own) return fail(own);
  Result<void> created = (*own)->run(recording_schema(format->value_or(0)));
  if (!created) return created;
  const Result<std::set<SchemaRow>> expected = schema_of(**own);
  if (!expected) return fail(expected);
  const Result<std::set<SchemaRow>> found = schema_of(database);
  if (!found) return fail(found);
  if (*found == *expected) return {};
  for (const SchemaRow& row : *found) {
    if (expected->contains(row)) continue;
    return refuse(database.path(),
                  fmt::format("is not a recording of kinf: {} {} is not one that kinf creates",
                              row[0], kinf::quoted(row[1])));
  }
  return refuse(database.path(), "is not a recording of kinf: it lacks tables or indexes");
}

/// Refuses a file with more rows of some tables than a recording has, which are all read at once.
Result<void> check_counts(Database& database) {
  struct Table {
    std::string_view name;
    std::string_view rows;
    std::int64_t most;
  };
  for (const Table& table : {Table{"type", "types", limits::kRecordedTypes},
                             Table{"column_set", "sets of columns", limits::kRecordedTypes},
                             Table{"manager", "managers", limits::kRecordedRows},
                             Table{"session", "sessions", limits::kRecordedRows},
                             Table{"scope", "selections", limits::kRecordedRows},
                             Table{"gap", "gaps", limits::kRecordedRows}}) {
    const auto count = database.integer(
        fmt::format("SELECT count(*) FROM (SELECT 1 FROM {} LIMIT ?)", table.name), table.most + 1);
    if (!count) return fail(count);
    if (*count <= table.most) continue;
    return fail(database.damaged(fmt::format("it has more than {} {}", table.most, table.rows)));
  }
  return {};
}

/// Opens a file for reading and checks it, without changing it.
Result<std::unique_ptr<Database>> open_checked(const std::string& path, int descriptor,
                                               const FileSizes& sizes,
                                               const std::stop_token& stop) {
  const Result<bool> may_lack_pages = check_header(path, descriptor, sizes);
  if (!may_lack_pages) return fail(may_lack_pages);
  Result<std::unique_ptr<Database>> database = open_database_for_reading(path, stop);
  if (!database || !*may_lack_pages) return database;
  if (Result<void> intact = check_pages(**database); !intact) return fail(intact);
  return database;
}

Result<RecordingFile> open_writer(const std::string& path) {
  RecordingFile file;
  file.lock.reset(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!file.lock.is_open()) {
    return fail(system_error(path, "check that you may write the file and its folder"));
  }
  // Unlike POSIX locks, flock() does not interfere with the locks of SQLite.
  if (::flock(file.lock.get(), LOCK_EX | LOCK_NB) != 0) {
    return fail(ErrorKind::conflict, path + ": another kinf records to this file")
        .with_hint("stop it, or record to another file; several may read it");
  }
  if (Result<void> dropped = drop_unfinished(path, file.lock.get()); !dropped) return fail(dropped);
  const Result<FileSizes> sizes = sizes_of(path, file.lock.get());
  if (!sizes) return fail(sizes);
  const bool is_new = sizes->file == 0;
  if (is_new && sizes->wal > 0) return refuse(path, "was cut: it is empty, but its WAL is not");
  if (!is_new) {
    const auto checked = open_checked(path, file.lock.get(), *sizes, {});
    if (!checked) return fail(checked);
  }
  Result<void> ready = assign(file.database, Database::open(path, OpenMode::write));
  if (ready && is_new) ready = create(*file.database);
  if (ready) ready = file.database->run("PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000");
  if (!ready) return fail(ready);
  return file;
}

}  // namespace

Result<RecordingFile> RecordingFile::open_for_writing(const std::string& path) {
  Result<RecordingFile> file = open_writer(path);
  if (file || file.error().kind != ErrorKind::protocol) return file;
  return fail(
      std::move(file).error().with_hint("kinf does not change this file; record to another one"));
}

Result<RecordingFile> RecordingFile::open_for_reading(const std::string& path,
                                                      const std::stop_token& stop) {
  RecordingFile file;
  file.lock.reset(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file.lock.is_open()) return fail(system_error(path, ""));
  const Result<FileSizes> sizes = sizes_of(path, file.lock.get());
  if (!sizes) return fail(sizes);
  if (sizes->file == 0) return refuse(path, "is empty");
  auto done = assign(file.database, open_checked(path, file.lock.get(), *sizes, stop));
  if (!done) return fail(done);
  return file;
}

Result<RecordingFile> open_written_file(const std::string& path) {
  RecordingFile file;
  auto done = assign(file.database, open_database_for_reading(path, {}));
  if (!done) return fail(done);
  return file;
}

Result<void> RecordingFile::migrate() {
  const auto format = database->integer("PRAGMA user_version");
  if (!format) return fail(format);
  if (*format == kRecordingFormat) return {};
  Result<void> begun = begin();
  return begun ? database->run(recording_migration()) : begun;
}

Result<void> RecordingFile::begin() {
  if (std::exchange(is_in_transaction, true)) return {};
  return database->run("BEGIN IMMEDIATE");
}

Result<void> RecordingFile::commit() {
  struct stat opened{};
  struct stat named{};
  const bool is_there = ::fstat(lock.get(), &opened) == 0 &&
                        ::stat(database->path().c_str(), &named) == 0 &&
                        opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
  if (!is_there) {
    return fail(
        Error(ErrorKind::internal, database->path() + " was deleted or replaced by another file")
            .with_hint("what is recorded now would be lost; start again"));
  }
  is_in_transaction = false;
  return database->run("COMMIT");
}

Result<void> text_of(const Object& object, const RecordedScope& scope, const SecretMask& mask,
                     std::string& text) {
  Scratch scratch;
  std::string_view json = object.json(scratch);
  Result<std::string> masked;
  if (mask && scope.is_secret()) {
    masked = mask(json);
    if (!masked) return fail(masked);
    json = *masked;
  }
  text.clear();
  VersionText{object.cells(), json}.append_to(text);
  return {};
}

Result<std::string> other_cluster(Database& database, const ServerIdentity& server) {
  ServerIdentity held;
  bool has_session = false;
  Result<void> done = database.for_each_row(
      "SELECT server, coalesce((SELECT cluster FROM session WHERE cluster <> '' ORDER BY id DESC "
      "LIMIT 1), '') FROM session ORDER BY id DESC LIMIT 1",
      [&](const Statement& row) {
        has_session = true;
        held = {std::string(row.text(0)), std::string(row.text(1))};
      });
  if (!done) return fail(done);
  const bool knows_both = !held.cluster.empty() && !server.cluster.empty();
  const bool is_same = knows_both ? held.cluster == server.cluster : held.address == server.address;
  return !has_session || is_same ? std::string() : cluster_text(held);
}

std::string cluster_text(const ServerIdentity& server) {
  if (server.cluster.empty()) return server.address;
  return fmt::format("{} (kube-system has the UID {})", server.address, server.cluster);
}

Result<void> insert_session(Database& database, Clock::Wall now, const ServerIdentity& server,
                            const std::string& ns) {
  return database.execute(
      "INSERT INTO session(started, ended, server, cluster, namespace) VALUES(?1, ?1, ?2, ?3, ?4)",
      now.time_since_epoch().count(), server.address, server.cluster, ns);
}

Error wrong_masking(const std::string& path, bool is_masked, std::string_view otherwise) {
  return Error(ErrorKind::usage, fmt::format("{} holds Secrets {} their values", path,
                                             is_masked ? "without" : "with"))
      .with_hint(fmt::format("{} --show-secrets, or {}", is_masked ? "omit" : "add", otherwise));
}

Result<std::unique_ptr<Database>> open_database_for_reading(const std::string& path,
                                                            const std::stop_token& stop) {
  const auto open = [&](OpenMode mode) -> Result<std::unique_ptr<Database>> {
    Result<std::unique_ptr<Database>> database = Database::open(path, mode, stop);
    if (!database) return database;
    Result<void> begun = (*database)->run("PRAGMA cache_size=-64000; BEGIN");
    // The first statement that reads determines the snapshot of the file.
    if (begun) begun = check_schema(**database);
    if (begun) begun = check_counts(**database);
    if (!begun) return fail(begun);
    return database;
  };
  Result<std::unique_ptr<Database>> database = open(OpenMode::read);
  // In a read-only folder, SQLite cannot create its shared memory. Without a WAL or without shared
  // memory, no process writes the file, so it can be opened without locks. A WAL alone is what a
  // writer that was killed leaves, copied or on a disk that is read-only now.
  struct stat beside{};
  const bool has_wal = ::stat((path + "-wal").c_str(), &beside) == 0 && beside.st_size > 0;
  const bool has_memory = ::stat((path + "-shm").c_str(), &beside) == 0;
  if (database || database.error().kind != ErrorKind::internal) return database;
  if (!has_wal) return open(OpenMode::immutable);
  return has_memory ? std::move(database) : open(OpenMode::with_fixed_log);
}

}  // namespace kinf
