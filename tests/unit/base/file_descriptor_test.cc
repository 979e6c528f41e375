// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>

#include <utility>

#include "kinf/base/file_descriptor.h"

namespace kinf {
namespace {

bool is_open(int number) { return ::fcntl(number, F_GETFD) >= 0; }

FileDescriptor open_null() { return FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

TEST_CASE("a file is closed when its descriptor ends") {
  int number = -1;
  {
    const FileDescriptor file = open_null();
    number = file.get();
    CHECK(file.is_open());
    CHECK(is_open(number));
  }
  CHECK_FALSE(is_open(number));
  CHECK_FALSE(FileDescriptor().is_open());
}

TEST_CASE("a file moves with its descriptor and is closed once") {
  FileDescriptor first = open_null();
  const int number = first.get();
  FileDescriptor second = std::move(first);
  CHECK(second.get() == number);
  CHECK(is_open(number));
  FileDescriptor third = open_null();
  const int replaced = third.get();
  third = std::move(second);
  CHECK_FALSE(is_open(replaced));
  CHECK(third.get() == number);
  third.reset();
  CHECK_FALSE(is_open(number));
}

}  // namespace

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
