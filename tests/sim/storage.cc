// SPDX-License-Identifier: Apache-2.0
#include "sim/storage.h"

#include <algorithm>

namespace kinf::sim {
namespace {

/// The writes of a last commit are fewer, mostly.
constexpr int kLongestCommit = 12;

}  // namespace

EarlierState Storage::open() {
  const SimDisk::Use use(disk_);
  disk_.revive();
  has_failed_ = false;
  EarlierState earlier = open_file();
  checkpoints_ = disk_.checkpoints();
  return earlier;
}

void Storage::note_checkpoints() {
  if (disk_.checkpoints() == checkpoints_) return;
  checkpoints_ = disk_.checkpoints();
  checkpointed();
}

void Storage::step(const State& printed) {
  if (!setup_.verdict.holds()) return;
  const SimDisk::Use use(disk_);
  commit(false, printed);
  note_checkpoints();
}

void Storage::close(const State& printed) {
  if (!setup_.verdict.holds()) return;
  const SimDisk::Use use(disk_);
  commit(true, printed);
  note_checkpoints();
  drop();
  note_checkpoints();
  disk_.revive();
  check_file(false);
  disk_.fail_power(false, 0);
  check_file(true);
}

void Storage::kill(int writes, const State& printed) {
  if (writes > 0) {
    disk_.kill_after(writes);
    commit(true, printed);
    note_checkpoints();
  }
  disk_.kill_after(0);
  drop();
  disk_.revive();
}

void Storage::crash(int writes, const State& printed) {
  if (!setup_.verdict.holds()) return;
  const SimDisk::Use use(disk_);
  kill(writes, printed);
  check_file(false);
}

void Storage::lose_power(bool lies, int number, const State& printed) {
  if (!setup_.verdict.holds()) return;
  const SimDisk::Use use(disk_);
  kill(number % kLongestCommit, printed);
  disk_.fail_power(lies, static_cast<std::uint64_t>(number));
  if (!lies) return check_file(true);
  if (check_damage()) return;
  setup_.verdict.trace("{} starts with a new file", setup_.name);
  disk_.erase();
  forget();
}

void Storage::check_message(const Error& error) {
  const std::size_t path = error.message.find(disk_.path());
  const std::size_t rest = path == std::string::npos ? 0 : disk_.path().size() + sizeof(": ") - 1;
  setup_.verdict.expect(error.message.size() > rest, "message", "{}: \"{}\"", setup_.name,
                        error.message);
}

/// A storage fails only if its disk does, and then keeps what it has.
void Storage::fail(const Error& error) {
  setup_.verdict.expect(disk_.has_failed(), "storage", "{} fails without a fault: {}", setup_.name,
                        error.message);
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
