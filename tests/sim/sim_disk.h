// SPDX-License-Identifier: Apache-2.0
// SimDisk: a folder whose SQLite files fail on purpose: the program is killed in the middle of a
// write, or the disk is full.
#pragma once

#include <optional>
#include <string>

#include "fakes/temp_folder.h"

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
  void revive() { kill_.reset(), full_.reset(); }

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
};

}  // namespace kinf::sim
