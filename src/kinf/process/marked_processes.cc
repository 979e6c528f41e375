// SPDX-License-Identifier: Apache-2.0
// kill_marked() runs in the guard, a fork of a process with threads. It must not allocate.
#include "kinf/process/marked_processes.h"

#if defined(__linux__)
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstring>

#include "kinf/base/file_descriptor.h"
#endif

namespace kinf {
namespace {

constexpr std::string_view kVariable = "_KINF_GUARD=";
}  // namespace

void add_mark(std::vector<std::string>& environment, std::string_view mark) {
  std::string entry(kVariable);
  for (const std::string& each : environment) {
    if (each.starts_with(kVariable)) entry = each + ":";
  }
  environment.push_back(entry + std::string(mark));
}

#if defined(__linux__)

namespace {

constexpr std::size_t kLongestMark = 64;
/// A killed process that does not end, for example in a hanging file system, must not stop the
/// guard.
constexpr int kMostRounds = 2000;
constexpr int kPauseMs = 1;

bool contains_mark(int file, std::string_view mark) {
  std::array<char, 8192> buffer;
  std::size_t held = 0;  // the end of the last piece, in which a mark may have begun
  for (;;) {
    const ssize_t got = ::read(file, buffer.data() + held, buffer.size() - held);
    if (got <= 0) return false;
    const std::string_view text(buffer.data(), held + static_cast<std::size_t>(got));
    if (text.find(mark) != std::string_view::npos) return true;
    held = std::min(text.size(), mark.size());
    std::memmove(buffer.data(), text.data() + text.size() - held, held);
  }
}

/// Kills the process with this name in /proc if it has the mark. Returns whether it has.
bool kill_if_marked(int proc, const char* name, std::string_view mark) {
  pid_t pid = 0;
  const char* const end = name + std::strlen(name);
  const auto [rest, error] = std::from_chars(name, end, pid);
  if (error != std::errc() || rest != end || pid == ::getpid()) return false;
  std::array<char, 32> path{};
  std::memcpy(path.data(), name, static_cast<std::size_t>(end - name));
  std::memcpy(path.data() + (end - name), "/environ", sizeof "/environ");
  const FileDescriptor file(::openat(proc, path.data(), O_RDONLY | O_CLOEXEC));
  return file.is_open() && contains_mark(file.get(), mark) && ::kill(pid, SIGKILL) == 0;
}

/// Returns whether it has killed a process.
bool kill_once(std::string_view mark) {
  const FileDescriptor proc(::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  alignas(dirent64) std::array<char, 8192> entries;
  bool found = false;
  for (;;) {
    const long size = ::syscall(SYS_getdents64, proc.get(), entries.data(), entries.size());
    if (size <= 0) return found;
    for (long at = 0; at < size;) {
      const auto* const entry = reinterpret_cast<const dirent64*>(entries.data() + at);
      found = kill_if_marked(proc.get(), entry->d_name, mark) || found;
      at += entry->d_reclen;
    }
  }
}

}  // namespace

void kill_marked(std::string_view mark) {
  if (mark.empty() || mark.size() > kLongestMark) return;
  for (int round = 0; round < kMostRounds && kill_once(mark); ++round) {
    ::poll(nullptr, 0, kPauseMs);
  }
}

#else

void kill_marked(std::string_view /*mark*/) {}

#endif

}  // namespace kinf
