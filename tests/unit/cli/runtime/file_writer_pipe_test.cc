// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/runtime/file_writer.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "unit/cli/runtime/captured_stream.h"

namespace kinf {
namespace {

TEST_CASE("text reaches the file at once and in order") {
  test::TextPipe pipe;
  FileWriter writer(pipe.write_end());
  CHECK(writer.write("one\n"));
  CHECK(pipe.read() == "one\n");
  CHECK(writer.write(""));
  CHECK(writer.write("two\n"));
  CHECK(writer.write("three\n"));
  CHECK(pipe.read() == "two\nthree\n");
  CHECK(writer.exit_code() == ExitCode::ok);
}

TEST_CASE("a reader that has gone gives the exit code of SIGPIPE, and later text is dropped") {
  std::signal(SIGPIPE, SIG_IGN);
  test::TextPipe pipe;
  FileWriter writer(pipe.write_end());
  CHECK(writer.write("one"));
  pipe.close_reader();
  CHECK_FALSE(writer.write("two"));
  CHECK(writer.exit_code() == ExitCode::broken_pipe);
  CHECK_FALSE(writer.write("three"));
  CHECK_FALSE(writer.write(""));
}

TEST_CASE("a file that cannot be written gives the exit code of other errors") {
  const int read_only = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  REQUIRE(read_only >= 0);
  FileWriter writer(read_only);
  bool written = true;
  ExitCode code = ExitCode::ok;
  test::captured(STDERR_FILENO, [&] {
    written = writer.write("text");
    code = writer.exit_code();
  });
  CHECK_FALSE(written);
  CHECK(code == ExitCode::other_error);
  CHECK_FALSE(writer.write("more"));
  ::close(read_only);
}

TEST_CASE("a text larger than the pipe arrives whole, whether or not the pipe blocks") {
  test::TextPipe pipe;
  SUBCASE("blocking") {}
  SUBCASE("not blocking, as another program may have left it") {
    REQUIRE(::fcntl(pipe.write_end(), F_SETFL, O_NONBLOCK) == 0);
  }
  std::string text;
  while (text.size() < 300'000) text += "0123456789 another line of the output\n";
  FileWriter writer(pipe.write_end());
  std::string received;
  {
    std::jthread thread([&] { (void)writer.write(text); });
    while (received.size() < text.size()) {
      received += pipe.read();
      std::this_thread::yield();
    }
  }
  CHECK(received == text);
  CHECK(writer.exit_code() == ExitCode::ok);
}

TEST_CASE("a widened pipe takes more without a reader") {
  test::TextPipe pipe;
  const int before = ::fcntl(pipe.write_end(), F_GETPIPE_SZ);
  REQUIRE(::fcntl(pipe.write_end(), F_SETPIPE_SZ, 4096) > 0);
  FileWriter writer(pipe.write_end());
  writer.widen();
  CHECK(::fcntl(pipe.write_end(), F_GETPIPE_SZ) > before);
}

TEST_CASE("write_stdout prints on standard output and returns the exit code") {
  ExitCode code = ExitCode::other_error;
  CHECK(test::captured(STDOUT_FILENO, [&] { code = write_stdout("kinf 1.0\n"); }) == "kinf 1.0\n");
  CHECK(code == ExitCode::ok);
}

}  // namespace
}  // namespace kinf
