// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/file_descriptor.h"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <ctime>

namespace kinf {

int poll_for(std::span<pollfd> waited, std::chrono::nanoseconds timeout) {
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

}  // namespace kinf
