// SPDX-License-Identifier: Apache-2.0
// RecordingFile: opens and creates recordings. A recording is an SQLite database in WAL mode, with
// the application id "kinf" and the format version as user_version.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

#include "kinf/api/object.h"
#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/base/file_descriptor.h"
#include "kinf/recording/database.h"

namespace kinf {

struct RecordedScope;

/// The version of the file format. kinf reads files of this version and of earlier ones.
inline constexpr std::int64_t kRecordingFormat = 2;

/// An open recording. While a writer has it open, no other writer can open it.
struct RecordingFile {
  /// Holds the writers' lock in a writer. Open as long as the database: closing any descriptor of a
  /// file drops the locks that SQLite holds on it (fcntl(2), F_SETLK).
  FileDescriptor lock;
  std::unique_ptr<Database> database;
  bool is_in_transaction = false;

  /// Begins a transaction that adds the columns that a file of an earlier format lacks, so that a
  /// file that is refused after that stays as it is. Its pages keep no checks: there is no room.
  Result<void> migrate();
  /// Begins a transaction unless one has begun.
  Result<void> begin();
  /// Errors: internal, also if the file was deleted or replaced meanwhile.
  Result<void> commit();

  /// Creates the file (mode 0600), or opens a recording to continue it. Never changes a file that
  /// is not an intact recording. Does not change the format of an earlier one: see migrate().
  /// Errors: internal; conflict, if another process writes it.
  static Result<RecordingFile> open_for_writing(const std::string& path);
  /// Opens a recording to read it. Not for a file that this process writes: see
  /// open_written_file(). A writer may write to it at the same time. `stop` ends any
  /// reading with the error `stopped`. Both functions refuse a pipe without waiting for its other
  /// end.
  static Result<RecordingFile> open_for_reading(const std::string& path,
                                                const std::stop_token& stop = {});
};

/// Opens a recording to read it that this process has open for writing. Opens the file only through
/// SQLite, which keeps its locks.
Result<RecordingFile> open_written_file(const std::string& path);

/// Returns the document of a Secret with its values masked.
using SecretMask = std::function<Result<std::string>(std::string_view json)>;

/// Sets `text` to the text that is stored for an object of `scope`; see VersionText. If `mask` is
/// not empty, applies it to Secrets.
Result<void> text_of(const Object& object, const RecordedScope& scope, const SecretMask& mask,
                     std::string& text);

/// The server of a session.
struct ServerIdentity {
  std::string address{};
  /// What distinguishes its cluster from any other: the UID of the namespace kube-system. Empty if
  /// it is not known.
  std::string cluster{};
};

/// Returns the cluster of the last session if it is another one than that of `server`, described
/// for a message; otherwise an empty string. Compares the addresses unless both clusters are known.
Result<std::string> other_cluster(Database& database, const ServerIdentity& server);

/// Returns how messages name a cluster: `https://a:6443 (kube-system has the UID 1-2-3)`.
std::string cluster_text(const ServerIdentity& server);

/// Adds a row to the table `session`. `ns` is the namespace that readers use by default.
Result<void> insert_session(Database& database, Clock::Wall now, const ServerIdentity& server,
                            const std::string& ns);

/// Returns the error for a session that does not mask Secrets although the file does (`is_masked`),
/// or the other way round. `otherwise` is the end of the hint.
Error wrong_masking(const std::string& path, bool is_masked, std::string_view otherwise);

/// Opens the database of a recording that open_for_reading() has opened, to read it.
Result<std::unique_ptr<Database>> open_database_for_reading(const std::string& path,
                                                            const std::stop_token& stop);

}  // namespace kinf
