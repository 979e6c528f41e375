// SPDX-License-Identifier: Apache-2.0
// poll() with a timeout as a duration.
#pragma once

#include <poll.h>

#include <chrono>
#include <span>

namespace kinf {

/// What poll() reports when the peer closed its sending side. Ask for it in `events`. macOS reports
/// that as POLLHUP.
#if defined(POLLRDHUP)
inline constexpr short kPollPeerClosed = POLLRDHUP;
#else
inline constexpr short kPollPeerClosed = POLLHUP;
#endif

/// Waits until something is ready or `timeout` (at least 0) is over. Waits up to one millisecond
/// longer on systems without ppoll(). Returns what poll() returns, and sets errno as it does.
int poll_for(std::span<pollfd> waited, std::chrono::nanoseconds timeout);

}  // namespace kinf
