// SPDX-License-Identifier: Apache-2.0
// The part of WorkerProcess that runs in its two child processes, and what both sides say.
#pragma once

#include <array>
#include <cstdint>

#include "kinf/process/worker_process.h"

namespace kinf::worker {

/// What precedes each text in the channel.
struct Frame {
  enum Kind : std::uint32_t { request, part, last, written };
  std::uint32_t kind = request;
  std::uint32_t unused = 0;
  std::uint64_t size = 0;
};

/// A message on the control socket. kinf sends only `start`: kill the worker if there is one, and
/// fork a new one. The keeper reports `started` and `died`.
struct Control {
  enum Kind : std::int32_t { start, started, died };
  std::int32_t kind = start;
  /// `start` and its `started`: which start it is, because kinf may stop waiting and ask again.
  /// `died`: the status of the worker, as waitpid() returns it.
  std::int32_t value = 0;
};

/// The exit code of a worker without memory.
inline constexpr int kNoMemoryCode = 86;

/// Runs the keeper in a new child process, until kinf closes its end of `control`.
[[noreturn]] void keep_worker(int channel, int control, const WorkerTask& task,
                              WorkerBounds bounds);

}  // namespace kinf::worker
