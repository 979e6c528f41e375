// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstring>

#include "kinf/base/limits.h"
#include "kinf/recording/page_checks.h"

namespace kinf {
namespace {

/// How long a reader or writer waits for a lock of another process.
constexpr int kBusyMilliseconds = 5000;

/// How many steps of SQLite's virtual machine a statement makes before it checks for a stop.
constexpr int kStepsPerStopCheck = 10'000;

/// How long a writer waits for the readers of the log before it leaves the log as it is.
constexpr int kLogBusyMilliseconds = 250;

std::string_view hint_for(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL: return "free some space; what was recorded before is intact";
    case SQLITE_IOERR:
      return "check the disk and the limits of file sizes; what was recorded before is intact";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return "kinf does not change this file; restore it from a copy";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM: return "check that you may write the file and its folder";
    default: return {};
  }
}

std::string uri_of(const std::string& path, OpenMode mode) {
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    } else {
      uri += c;
    }
  }
  if (mode == OpenMode::immutable) uri += "?immutable=1";
  return uri;
}

const char* layer_of(OpenMode mode) {
  if (mode == OpenMode::salvage) return nullptr;
  return mode == OpenMode::with_fixed_log ? page_checks::layer_without_locks()
                                          : page_checks::layer();
}

/// Denies reading the tables of ANALYZE. Otherwise, SQLite itself reads them when it opens a file,
/// and evaluates what their columns are generated from.
int allow_all_but_statistics(void* /*context*/, int action, const char* table, const char*,
                             const char*, const char*) {
  const bool is_denied =
      action == SQLITE_READ && table != nullptr && sqlite3_strnicmp(table, "sqlite_stat", 11) == 0;
  return is_denied ? SQLITE_DENY : SQLITE_OK;
}

/// Moves the log into the main file. Returns whether the log is empty then.
bool move_log(sqlite3* handle) {
  sqlite3_busy_timeout(handle, kLogBusyMilliseconds);
  const int code =
      sqlite3_wal_checkpoint_v2(handle, nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  sqlite3_busy_timeout(handle, kBusyMilliseconds);
  return code == SQLITE_OK;
}

/// Turns off everything that would run SQL from the file.
void distrust_schema(sqlite3* handle) {
  for (const int option : {SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                           SQLITE_DBCONFIG_TRUSTED_SCHEMA}) {
    sqlite3_db_config(handle, option, 0, nullptr);
  }
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, static_cast<int>(limits::kRecordedTextBytes));
  sqlite3_set_authorizer(handle, allow_all_but_statistics, nullptr);
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::set_limit() const {
  sqlite3_limit(database_->handle_, SQLITE_LIMIT_LENGTH, static_cast<int>(most_bytes_));
}

void Statement::note_bound(int code) { is_refused_ = is_refused_ || code == SQLITE_TOOBIG; }

Statement& Statement::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), index, value);
  return *this;
}

Statement& Statement::bind(int index, std::string_view text) {
  // A null pointer would bind NULL.
  const char* data = text.data() == nullptr ? "" : text.data();
  set_limit();
  note_bound(
      sqlite3_bind_text64(statement_.get(), index, data, text.size(), SQLITE_STATIC, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_bytes(int index, std::string_view bytes) {
  const char* data = bytes.data() == nullptr ? "" : bytes.data();
  set_limit();
  note_bound(sqlite3_bind_blob64(statement_.get(), index, data, bytes.size(), SQLITE_STATIC));
  return *this;
}

Statement& Statement::bind_null(int index) {
  sqlite3_bind_null(statement_.get(), index);
  return *this;
}

Statement& Statement::bind_column(int index, const Statement& row, int column) {
  set_limit();
  note_bound(sqlite3_bind_value(statement_.get(), index,
                                sqlite3_column_value(row.statement_.get(), column)));
  return *this;
}

Result<bool> Statement::step() {
  if (is_refused_) {  // the parameter would be NULL
    return fail(ErrorKind::internal, "{}: a value is too large to be recorded", database_->path());
  }
  set_limit();
  switch (sqlite3_step(statement_.get())) {
    case SQLITE_ROW: return true;
    case SQLITE_DONE: return false;
    default: return fail(database_->error());
  }
}

Result<void> Statement::run() {
  const Result<bool> done = step();
  reset();
  if (!done) return fail(done);
  return {};
}

Result<std::optional<std::int64_t>> Statement::first_integer() {
  const Result<bool> row = step();
  std::optional<std::int64_t> found;
  if (row && *row && !is_null(0)) found = integer(0);
  reset();
  if (!row) return fail(row);
  return found;
}

void Statement::reset() {
  is_refused_ = false;
  sqlite3_reset(statement_.get());
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string_view Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::string_view Statement::bytes(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::string Statement::number_or_text(int column) const {
  // Avoids sqlite3_column_text() for a number, because SQLite would allocate the text.
  const bool is_number = sqlite3_column_type(statement_.get(), column) == SQLITE_INTEGER;
  return is_number ? std::to_string(integer(column)) : std::string(text(column));
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

Result<std::unique_ptr<Database>> Database::open(const std::string& path, OpenMode mode,
                                                 std::stop_token stop) {
  constexpr int kFlags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI;
  const int access = mode == OpenMode::write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
  // Turns off memory statistics, because SQLite would take a lock for them in each thread.
  static const int kConfigured = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  (void)kConfigured;
  const char* const layer = layer_of(mode);
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(uri_of(path, mode).c_str(), &handle, kFlags | access, layer);
  std::unique_ptr<Database> database(new Database(path, handle, std::move(stop)));
  if (code != SQLITE_OK) return fail(database->error());
  distrust_schema(handle);
  if (database->stop_.stop_possible()) {
    const auto is_over = [](void* context) {
      return static_cast<Database*>(context)->stop_.stop_requested() ? 1 : 0;
    };
    sqlite3_progress_handler(handle, kStepsPerStopCheck, is_over, database.get());
  }
  sqlite3_busy_timeout(handle, kBusyMilliseconds);
  if (mode == OpenMode::with_fixed_log) {
    Result<void> alone = database->run("PRAGMA locking_mode=EXCLUSIVE");
    if (!alone) return fail(alone);
  }
  if (mode == OpenMode::write) {
    const auto committed = [](void* context, sqlite3*, const char*, int pages) {
      static_cast<Database*>(context)->empty_log(pages);
      return SQLITE_OK;  // if the log could not be moved, it still has every commit
    };
    sqlite3_wal_hook(handle, committed, database.get());
  }
  return database;
}

Database::~Database() { sqlite3_close_v2(handle_); }

void Database::limit_log(std::int64_t pages) {
  most_log_pages_ = static_cast<int>(std::clamp<std::int64_t>(pages, 1, kLogPages));
}

void Database::empty_log(int pages) {
  last_log_pages_ = pages;
  if (pages < most_log_pages_) next_emptying_ = most_log_pages_;
  if (pages < next_emptying_) return;
  next_emptying_ = move_log(handle_) ? most_log_pages_ : pages + kLogPages;
}

void Database::empty_log() { move_log(handle_); }

Result<void> Database::reserve_page_checks() {
  return page_checks::reserve(handle_) ? Result<void>() : fail(error());
}

Result<void> Database::run(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return fail(error());
  }
  return {};
}

Result<Statement> Database::prepare(std::string_view sql, std::size_t most_bytes) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return fail(error());
  return Statement(*this, statement, most_bytes);
}

std::int64_t Database::last_row_id() const { return sqlite3_last_insert_rowid(handle_); }

bool Database::is_damaged() const { return (sqlite3_errcode(handle_) & 0xff) == SQLITE_CORRUPT; }

Error Database::error() const {
  const int code = handle_ == nullptr ? SQLITE_NOMEM : sqlite3_extended_errcode(handle_);
  if ((code & 0xff) == SQLITE_INTERRUPT) return {ErrorKind::stopped, "stopped"};
  if (code == SQLITE_IOERR_DATA) {
    return damaged(
        fmt::format("page {} is not as kinf wrote it", page_checks::damaged_page(handle_)));
  }
  if (code == SQLITE_TOOBIG) return damaged("it has a value that is too large");
  const char* const message = handle_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle_);
  return Error(ErrorKind::internal, fmt::format("{}: {}", path_, message))
      .with_hint(hint_for(code));
}

Error Database::damaged(std::string_view what) const {
  return Error(ErrorKind::protocol, fmt::format("{} is damaged: {}", path_, what))
      .with_hint("kinf copy FROM TO keeps the versions that are intact");
}

}  // namespace kinf
