// SPDX-License-Identifier: Apache-2.0
#include "kinf/process/worker_keeper.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <limits>
#include <new>
#include <utility>

#include "kinf/process/process_calls.h"

namespace kinf::worker {
namespace {

constexpr std::size_t kFlushAt = std::size_t{64} << 10U;
constexpr std::size_t kKeptBytes = std::size_t{1} << 20U;  ///< of a buffer, between two requests

/// Sets a limit, but never above what the process may have.
void limit(decltype(RLIMIT_CORE) resource, std::uint64_t most) {
  rlimit now{};
  if (::getrlimit(resource, &now) != 0) return;
  now.rlim_cur = std::min(now.rlim_max, static_cast<rlim_t>(most));
  ::setrlimit(resource, &now);
}

/// Returns the bytes of address space that this process has. Returns 0 if the system does not tell.
std::uint64_t address_space() {
  unsigned long long pages = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  if (std::fscanf(file, "%llu", &pages) != 1) pages = 0;
  (void)std::fclose(file);
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// Closes every descriptor except the two, and makes the standard streams empty files.
void isolate(int& channel, int& control) {
  ::setsid();  // Ctrl-C in the terminal is for kinf alone
  sigset_t signals;
  sigfillset(&signals);
  sigdelset(&signals, SIGPROF);
  ::sigprocmask(SIG_SETMASK, &signals, nullptr);
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &action, nullptr);
  channel = ::fcntl(channel, F_DUPFD, 3);
  control = ::fcntl(control, F_DUPFD, 3);
  const int empty = ::open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; ++fd) ::dup2(empty, fd);
  const auto [low, high] = std::minmax(channel, control);
  close_descriptors(3, static_cast<unsigned>(low) - 1, Closing::now);
  close_descriptors(static_cast<unsigned>(low) + 1, static_cast<unsigned>(high) - 1, Closing::now);
  close_descriptors(static_cast<unsigned>(high) + 1, ~0U, Closing::now);
}

/// Lets the system kill this process when it has used so much CPU time; 0 cancels that.
void set_alarm(std::chrono::seconds time) {
  const itimerval timer{{}, {time.count(), 0}};
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(fd, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) ::_exit(0);  // kinf is gone
    text.remove_prefix(static_cast<std::size_t>(put));
  }
}

void read_all(int fd, char* out, std::size_t size) {
  while (size > 0) {
    const ssize_t got = ::read(fd, out, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) ::_exit(0);
    out += got;
    size -= static_cast<std::size_t>(got);
  }
}

template <class Plain>
std::string_view bytes_of(const Plain& plain) {
  return {reinterpret_cast<const char*>(&plain), sizeof plain};
}

/// Reads what is in a non-blocking descriptor.
std::string drained(int fd) {
  std::string text;
  std::array<char, 4096> chunk;
  for (;;) {
    const ssize_t got = ::read(fd, chunk.data(), chunk.size());
    if (got > 0) text.append(chunk.data(), static_cast<std::size_t>(got));
    if (got <= 0 && errno != EINTR) return text;
  }
}

/// Collects frames and writes them.
class Writer {
 public:
  explicit Writer(int channel) : channel_(channel) {}

  void add(Frame::Kind kind, std::string_view text) {
    buffer_ += bytes_of(Frame{kind, 0, text.size()});
    buffer_ += text;
    if (kind == Frame::last || buffer_.size() >= kFlushAt) flush();
  }

 private:
  void flush() {
    write_all(channel_, buffer_);
    buffer_.clear();
    if (buffer_.capacity() > kKeptBytes) buffer_ = {};
  }

  const int channel_;
  std::string buffer_;
};

/// Answers requests in the worker.
[[noreturn]] void serve(int channel, const WorkerTask& task, const WorkerBounds& bounds) {
  Pipe errors = Pipe::open();
  ::dup2(errors.write_end.get(), STDERR_FILENO);
  set_non_blocking(STDERR_FILENO);
  set_non_blocking(errors.read_end.get());
  Writer writer(channel);
  const WorkerTask::Send send = [&](std::string_view part) { writer.add(Frame::part, part); };
  const std::uint64_t space = address_space();
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // their checks open pipes
  limit(RLIMIT_NOFILE, 0);                                           // open descriptors stay open
#endif
  std::size_t limited_for = 0;
  std::string request;
  for (;;) {
    Frame frame;
    read_all(channel, reinterpret_cast<char*>(&frame), sizeof frame);
    set_alarm(bounds.time_for(frame.size));
    // Rounded, so that ordinary requests do not change it.
    const std::size_t rounded = (frame.size / kFlushAt + 1) * kFlushAt;
    if (space > 0 && std::exchange(limited_for, rounded) != rounded) {
      limit(RLIMIT_AS, space + bounds.memory_for(rounded));
    }
    request.resize(frame.size);
    read_all(channel, request.data(), request.size());
    const std::string last = task.answer(request, send);
    if (const std::string text = drained(errors.read_end.get()); !text.empty()) {
      writer.add(Frame::written, text);
    }
    writer.add(Frame::last, last);
    set_alarm({});
    if (request.capacity() > kKeptBytes) request = {};
  }
}

/// Forks a worker. The result becomes readable when the worker has ended.
FileDescriptor fork_worker(pid_t& worker, int channel, int control, const WorkerTask& task,
                           const WorkerBounds& bounds) {
  Pipe life = Pipe::open();
  const pid_t keeper = ::getpid();
  worker = ::fork();
  if (worker == 0) {
    die_with_parent();
    if (::getppid() != keeper) ::_exit(0);
    ::close(control);
    life.read_end.reset();
    serve(channel, task, bounds);
  }
  return std::move(life.read_end);
}

int end_of(pid_t& worker) {
  int status = 0;
  while (::waitpid(worker, &status, 0) < 0 && errno == EINTR) {
  }
  worker = -1;
  return status;
}

void drop_requests(int channel) {
  std::array<char, 4096> chunk;
  while (::recv(channel, chunk.data(), chunk.size(), MSG_DONTWAIT) > 0) {
  }
}

}  // namespace

void keep_worker(int channel, int control, const WorkerTask& task, WorkerBounds bounds) {
  die_with_parent();
  isolate(channel, control);
  name_process("kinf-worker");
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_STACK, bounds.stack);
  if (const std::uint64_t now = address_space(); now > 0) limit(RLIMIT_AS, now + bounds.memory);
  std::set_new_handler([] { ::_exit(kNoMemoryCode); });
  ::tzset();  // reads a file
  set_alarm(bounds.time);
  Writer(channel).add(Frame::last, task.prepare());
  set_alarm({});
  pid_t worker = -1;
  FileDescriptor life;
  for (;;) {
    std::array<pollfd, 2> waits = {{{control, POLLIN, 0}, {life.get(), POLLIN, 0}}};
    if (::poll(waits.data(), waits.size(), -1) < 0) continue;
    if (waits[0].revents != 0) {
      Control message;
      const bool asked = ::read(control, &message, sizeof message) == sizeof message;
      life.reset();
      if (worker > 0) ::kill(worker, SIGKILL);
      if (worker > 0) end_of(worker);
      if (!asked) ::_exit(0);
      drop_requests(channel);
      life = fork_worker(worker, channel, control, task, bounds);
      if (worker < 0) ::_exit(1);
      write_all(control, bytes_of(Control{Control::started, message.value}));
    } else if (waits[1].revents != 0) {
      life.reset();
      write_all(control, bytes_of(Control{Control::died, end_of(worker)}));
    }
  }
}

}  // namespace kinf::worker
