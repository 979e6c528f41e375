// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_disk.h"

#include <sqlite3.h>

#include <cstdlib>
#include <map>

#include "kinf/base/sync.h"

namespace kinf::sim {
namespace {

thread_local SimDisk* used_disk = nullptr;

}  // namespace

/// The default VFS of SQLite, with functions before it that inject the faults of the used disk.
struct DiskFaults {
  static int write(sqlite3_file* file, const void* data, int size, sqlite3_int64 at) {
    if (used_disk == nullptr) return real.xWrite(file, data, size, at);
    if (std::optional<int>& kill = used_disk->kill_; kill && --*kill <= 0) {
      if (*kill == 0) (void)real.xWrite(file, data, size / 2, at);
      return SQLITE_IOERR_WRITE;
    }
    if (std::optional<int>& full = used_disk->full_; full && --*full <= 0) return SQLITE_FULL;
    return real.xWrite(file, data, size, at);
  }
  static int truncate(sqlite3_file* file, sqlite3_int64 size) {
    return is_killed() ? SQLITE_IOERR_TRUNCATE : real.xTruncate(file, size);
  }
  /// A killed program loses nothing that it wrote, so nothing has to reach a real disk.
  static int sync(sqlite3_file* file, int flags) {
    (void)file, (void)flags;
    return is_killed() ? SQLITE_IOERR_FSYNC : SQLITE_OK;
  }
  static int remove(sqlite3_vfs* vfs, const char* name, int sync_folder) {
    (void)sync_folder;
    return is_killed() ? SQLITE_IOERR_DELETE : default_vfs->xDelete(vfs, name, 0);
  }
  static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* got) {
    const int code = default_vfs->xOpen(vfs, name, file, flags, got);
    if (code == SQLITE_OK) file->pMethods = faulty(file->pMethods);
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

SimDisk::Use::Use(SimDisk& disk) { used_disk = &disk; }
SimDisk::Use::~Use() { used_disk = nullptr; }

}  // namespace kinf::sim
