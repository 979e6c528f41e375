// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/files.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "fakes/temp_folder.h"

namespace kinf {
namespace {

mode_t mode_of(const std::string& path) {
  struct stat status{};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 0777;
}

TEST_CASE("only the owner can read a private file, whatever the umask is") {
  const test::TempFolder folder;
  const mode_t before = ::umask(0);
  REQUIRE(write_private_file(folder.path("new"), "token").has_value());
  ::umask(before);
  CHECK(mode_of(folder.path("new")) == 0600);
  CHECK(folder.read("new") == "token");
}

TEST_CASE("only the owner can open private folders, whatever the umask is") {
  const test::TempFolder folder;
  const mode_t before = ::umask(0);
  make_private_folders(folder.path("a/b/c"));
  make_private_folders(folder.path("a/b/c"));
  ::umask(before);
  for (const char* path : {"a", "a/b", "a/b/c"}) CHECK(mode_of(folder.path(path)) == 0700);
}

TEST_CASE("a private file replaces the content and the mode of the file that was there") {
  const test::TempFolder folder;
  const std::string path = folder.write("old", "a longer text");
  REQUIRE(::chmod(path.c_str(), 0644) == 0);
  REQUIRE(write_private_file(path, "short").has_value());
  CHECK(mode_of(path) == 0600);
  CHECK(folder.read("old") == "short");
}

TEST_CASE("a file that cannot be written is an error with its path and the reason") {
  const test::TempFolder folder;
  const auto written = write_private_file(folder.path("absent/file"), "x");
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().kind == ErrorKind::internal);
  CHECK(written.error().message == folder.path("absent/file") + ": No such file or directory");
  CHECK(write_private_file("/dev/full", "x").error().message ==
        "/dev/full: No space left on device");
}

TEST_CASE("a pipe is read, and stop ends the wait for one that no process writes to") {
  const test::TempFolder folder;
  const std::string path = folder.path("pipe");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  std::stop_source stop;
  stop.request_stop();
  const auto silent = read_file(path, 100, stop.get_token());
  REQUIRE_FALSE(silent.has_value());
  CHECK(silent.error().kind == ErrorKind::stopped);

  const FileDescriptor reader(::open(path.c_str(), O_RDONLY | O_NONBLOCK));
  const FileDescriptor writer(::open(path.c_str(), O_WRONLY));
  REQUIRE(write_fully(writer.get(), "kind: Config"));
  const auto large = read_file(path, 5);
  REQUIRE_FALSE(large.has_value());
  CHECK(large.error().message == "read " + path + ": larger than 5 bytes");
  CHECK(read_file("/dev/null", 5).value().empty());
}

}  // namespace
}  // namespace kinf
