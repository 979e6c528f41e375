// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <climits>
#include <string_view>
#include <vector>

#include "kinf/base/file_descriptor.h"
#include "kinf/process/process_calls.h"

namespace kinf {
namespace {

/// Opens four descriptors with numbers that nothing else uses, and returns the first number.
int open_four() {
  const FileDescriptor file(::open("/dev/null", O_RDONLY));
  const int first = ::fcntl(file.get(), F_DUPFD, 700);
  for (int next = first + 1; next < first + 4; ++next) CHECK(::dup2(file.get(), next) == next);
  return first;
}

/// The flags of four descriptors, -1 for those that are closed.
std::vector<int> flags_of_four(int first) {
  std::vector<int> flags;
  for (int fd = first; fd < first + 4; ++fd) flags.push_back(::fcntl(fd, F_GETFD));
  return flags;
}

TEST_CASE("a range of descriptors is closed, now or on exec, with and without close_range()") {
  for (const auto close : {close_descriptors, close_descriptors_singly}) {
    const int first = open_four();
    const auto number = static_cast<unsigned>(first);
    close(number + 1, number + 2, Closing::on_exec);
    CHECK(flags_of_four(first) == std::vector<int>{0, FD_CLOEXEC, FD_CLOEXEC, 0});
    close(number + 1, number + 2, Closing::now);
    CHECK(flags_of_four(first) == std::vector<int>{0, -1, -1, 0});
    close(number, UINT_MAX, Closing::now);
    CHECK(flags_of_four(first) == std::vector<int>{-1, -1, -1, -1});
  }
}

}  // namespace

namespace {

TEST_CASE("a file without a name keeps what is written, and is closed on exec") {
  for (const auto open : {open_unnamed_file, open_removed_file}) {
    const FileDescriptor file = open();
    REQUIRE(file.is_open());
    REQUIRE(::write(file.get(), "text", 4) == 4);
    std::array<char, 8> read{};
    CHECK(::pread(file.get(), read.data(), read.size(), 0) == 4);
    CHECK(std::string_view(read.data()) == "text");
    CHECK(::fcntl(file.get(), F_GETFD) == FD_CLOEXEC);
    struct stat info{};
    REQUIRE(::fstat(file.get(), &info) == 0);
    CHECK(info.st_nlink == 0);
  }
}

}  // namespace

}  // namespace kinf
