// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/poller.h"

#include "kinf/sandbox/http/epoll_poller.h"
#include "kinf/sandbox/http/poll_poller.h"

namespace kinf::sandbox {

std::unique_ptr<Poller> make_poller() {
#if defined(__linux__)
  return EpollPoller::open();
#else
  return PollPoller::open();
#endif
}

}  // namespace kinf::sandbox
