// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/runtime/error_report.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include "kinf/api/api_status.h"
#include "unit/cli/runtime/captured_stream.h"

namespace kinf {
namespace {

Error from_server(int code, std::string reason, std::string message) {
  ApiStatus status;
  status.code = code;
  status.reason = std::move(reason);
  status.message = std::move(message);
  Error error(ErrorKind::forbidden, "list pods: refused");
  error.status = std::make_shared<const ApiStatus>(std::move(status));
  return error;
}

TEST_CASE("a kinf error begins with error:, a server error names its reason") {
  CHECK(error_text(Error(ErrorKind::usage, "unknown flag: --frob")) ==
        "error: unknown flag: --frob");
  CHECK(error_text(from_server(403, "Forbidden", "pods is forbidden")) ==
        "Error from server (Forbidden): pods is forbidden");
}

TEST_CASE("a server's error without a reason or a message is still complete") {
  CHECK(error_text(from_server(500, "", "the disk is full")) ==
        "Error from server: the disk is full");
  CHECK(error_text(from_server(403, "Forbidden", "")) ==
        "Error from server (Forbidden): list pods: refused");
}

TEST_CASE("the middle of a long error is left out") {
  const std::string text =
      error_text(Error(ErrorKind::usage, "open " + std::string(99'995, 'x') + "łłł: no such file"));
  CHECK(text.size() < 4'096);
  CHECK(text.starts_with("error: open xxx"));
  CHECK(text.find("x… (96955 bytes left out) …x") != std::string::npos);
  CHECK(text.ends_with("xłłł: no such file"));
}

TEST_CASE("refused credentials are reported in kubectl's words, not in the server's") {
  const std::string text = error_text(from_server(401, "Unauthorized", "Unauthorized"));
  CHECK(text == "error: You must be logged in to the server (Unauthorized)");
}

TEST_CASE("a hint has a line of its own") {
  Error error(ErrorKind::network, "no connection");
  error.hint = "set --server";
  CHECK(error_text(error) == "error: no connection\nhint: set --server");
}

TEST_CASE("text of a server or a file cannot steer the terminal") {
  struct Case {
    std::string message;
    std::string shown;
  };
  for (const Case& one : {Case{"a\x1b[2Jb", "error: a\\u001b[2Jb"},
                          Case{"two\nlines", "error: two lines"}, Case{"a\tb", "error: a b"},
                          Case{"a\x7f", "error: a\\u007f"}, Case{"größe →", "error: größe →"}}) {
    CHECK(error_text(Error(ErrorKind::internal, one.message)) == one.shown);
  }
  Error error(ErrorKind::internal, "x");
  error.hint = "do\nthis\r";
  CHECK(error_text(error) == "error: x\nhint: do this\\u000d");
  CHECK(error_text(from_server(500, "\x1b", "\a")) == "Error from server (\\u001b): \\u0007");
}

TEST_CASE("an error is reported on stderr as one complete line") {
  Error error(ErrorKind::usage, "unknown stage \"x\"");
  error.hint = "available stages: a b";
  CHECK(test::captured(STDERR_FILENO, [&] { report(error); }) ==
        "error: unknown stage \"x\"\nhint: available stages: a b\n");
}

}  // namespace
}  // namespace kinf
