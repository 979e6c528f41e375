// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_disk.h"

#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>

#include "kinf/base/sync.h"
#include "kinf/recording/database.h"

namespace kinf::sim {
namespace {

thread_local SimDisk* used_disk = nullptr;

}  // namespace

/// The default VFS of SQLite, with functions before it that inject the faults of the used disk.
struct DiskFaults {
  static int write(sqlite3_file* file, const void* data, int size, sqlite3_int64 at) {
    if (used_disk == nullptr) return real.xWrite(file, data, size, at);
    if (std::optional<int>& kill = used_disk->kill_; kill && --*kill <= 0) {
      if (*kill == 0) (void)write_through(file, data, size / 2, at);
      return failed(SQLITE_IOERR_WRITE);
    }
    if (std::optional<int>& full = used_disk->full_; full && --*full <= 0)
      return failed(SQLITE_FULL);
    return write_through(file, data, size, at);
  }
  static int write_through(sqlite3_file* file, const void* data, int size, sqlite3_int64 at) {
    const std::string_view bytes(static_cast<const char*>(data), static_cast<std::size_t>(size));
    used_disk->cache_.wrote(file, bytes, static_cast<std::size_t>(at));
    return real.xWrite(file, data, size, at);
  }
  static int truncate(sqlite3_file* file, sqlite3_int64 size) {
    if (is_killed()) return failed(SQLITE_IOERR_TRUNCATE);
    if (used_disk != nullptr) used_disk->cache_.truncated(file, static_cast<std::size_t>(size));
    return real.xTruncate(file, size);
  }
  /// Only the cache knows of power failures, so nothing has to reach a real disk.
  static int sync(sqlite3_file* file, int flags) {
    (void)flags;
    if (is_killed()) return failed(SQLITE_IOERR_FSYNC);
    if (used_disk != nullptr) used_disk->cache_.synced(file);
    return SQLITE_OK;
  }
  static int remove(sqlite3_vfs* vfs, const char* name, int sync_folder) {
    (void)sync_folder;
    if (is_killed()) return failed(SQLITE_IOERR_DELETE);
    const int code = default_vfs->xDelete(vfs, name, 0);
    if (code == SQLITE_OK && used_disk != nullptr) used_disk->cache_.removed(name);
    return code;
  }
  static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* got) {
    const int code = default_vfs->xOpen(vfs, name, file, flags, got);
    if (code == SQLITE_OK) file->pMethods = faulty(file->pMethods);
    if (code == SQLITE_OK && used_disk != nullptr) used_disk->cache_.opened(file, name);
    return code;
  }
  /// Only while a disk is used.
  static int failed(int code) {
    used_disk->has_failed_ = true;
    return code;
  }
  static bool is_killed() { return used_disk != nullptr && used_disk->kill_.value_or(1) <= 0; }

  /// The kinds of files differ in how they are locked, and share the other functions.
  static const sqlite3_io_methods* faulty(const sqlite3_io_methods* methods) {
    static Mutex mu;
    static std::map<const sqlite3_io_methods*, sqlite3_io_methods> known;
    MutexLock lock(mu);
    if (known.empty()) real = *methods;
    const auto [found, is_new] = known.try_emplace(methods, *methods);
    if (is_new) {
      found->second.xWrite = write;
      found->second.xTruncate = truncate;
      found->second.xSync = sync;
    }
    return &found->second;
  }

  static bool register_vfs() {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);  // as Database does
    sqlite3_initialize();
    default_vfs = sqlite3_vfs_find(nullptr);
    vfs = *default_vfs;
    vfs.zName = "kinf-sim";
    vfs.xOpen = open;
    vfs.xDelete = remove;
    if (sqlite3_vfs_register(&vfs, 1) != SQLITE_OK) std::abort();
    return true;
  }

  static inline sqlite3_vfs* default_vfs = nullptr;
  static inline sqlite3_vfs vfs{};
  static inline sqlite3_io_methods real{};
};

SimDisk::SimDisk() {
  static const bool kRegistered = DiskFaults::register_vfs();
  (void)kRegistered;
}

void SimDisk::fail_power(bool lies, std::uint64_t number) {
  cache_.fail_power(lies, number);
  std::filesystem::remove(path() + "-shm");  // the wal-index is memory
}

bool SimDisk::is_intact() {
  Result<std::unique_ptr<Database>> database = Database::open(path(), OpenMode::read);
  if (!database) return false;
  Result<Statement> check = (*database)->prepare("PRAGMA integrity_check(1)");
  if (!check) return false;
  const Result<bool> row = check->step();
  return row && *row && check->text(0) == "ok";
}

void SimDisk::erase() {
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    std::filesystem::remove(path() + suffix);
    cache_.removed(path() + suffix);
  }
}

SimDisk::Use::Use(SimDisk& disk) { used_disk = &disk; }
SimDisk::Use::~Use() { used_disk = nullptr; }

}  // namespace kinf::sim
