// SPDX-License-Identifier: Apache-2.0
// Database: a SQLite connection and its statements. Only this file and page_checks.h, with their
// .cc files, use SQLite.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "kinf/base/error.h"
#include "kinf/base/limits.h"

struct sqlite3;
struct sqlite3_stmt;

namespace kinf {

class Database;

/// A prepared statement. Bind its parameters, then call step() until it returns false.
/// Threads: one owner. Must not outlive its Database.
class Statement {
 public:
  Statement(Statement&&) noexcept = default;
  Statement& operator=(Statement&&) noexcept = default;

  /// Binds parameter `index`, counted from 1. Texts and bytes are not copied: they must stay valid
  /// until the next reset().
  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, std::string_view text);
  Statement& bind_bytes(int index, std::string_view bytes);
  Statement& bind_null(int index);
  /// Binds a copy of column `column` of the current row of `row`, counted from 0.
  Statement& bind_column(int index, const Statement& row, int column);
  /// Binds integers and texts to the parameters, from the first one on.
  template <class... Values>
  Statement& bind_all(const Values&... values) {
    int index = 0;
    (bind(++index, values), ...);
    return *this;
  }

  /// Runs the statement up to its next row. Returns false if there is none. Blocks on the disk.
  /// Errors: those of Database::error(), also if a value that was bound is too large.
  Result<bool> step();
  /// Runs a statement without rows, and resets it.
  Result<void> run();
  /// Runs a statement and calls `take` with this object for each row, then resets the statement.
  /// `take` may return a Result<void>; an error then ends the loop.
  template <class Take>
  Result<void> for_each_row(Take take) {
    Result<void> done;
    while (done) {
      const Result<bool> row = step();
      if (!row) done = std::unexpected(row.error());
      if (!row || !*row) break;
      if constexpr (std::is_void_v<std::invoke_result_t<Take, const Statement&>>) {
        take(std::as_const(*this));
      } else {
        done = take(std::as_const(*this));
      }
    }
    reset();
    return done;
  }
  /// Runs a statement, and resets it. Returns the first column of the first row; nullopt if there
  /// is no row, or if the column is NULL.
  Result<std::optional<std::int64_t>> first_integer();
  /// Makes the statement ready for new parameters.
  void reset();

  /// These functions return a column of the current row. Columns are counted from 0. Views are
  /// valid until the next step().
  std::int64_t integer(int column) const;
  std::string_view text(int column) const;
  std::string_view bytes(int column) const;
  /// Returns the text of a column, or its number in decimal.
  std::string number_or_text(int column) const;
  bool is_null(int column) const;
  const Database& database() const { return *database_; }

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(Database& database, sqlite3_stmt* statement, std::size_t most_bytes)
      : database_(&database), statement_(statement), most_bytes_(most_bytes) {}
  /// Sets the limit of the connection, which all statements share, to that of this statement.
  void set_limit() const;
  void note_bound(int code);

  Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::size_t most_bytes_;   ///< of a value
  bool is_refused_ = false;  ///< whether a bound value was too large
};

enum class OpenMode {
  read,
  immutable,  ///< for reading without locks, if no program writes the file
  /// For reading without locks a file and its write-ahead log that no program writes. The index of
  /// the log, which SQLite keeps in a file otherwise, is in memory.
  with_fixed_log,
  write,
  /// For reading a damaged file: pages are not compared with their checks.
  salvage,
};

/// Threads: one owner.
class Database {
 public:
  /// Opens the file `path`. Disables views and triggers, so that no SQL from the file runs. `stop`
  /// ends any statement with the error `stopped`. Errors: internal, with the path.
  static Result<std::unique_ptr<Database>> open(const std::string& path, OpenMode mode,
                                                std::stop_token stop = {});
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Runs one or more statements without parameters.
  Result<void> run(const std::string& sql);
  /// Values of more than `most_bytes` bytes, read or bound, are errors of the statement.
  Result<Statement> prepare(std::string_view sql,
                            std::size_t most_bytes = limits::kRecordedTextBytes);
  // These functions prepare a statement, bind `values` to its parameters and run it; see Statement.
  template <class... Values>
  Result<void> execute(std::string_view sql, const Values&... values) {
    Result<Statement> statement = prepare(sql);
    if (!statement) return fail(statement);
    return statement->bind_all(values...).run();
  }
  template <class... Values>
  Result<std::optional<std::int64_t>> integer(std::string_view sql, const Values&... values) {
    Result<Statement> statement = prepare(sql);
    if (!statement) return fail(statement);
    return statement->bind_all(values...).first_integer();
  }
  template <class Take, class... Values>
  Result<void> for_each_row(std::string_view sql, Take take, const Values&... values) {
    Result<Statement> statement = prepare(sql);
    if (!statement) return fail(statement);
    return statement->bind_all(values...).for_each_row(std::move(take));
  }
  /// Returns the value of a key in the table `meta`, if there is one.
  Result<std::optional<std::int64_t>> meta(std::string_view key) {
    return integer("SELECT value FROM meta WHERE key = ?", key);
  }

  /// Makes an empty database reserve room for page checks; see page_checks.h.
  Result<void> reserve_page_checks();
  /// Moves the log into the main file now, unless a reader needs the log.
  void empty_log();
  /// Empties the write-ahead log already at this size, in pages, if it is smaller than usual.
  void limit_log(std::int64_t pages);
  /// Returns the size of the write-ahead log after the last commit, before it was emptied, in
  /// pages.
  std::int64_t log_pages() const { return last_log_pages_; }
  std::int64_t last_row_id() const;
  const std::string& path() const { return path_; }
  /// Returns whether the last failure was that SQLite could not make sense of the file.
  bool is_damaged() const;
  /// Returns an error with the message of the last failure.
  Error error() const;
  /// Returns the error for a file that is not as kinf wrote it: `FILE is damaged: what`.
  Error damaged(std::string_view what) const;

 private:
  friend class Statement;
  Database(std::string path, sqlite3* handle, std::stop_token stop)
      : path_(std::move(path)), handle_(handle), stop_(std::move(stop)) {}

  /// Called after each commit with the size of the write-ahead log, in pages. Moves a large log
  /// into the main file and then empties it. SQLite's own checkpoints do not empty the log; if such
  /// a log is truncated later, it can restore pages that are older than those in the main file.
  /// While a reader still needs the log, the log grows instead.
  void empty_log(int pages);

  /// A write-ahead log of this size, in pages, is moved into the main file.
  static constexpr int kLogPages = 1000;

  const std::string path_;
  sqlite3* const handle_;
  const std::stop_token stop_;
  int most_log_pages_ = kLogPages;
  int last_log_pages_ = 0;
  int next_emptying_ = 0;  ///< the size of the log at which to empty it, in pages
};

}  // namespace kinf
