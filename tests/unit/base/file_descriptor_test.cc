// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/file_descriptor.h"

#include <doctest/doctest.h>
#include <fcntl.h>

#include <utility>

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
}  // namespace kinf
