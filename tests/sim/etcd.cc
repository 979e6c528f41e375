// SPDX-License-Identifier: Apache-2.0
#include "sim/etcd.h"

#include <algorithm>

namespace kinf::sim {

Etcd::Etcd() : states_(2), changed_(2, kObjects) {}

void Etcd::commit(std::size_t object, const State& state) {
  states_.push_back(state);
  changed_.push_back(object);
}

void Etcd::put(std::size_t object, std::uint32_t value) {
  State next = state();
  Version& version = next.at(object);
  if (!version.exists()) version.uid = ++uids_;
  version.revision = revision() + 1;
  version.value = value;
  written_.at(object).insert(version);
  commit(object, next);
}

void Etcd::remove(std::size_t object) {
  State next = state();
  if (!next.at(object).exists()) return;
  next.at(object) = {};
  commit(object, next);
}

void Etcd::write_other() { commit(kObjects, State(state())); }

bool Etcd::restore() {
  if (backup_ == 0 || backup_ >= revision()) return false;
  states_.resize(backup_ + 1);
  changed_.resize(backup_ + 1);
  compacted_ = std::min(compacted_, backup_);
  ++epoch_;
  return true;
}

}  // namespace kinf::sim
