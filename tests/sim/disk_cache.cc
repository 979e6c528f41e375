// SPDX-License-Identifier: Apache-2.0
#include "sim/disk_cache.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "kinf/base/random.h"

namespace kinf::sim {
namespace {

/// A disk that lies keeps this many writes in its own memory.
constexpr std::size_t kMostSynced = 256;
/// A write that the power failure interrupts ends at such a boundary.
constexpr std::size_t kSector = 512;
constexpr std::uint64_t kTornEvery = 8;

}  // namespace

void DiskCache::opened(const void* handle, const char* path) {
  handles_.erase(handle);
  if (path == nullptr) return;
  handles_.emplace(handle, path);
  files_.try_emplace(path);
}

void DiskCache::add(const void* handle, Write write) {
  const auto path = handles_.find(handle);
  if (path == handles_.end()) return;
  write.path = path->second;
  writes_.push_back(std::move(write));
  while (writes_.size() > kMostSynced && writes_.front().is_synced) {
    apply(writes_.front(), files_[writes_.front().path].durable);
    writes_.pop_front();
  }
}

void DiskCache::wrote(const void* handle, std::string_view data, std::size_t at) {
  add(handle, {.path = {}, .data = std::string(data), .at = at});
}

void DiskCache::truncated(const void* handle, std::size_t size) {
  add(handle, {.path = {}, .data = {}, .at = size, .truncates = true});
}

void DiskCache::synced(const void* handle) {
  const auto path = handles_.find(handle);
  if (path == handles_.end()) return;
  ++files_[path->second].syncs;
  for (Write& write : writes_) write.is_synced = write.is_synced || write.path == path->second;
}

void DiskCache::removed(const std::string& path) {
  files_.erase(path);
  std::erase_if(writes_, [&](const Write& write) { return write.path == path; });
}

void DiskCache::apply(const Write& write, std::string& contents) {
  if (write.truncates) return contents.resize(write.at);
  contents.resize(std::max(contents.size(), write.at + write.data.size()));
  contents.replace(write.at, write.data.size(), write.data);
}

void DiskCache::fail_power(bool lies, std::uint64_t number) {
  Random random(number);
  const std::uint64_t quarters_kept = number % 5;
  // The first ones have reached the disk, as most do in time.
  std::uint64_t safe = quarters_kept == 0 ? 0 : random.next() % (writes_.size() + 1);
  for (Write& write : writes_) {
    const bool is_safe = quarters_kept == 4 || safe > 0 || (write.is_synced && !lies);
    if (safe > 0) --safe;
    if (!is_safe && random.next() % 4 >= quarters_kept) continue;
    if (!is_safe && random.next() % kTornEvery == 0) {
      write.data.resize(write.data.size() / 2 / kSector * kSector);
    }
    apply(write, files_[write.path].durable);
  }
  writes_.clear();
  handles_.clear();
  for (const auto& [path, file] : files_) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << file.durable;
  }
}

std::uint64_t DiskCache::syncs(const std::string& path) const {
  const auto found = files_.find(path);
  return found == files_.end() ? 0 : found->second.syncs;
}

std::string DiskCache::contents(const std::string& path) const {
  const auto found = files_.find(path);
  std::string contents = found == files_.end() ? "" : found->second.durable;
  for (const Write& write : writes_) {
    if (write.path == path) apply(write, contents);
  }
  return contents;
}

}  // namespace kinf::sim
