// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/wake_event.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>

namespace kinf {
namespace {

bool is_signalled(const WakeEvent& event) {
  pollfd waited{event.descriptor(), POLLIN, 0};
  return ::poll(&waited, 1, 0) == 1;
}

TEST_CASE("an event is readable from its first signal until it is cleared") {
  const WakeEvent event;
  CHECK_FALSE(is_signalled(event));
  // Far more signals than a pipe can hold: signal() does not block.
  for (int i = 0; i < 200'000; ++i) event.signal();
  CHECK(is_signalled(event));
  event.clear();
  CHECK_FALSE(is_signalled(event));
  event.signal();
  CHECK(is_signalled(event));
  CHECK(::fcntl(event.descriptor(), F_GETFD) == FD_CLOEXEC);
}

}  // namespace
}  // namespace kinf
