// SPDX-License-Identifier: Apache-2.0
#include "kinf/http/response_writer.h"

#include <doctest/doctest.h>

#include "unit/http/inflated.h"

namespace kinf {
namespace {

TEST_CASE("gzip is accepted only as a plain token, as by kube-apiserver") {
  for (const char* yes : {"gzip", "deflate, gzip", " gzip ,br", "gzip,"}) {
    CHECK_MESSAGE(accepts_gzip(yes), yes);
  }
  for (const char* no : {"", "identity", "gzip;q=0", "gzip;q=0.5", "x-gzip", "*", ",,"}) {
    CHECK_MESSAGE(!accepts_gzip(no), no);
  }
}

TEST_CASE("members that follow one another inflate to their contents in order") {
  const std::string big(300'000, 'x');
  int members = 0;
  CHECK(test::inflated(gzip_member("one") + gzip_member("") + gzip_member(big), &members) ==
        "one" + big);
  CHECK(members == 3);
  CHECK(gzip_member(big).size() < 3000);
}

TEST_CASE("each piece of a compressed stream can be inflated before the next one is sent") {
  GzipStream stream;
  int members = 0;
  std::string sent = stream.piece("one");
  CHECK(test::inflated(sent, &members) == "one");
  sent += stream.piece("two");
  CHECK(test::inflated(sent, &members) == "onetwo");
  CHECK(members == 0);
  sent += stream.end();
  CHECK(test::inflated(sent, &members) == "onetwo");
  CHECK(members == 1);
}

}  // namespace
}  // namespace kinf
