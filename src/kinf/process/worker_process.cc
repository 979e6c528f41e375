// SPDX-License-Identifier: Apache-2.0
#include "kinf/process/worker_process.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "kinf/process/worker_keeper.h"

namespace kinf {
namespace {

using worker::Control;
using worker::Frame;

constexpr std::size_t kChunk = std::size_t{64} << 10U;
constexpr std::size_t kKeptBytes = std::size_t{1} << 20U;  ///< of the buffer, between two answers
/// The system ends a worker when its CPU time is up. On a busy machine that takes longer: kinf
/// waits this many times as long, so that the result does not depend on other programs.
constexpr int kBusyFactor = 10;

struct SocketPair {
  FileDescriptor kinf;  ///< does not block
  FileDescriptor child;

  static SocketPair open() {
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) return SocketPair();
    SocketPair pair{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
    for (const int end : ends) set_close_on_exec(end);
#if defined(SO_NOSIGPIPE)
    const int on = 1;
    ::setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    set_non_blocking(ends[0]);
    return pair;
  }
};

#if defined(MSG_NOSIGNAL)
constexpr int kNoSignal = MSG_NOSIGNAL;
#else
constexpr int kNoSignal = 0;
#endif

Failure system_failure(const char* what) {
  return fail(ErrorKind::internal, "cannot start a worker process: {}: {}", what,
              std::generic_category().message(errno));
}

int status_of(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const WorkerTask& task,
                                                            WorkerBounds bounds) {
  SocketPair channel = SocketPair::open();
  SocketPair control = SocketPair::open();
  if (!channel.kinf.is_open() || !control.kinf.is_open()) return system_failure("socketpair");
  const pid_t pid = ::fork();
  if (pid == 0) {
    try {
      worker::keep_worker(channel.child.get(), control.child.get(), task, bounds);
    } catch (...) {
      ::_exit(1);
    }
  }
  if (pid < 0) return system_failure("fork");
  std::unique_ptr<WorkerProcess> started(
      new WorkerProcess(pid, std::move(channel.kinf), std::move(control.kinf), bounds));
  channel.child.reset();
  control.child.reset();
  started->deadline_ = started->clock_.now() + bounds.time * kBusyFactor;
  Result<Answer> answer = started->receive([](std::string_view) {});
  if (!answer) return fail(answer);
  started->prepared_ = std::move(answer->last);
  return started;
}

WorkerProcess::WorkerProcess(pid_t keeper, FileDescriptor channel, FileDescriptor control,
                             WorkerBounds bounds)
    : keeper_(keeper),
      bounds_(bounds),
      channel_(std::move(channel)),
      control_(std::move(control)) {}

WorkerProcess::~WorkerProcess() {
  control_.reset();
  channel_.reset();
  if (keeper_ < 0) return;
  ::kill(keeper_, SIGCONT);  // the keeper may be stopped
  status_of(keeper_);
}

Result<WorkerProcess::Answer> WorkerProcess::ask(std::span<const std::string_view> request,
                                                 const std::stop_token& stop, const Take& take) {
  if (given_up_) return fail(*given_up_);
  if (stop.stop_requested()) return fail(ErrorKind::stopped, "stopped");
  stop_ = stop;
  wake_.clear();
  const std::stop_callback wake(stop, [this] { wake_.signal(); });
  request_ = 0;
  for (const std::string_view part : request) request_ += part.size();
  deadline_ = clock_.now() + bounds_.time_for(request_) * kBusyFactor;
  Result<void> sent = is_idle_ ? Result<void>() : start_worker();
  is_idle_ = false;
  const Frame frame{Frame::request, 0, request_};
  std::string text(reinterpret_cast<const char*>(&frame), sizeof frame);
  for (const std::string_view part : request) {
    if (part.size() < kChunk) {
      text += part;
      continue;
    }
    if (sent) sent = send(text);  // do not copy a large document
    if (sent) sent = send(part);
    text.clear();
  }
  if (sent) sent = send(text);
  Result<Answer> answer = sent ? receive(take) : Result<Answer>(fail(sent));
  if (!answer) return fail(count_death(std::move(answer).error()));
  is_idle_ = true;
  deaths_ = 0;
  return answer;
}

Result<void> WorkerProcess::start_worker() {
  is_started_ = false;
  const Control start{Control::start, ++starts_};
  (void)::send(control_.get(), &start, sizeof start, kNoSignal);  // wait() notices a failure
  while (!is_started_) {
    if (Result<void> waited = wait(0); !waited) return waited;
  }
  // The previous worker may have left a part of an answer.
  std::array<char, 4096> chunk;
  while (::recv(channel_.get(), chunk.data(), chunk.size(), 0) > 0) {
  }
  received_.clear();
  used_ = 0;
  return {};
}

Result<void> WorkerProcess::send(std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::send(channel_.get(), text.data(), text.size(), kNoSignal);
    if (put > 0) {
      text.remove_prefix(static_cast<std::size_t>(put));
    } else if (Result<void> waited = wait(POLLOUT); !waited) {
      return waited;
    }
  }
  return {};
}

Result<WorkerProcess::Answer> WorkerProcess::receive(const Take& take) {
  Answer answer;
  for (;;) {
    const Result<std::string_view> head = next(sizeof(Frame));
    if (!head) return fail(head);
    Frame frame;
    std::memcpy(&frame, head->data(), sizeof frame);
    if (frame.size > kPartBytes) return fail(ErrorKind::protocol, "crashed (a part is too long)");
    const Result<std::string_view> text = next(frame.size);
    if (!text) return fail(text);
    if (frame.kind == Frame::part) take(*text);
    if (frame.kind == Frame::written) answer.written = *text;
    if (frame.kind != Frame::last) continue;
    answer.last = *text;
    received_.erase(0, std::exchange(used_, 0));
    if (received_.capacity() > kKeptBytes) received_ = {};
    return answer;
  }
}

/// Returns the next bytes of the answer. They are valid until the next call.
Result<std::string_view> WorkerProcess::next(std::size_t size) {
  while (received_.size() - used_ < size) {
    received_.erase(0, std::exchange(used_, 0));
    const std::size_t before = received_.size();
    ssize_t got = 0;
    received_.resize_and_overwrite(before + kChunk, [&](char* text, std::size_t) {
      got = ::recv(channel_.get(), text + before, kChunk, 0);
      return before + static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    });
    if (got > 0) continue;
    // At the end of the channel, the keeper has ended too.
    if (Result<void> waited = wait(got == 0 ? 0 : POLLIN); !waited) return fail(waited);
  }
  const std::string_view text(received_.data() + used_, size);
  used_ += size;
  return text;
}

/// Waits until the channel is ready for one of `events`, or the keeper has reported something.
Result<void> WorkerProcess::wait(short events) {
  std::array<pollfd, 3> waits = {
      {{channel_.get(), events, 0}, {control_.get(), POLLIN, 0}, {wake_.descriptor(), POLLIN, 0}}};
  const Clock::Duration left = deadline_ - clock_.now();
  const int ready = poll_for(waits, std::max(left, Clock::Duration()));
  if (stop_.stop_requested()) return fail(ErrorKind::stopped, "stopped");
  if (ready == 0) return fail(death(SIGPROF));
  // What a worker has sent before it died counts.
  if ((waits[0].revents & events & POLLIN) != 0) return {};
  return waits[1].revents != 0 ? read_control() : Result<void>();
}

Result<void> WorkerProcess::read_control() {
  Control message;
  const ssize_t got = ::recv(control_.get(), &message, sizeof message, 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return {};
  if (got != sizeof message) return fail(death(status_of(std::exchange(keeper_, -1))));
  if (message.kind == Control::started) is_started_ = message.value == starts_;
  // Until the new worker is reported, this is about the previous one.
  if (message.kind == Control::died && is_started_) return fail(death(message.value));
  return {};
}

/// Describes the end of a worker with the given status of waitpid(). SIGPROF means its time is up.
Error WorkerProcess::death(int status) const {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGPROF) {
    return Error(ErrorKind::protocol,
                 fmt::format("takes longer than {} s", bounds_.time_for(request_).count()));
  }
  if (signal == 0 && WEXITSTATUS(status) == worker::kNoMemoryCode) {
    return Error(ErrorKind::protocol,
                 fmt::format("needs more than {} MiB", bounds_.memory_for(request_) >> 20U));
  }
  return Error(ErrorKind::protocol,
               signal != 0 ? fmt::format("crashed (signal {})", signal)
                           : fmt::format("crashed (exit code {})", WEXITSTATUS(status)));
}

/// Decides whether a worker is started again. If not, returns the error for the caller, who ends.
Error WorkerProcess::count_death(Error error) {
  if (error.kind == ErrorKind::stopped) return error;
  if (++deaths_ < kDeathsInARow && keeper_ >= 0) return error;
  error.kind = ErrorKind::internal;
  if (keeper_ >= 0) error.message += fmt::format(", {} times in a row", deaths_);
  given_up_ = error;
  return error;
}

}  // namespace kinf
