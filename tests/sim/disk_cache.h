// SPDX-License-Identifier: Apache-2.0
// DiskCache: what a power failure would take from the files of a SimDisk: the writes and
// truncations since the last sync of each file, and what is durable without them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

namespace kinf::sim {

/// A file exists and is gone at once: only its contents are cached. `handle` is any address that
/// stands for an open file.
class DiskCache {
 public:
  /// `path` is null for a temporary file, which the cache ignores.
  void opened(const void* handle, const char* path);
  void wrote(const void* handle, std::string_view data, std::size_t at);
  void truncated(const void* handle, std::size_t size);
  void synced(const void* handle);
  void removed(const std::string& path);

  /// Writes the files as a power failure leaves them: all that was synced, and of the rest what
  /// `number` decides: nothing for 0, all for 4. If the disk `lies`, the last syncs have kept
  /// nothing either.
  void fail_power(bool lies, std::uint64_t number);
  /// Returns how often this file was synced.
  std::uint64_t syncs(const std::string& path) const;
  /// Returns what the file has while the power is on.
  std::string contents(const std::string& path) const;

 private:
  struct File {
    std::string durable;
    std::uint64_t syncs = 0;
  };
  struct Write {
    std::string path;
    std::string data;
    std::size_t at = 0;
    bool truncates = false;  ///< to the size `at`
    bool is_synced = false;
  };

  void add(const void* handle, Write write);
  static void apply(const Write& write, std::string& contents);

  std::map<const void*, std::string> handles_;
  std::map<std::string, File> files_;
  std::deque<Write> writes_;  ///< not synced, and the newest others
};

}  // namespace kinf::sim
