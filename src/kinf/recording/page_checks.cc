// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/page_checks.h"

#include <sqlite3.h>
#include <zlib.h>

#include <array>
#include <cstring>
#include <new>
#include <string>

namespace kinf::page_checks {
namespace {

constexpr const char* kName = "kinf-page-checks";
constexpr const char* kNameWithoutLocks = "kinf-page-checks-without-locks";
/// A layer of SQLite (https://sqlite.org/vfs.html, "Standard Unix VFSes").
constexpr const char* kSystemWithoutLocks = "unix-none";
// The header of a database, at the beginning of its first page.
constexpr int kHeaderBytes = 100;
constexpr int kPageSizeAt = 16;
constexpr int kReservedAt = 20;
constexpr std::uint32_t kSmallestPage = 512;
constexpr std::uint32_t kLargestPage = 65536;
/// In place of a checksum: the page was written by a program that does not know checksums.
constexpr std::uint32_t kNoCheck = 0;

/// An open database file. SQLite allocates it, with the file of the layer below behind it.
struct CheckedFile {
  sqlite3_file base;        // must be first: SQLite knows the file by it
  std::uint32_t page_size;  ///< 0 until the header was read or written
  std::uint32_t damaged;    ///< see damaged_page()
  bool has_checks;          ///< whether the pages have room for checksums
  unsigned char* page;      ///< a buffer of page_size bytes, for writing; may be null
};

CheckedFile* checked(sqlite3_file* file) { return reinterpret_cast<CheckedFile*>(file); }

sqlite3_file* below(sqlite3_file* file) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(file) + sizeof(CheckedFile));
}

/// Learns from the header of the database how large its pages are, and whether they have checks.
void read_header(CheckedFile& file, const unsigned char* header) {
  const std::uint32_t field = header[kPageSizeAt] * 256U + header[kPageSizeAt + 1];
  const std::uint32_t size = field == 1 ? kLargestPage : field;
  const bool is_valid = size >= kSmallestPage && size <= kLargestPage && (size & (size - 1)) == 0;
  if (size != file.page_size) {
    sqlite3_free(file.page);
    file.page = nullptr;
  }
  file.page_size = is_valid ? size : 0;
  file.has_checks = is_valid && header[kReservedAt] == kBytes;
}

std::uint32_t check_of(const CheckedFile& file, const unsigned char* page, sqlite3_int64 offset) {
  const auto number = static_cast<std::uint32_t>(offset / file.page_size + 1);
  std::array<unsigned char, sizeof number> bytes{};
  std::memcpy(bytes.data(), &number, sizeof number);
  const unsigned long crc = crc32_z(crc32_z(0, nullptr, 0), bytes.data(), bytes.size());
  const auto check = static_cast<std::uint32_t>(crc32_z(crc, page, file.page_size - kBytes));
  return check == kNoCheck ? ~kNoCheck : check;
}

bool is_page(const CheckedFile& file, int bytes, sqlite3_int64 offset) {
  return file.has_checks && static_cast<std::uint32_t>(bytes) == file.page_size &&
         offset % file.page_size == 0;
}

bool is_zero(const CheckedFile& file, const unsigned char* page) {
  return page[0] == 0 && std::memcmp(page, page + 1, file.page_size - 1) == 0;
}

int read(sqlite3_file* opened, void* into, int bytes, sqlite3_int64 offset) {
  const int code = below(opened)->pMethods->xRead(below(opened), into, bytes, offset);
  CheckedFile& file = *checked(opened);
  if (code == SQLITE_IOERR_SHORT_READ && offset > 0 && is_page(file, bytes, offset)) {
    // The file was truncated while it is read. SQLite would read zeros.
    file.damaged = static_cast<std::uint32_t>(offset / file.page_size + 1);
    return SQLITE_IOERR_DATA;
  }
  if (code != SQLITE_OK) return code;
  auto* page = static_cast<unsigned char*>(into);
  if (offset == 0 && bytes >= kHeaderBytes) read_header(file, page);
  if (!is_page(file, bytes, offset)) return SQLITE_OK;
  std::uint32_t found = kNoCheck;
  std::memcpy(&found, page + file.page_size - kBytes, sizeof found);
  const bool is_intact =
      found == kNoCheck ? !is_zero(file, page) : found == check_of(file, page, offset);
  // The log gets the page without its old checksum: after a crash of kinf, another program that
  // reads the file, such as the sqlite3 shell, moves the pages of the log to the file as they are.
  std::memcpy(page + file.page_size - kBytes, &kNoCheck, sizeof kNoCheck);
  if (is_intact) return SQLITE_OK;
  file.damaged = static_cast<std::uint32_t>(offset / file.page_size + 1);
  return SQLITE_IOERR_DATA;
}

int write(sqlite3_file* opened, const void* from, int bytes, sqlite3_int64 offset) {
  CheckedFile& file = *checked(opened);
  const auto* page = static_cast<const unsigned char*>(from);
  if (offset == 0 && bytes >= kHeaderBytes) read_header(file, page);
  if (is_page(file, bytes, offset)) {
    if (file.page == nullptr) {
      file.page = static_cast<unsigned char*>(sqlite3_malloc64(file.page_size));
      if (file.page == nullptr) return SQLITE_IOERR_NOMEM;
    }
    std::memcpy(file.page, page, file.page_size - kBytes);
    const std::uint32_t check = check_of(file, page, offset);
    std::memcpy(file.page + file.page_size - kBytes, &check, sizeof check);
    from = file.page;
  }
  return below(opened)->pMethods->xWrite(below(opened), from, bytes, offset);
}

int close(sqlite3_file* opened) {
  sqlite3_free(checked(opened)->page);
  return below(opened)->pMethods->xClose(below(opened));
}

/// Calls the function of the layer below that `kMember` names.
template <auto kMember, class... Values>
int forward(sqlite3_file* opened, Values... values) {
  return (below(opened)->pMethods->*kMember)(below(opened), values...);
}

void barrier(sqlite3_file* opened) { below(opened)->pMethods->xShmBarrier(below(opened)); }

/// Version 2 of the methods has no memory map: a page is compared when it is read into memory, and
/// a file that is truncated meanwhile is an error, no signal.
constexpr sqlite3_io_methods kMethods = {
    .iVersion = 2,
    .xClose = close,
    .xRead = read,
    .xWrite = write,
    .xTruncate = forward<&sqlite3_io_methods::xTruncate, sqlite3_int64>,
    .xSync = forward<&sqlite3_io_methods::xSync, int>,
    .xFileSize = forward<&sqlite3_io_methods::xFileSize, sqlite3_int64*>,
    .xLock = forward<&sqlite3_io_methods::xLock, int>,
    .xUnlock = forward<&sqlite3_io_methods::xUnlock, int>,
    .xCheckReservedLock = forward<&sqlite3_io_methods::xCheckReservedLock, int*>,
    .xFileControl = forward<&sqlite3_io_methods::xFileControl, int, void*>,
    .xSectorSize = forward<&sqlite3_io_methods::xSectorSize>,
    .xDeviceCharacteristics = forward<&sqlite3_io_methods::xDeviceCharacteristics>,
    .xShmMap = forward<&sqlite3_io_methods::xShmMap, int, int, int, void volatile**>,
    .xShmLock = forward<&sqlite3_io_methods::xShmLock, int, int, int>,
    .xShmBarrier = barrier,
    .xShmUnmap = forward<&sqlite3_io_methods::xShmUnmap, int>,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

sqlite3_vfs* base_layer(sqlite3_vfs* layer) { return static_cast<sqlite3_vfs*>(layer->pAppData); }

int open(sqlite3_vfs* layer, const char* name, sqlite3_file* opened, int flags, int* out_flags) {
  sqlite3_vfs* const base = base_layer(layer);
  // Journals and logs have no pages.
  if ((flags & SQLITE_OPEN_MAIN_DB) == 0) return base->xOpen(base, name, opened, flags, out_flags);
  *checked(opened) = {};
  below(opened)->pMethods = nullptr;
  const int code = base->xOpen(base, name, below(opened), flags, out_flags);
  if (below(opened)->pMethods != nullptr) opened->pMethods = &kMethods;
  return code;
}

int remove(sqlite3_vfs* layer, const char* name, int sync) {
  return base_layer(layer)->xDelete(base_layer(layer), name, sync);
}

int access(sqlite3_vfs* layer, const char* name, int flags, int* result) {
  return base_layer(layer)->xAccess(base_layer(layer), name, flags, result);
}

int full_path(sqlite3_vfs* layer, const char* name, int bytes, char* into) {
  return base_layer(layer)->xFullPathname(base_layer(layer), name, bytes, into);
}

/// Registers `made` as the layer `name`. What is not named here works as in the layer `system`;
/// null means SQLite's default.
const char* register_layer(sqlite3_vfs& made, const char* name, const char* system) {
  sqlite3_vfs* const base = sqlite3_vfs_find(system);
  if (base == nullptr) return nullptr;
  made = *base;
  made.szOsFile = static_cast<int>(sizeof(CheckedFile)) + base->szOsFile;
  made.zName = name;
  made.pNext = nullptr;
  made.pAppData = base;
  made.xOpen = open;
  made.xDelete = remove;
  made.xAccess = access;
  made.xFullPathname = full_path;
  return sqlite3_vfs_register(&made, 0) == SQLITE_OK ? name : nullptr;
}

}  // namespace

const char* layer() {
  static sqlite3_vfs made{};
  static const char* const kLayer = register_layer(made, kName, nullptr);
  return kLayer;
}

const char* layer_without_locks() {
  static sqlite3_vfs made{};
  static const char* const kLayer = register_layer(made, kNameWithoutLocks, kSystemWithoutLocks);
  return kLayer;
}

bool reserve(sqlite3* handle) {
  int bytes = kBytes;
  return sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes) == SQLITE_OK;
}

std::uint32_t damaged_page(sqlite3* handle) {
  sqlite3_file* file = nullptr;
  if (sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK ||
      file == nullptr || file->pMethods != &kMethods) {
    return 0;
  }
  return checked(file)->damaged;
}

}  // namespace kinf::page_checks
