// SPDX-License-Identifier: Apache-2.0
// RAII wrappers for file descriptors. Also functions that set descriptor flags and wait for
// descriptors.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <cstdint>
#include <ctime>
#include <span>
#include <utility>

namespace kinf {

/// Owns a file descriptor and closes it.
/// Threads: one owner.
class FileDescriptor {
 public:
  /// Takes ownership of `fd`. A negative `fd` means no descriptor.
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  ~FileDescriptor() { reset(); }
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) reset(std::exchange(other.fd_, -1));
    return *this;
  }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  /// Gives up the ownership of the descriptor and returns it.
  int release() { return std::exchange(fd_, -1); }
  /// Closes the current descriptor, if any, and takes ownership of `fd`.
  void reset(int fd = -1) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }

 private:
  int fd_;
};

/// Marks `fd` to be closed on exec. Returns false and sets errno on failure.
inline bool set_close_on_exec(int fd) { return ::fcntl(fd, F_SETFD, FD_CLOEXEC) == 0; }

/// Makes reads and writes return at once. Returns false and sets errno on failure.
inline bool set_non_blocking(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  return flags >= 0 && ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

/// The two ends of a pipe.
/// Threads: one owner.
struct Pipe {
  FileDescriptor read_end;
  FileDescriptor write_end;

  /// Opens a pipe whose ends are closed on exec. On failure neither end is open and errno is set.
  static Pipe open() {
    std::array<int, 2> ends{-1, -1};
#if defined(__APPLE__)
    if (::pipe(ends.data()) != 0) return Pipe();
    for (const int end : ends) set_close_on_exec(end);
#else
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return Pipe();
#endif
    return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
  }
  bool is_open() const { return read_end.is_open(); }
};

/// The event that poll() reports when the peer has closed its sending side. Set it in `events`.
/// macOS reports POLLHUP instead.
#if defined(POLLRDHUP)
inline constexpr short kPollPeerClosed = POLLRDHUP;
#else
inline constexpr short kPollPeerClosed = POLLHUP;
#endif

/// Waits until one of the descriptors is ready or `timeout` (at least 0) has passed. Waits up to
/// one millisecond longer on systems other than Linux. Returns what poll() returns, and sets errno
/// as it does.
inline int poll_for(std::span<pollfd> waited, std::chrono::nanoseconds timeout) {
  const auto count = static_cast<nfds_t>(waited.size());
#if defined(__linux__)
  const auto seconds = std::chrono::floor<std::chrono::seconds>(timeout);
  const timespec limit{seconds.count(), (timeout - seconds).count()};
  return ::ppoll(waited.data(), count, &limit, nullptr);
#else
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(timeout).count();
  return ::poll(waited.data(), count,
                static_cast<int>(std::min<std::int64_t>(milliseconds, INT_MAX)));
#endif
}

/// Wakes a thread that waits in poll().
/// Threads: any. signal() may also be called from a signal handler.
class WakeEvent {
 public:
  WakeEvent() {
    if (pipe_.is_open()) {
      set_non_blocking(pipe_.read_end.get());
      set_non_blocking(pipe_.write_end.get());
    }
  }

  /// Returns the descriptor to wait for with POLLIN. The descriptor is -1, which poll() ignores, if
  /// the pipe could not be opened.
  int descriptor() const { return pipe_.read_end.get(); }
  /// Makes the descriptor readable until clear(). Never blocks, because a full pipe is already
  /// readable.
  void signal() const {
    const char byte = 0;
    (void)!::write(pipe_.write_end.get(), &byte, 1);
  }
  /// Forgets all signals so far. Never blocks.
  void clear() const {
    std::array<char, 64> bytes;
    while (::read(pipe_.read_end.get(), bytes.data(), bytes.size()) > 0) {
    }
  }

 private:
  const Pipe pipe_ = Pipe::open();
};

}  // namespace kinf
