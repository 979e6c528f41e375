// SPDX-License-Identifier: Apache-2.0
#include "sim/storage.h"

#include <algorithm>

namespace kinf::sim {

EarlierState Storage::open() {
  const SimDisk::Use use(disk_);
  disk_.revive();
  has_failed_ = false;
  return open_file();
}

void Storage::step(const State& printed) {
  if (!setup_.verdict.holds()) return;
  const SimDisk::Use use(disk_);
  commit(false, printed);
}

void Storage::close(const State& printed) {
  if (!setup_.verdict.holds()) return;
  const SimDisk::Use use(disk_);
  commit(true, printed);
  drop();
  disk_.revive();
  check_file();
}

void Storage::crash(int writes, const State& printed) {
  if (!setup_.verdict.holds()) return;
  const SimDisk::Use use(disk_);
  if (writes > 0) {
    disk_.kill_after(writes);
    commit(true, printed);
  }
  disk_.kill_after(0);
  drop();
  disk_.revive();
  check_file();
}

/// A failure that no fault explains shows in the file, which then lacks what came later.
void Storage::fail(const Error& error) {
  has_failed_ = true;
  const std::size_t path = error.message.find(": ");  // differs from run to run
  setup_.verdict.trace(
      "{} stops{}", setup_.name,
      std::string_view(error.message).substr(std::min(path, error.message.size())));
}

RecordedScope Storage::scope() const {
  RecordedScope scope;
  scope.type.type = kSimType;
  if (setup_.red_only) scope.label_selector = "color=red";
  return scope;
}

}  // namespace kinf::sim
