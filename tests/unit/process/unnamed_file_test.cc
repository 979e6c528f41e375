// SPDX-License-Identifier: Apache-2.0
#include "kinf/process/unnamed_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <string_view>

namespace kinf {
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
