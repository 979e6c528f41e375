// SPDX-License-Identifier: Apache-2.0
// Page checks: a checksum at the end of each page of a recording, so that a page that was changed
// after kinf wrote it is an error, whatever it holds: versions, indexes or SQLite's own data.
//
// They are written and compared by a layer under SQLite (https://sqlite.org/vfs.html), in bytes
// that SQLite reserves at the end of each page (https://sqlite.org/fileformat.html, offset 20). The
// write-ahead log needs none: SQLite gives each of its frames a checksum. A page that another
// program wrote has none, such as the sqlite3 shell after a crash of kinf, and is read as it is. A
// page of zeros, or one behind the end of the file, is damaged: no program writes one and reads it
// again. This file, database.h and their .cc files are the only ones that know SQLite.
#pragma once

#include <cstdint>

struct sqlite3;

namespace kinf::page_checks {

/// The bytes at the end of each page.
inline constexpr int kBytes = 4;

/// Registers the layer, and returns its name for sqlite3_open_v2(). Returns null if that fails.
/// Threads: any.
const char* layer();

/// Like layer(), but the files have no locks: for a file that no program can write.
const char* layer_without_locks();

/// Makes an empty database reserve the bytes. Returns false if that fails.
bool reserve(sqlite3* handle);

/// Returns the number of the page at which the last comparison of this database failed; 0 if none
/// has failed.
std::uint32_t damaged_page(sqlite3* handle);

}  // namespace kinf::page_checks
