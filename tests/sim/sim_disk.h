// SPDX-License-Identifier: Apache-2.0
// SimDisk: a folder whose SQLite files fail on purpose: the program is killed in the middle of a
// write, the disk is full, or the power fails.
#pragma once

#include <optional>
#include <string>

#include "fakes/temp_folder.h"
#include "sim/disk_cache.h"

namespace kinf::sim {

class SimDisk {
 public:
  SimDisk();
  SimDisk(const SimDisk&) = delete;
  SimDisk& operator=(const SimDisk&) = delete;

  std::string path() const { return folder_.path("file.kinf"); }

  /// The program is killed during the N-th write from now: half of it reaches the file, and nothing
  /// later, although the program still ends its connections.
  void kill_after(int writes) { kill_ = writes; }
  /// The N-th write from now and all later ones find no space.
  void fill_after(int writes) { full_ = writes; }
  /// Ends all faults: another program uses the folder.
  void revive() { kill_.reset(), full_.reset(), has_failed_ = false; }
  /// Returns whether a call has failed since the last revive().
  bool has_failed() const { return has_failed_; }
  /// The power fails after the program was killed; see DiskCache::fail_power().
  void fail_power(bool lies, std::uint64_t number);
  /// Returns how often the main file was synced: after each checkpoint of the whole WAL.
  std::uint64_t checkpoints() const { return cache_.syncs(path()); }
  /// Returns whether SQLite finds nothing wrong in the file, its indexes included.
  bool is_intact();
  /// Deletes the file.
  void erase();
  const DiskCache& cache() const { return cache_; }

  /// While it lives, the SQLite files that this thread uses are those of the disk.
  class Use {
   public:
    explicit Use(SimDisk& disk);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
  };

 private:
  friend struct DiskFaults;

  test::TempFolder folder_;
  std::optional<int> kill_;  ///< writes until then
  std::optional<int> full_;
  bool has_failed_ = false;
  DiskCache cache_;
};

}  // namespace kinf::sim
