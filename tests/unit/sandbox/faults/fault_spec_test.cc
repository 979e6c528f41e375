// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/faults/fault_spec.h"

#include <doctest/doctest.h>

namespace kinf::sandbox {
namespace {

using std::chrono::seconds;

FaultSpec parsed(std::string_view text) {
  const auto spec = parse_fault(text);
  REQUIRE_MESSAGE(spec.has_value(), text);
  return *spec;
}

std::string problem(std::string_view text) {
  const auto spec = parse_fault(text);
  REQUIRE_MESSAGE(!spec.has_value(), text);
  CHECK(spec.error().kind == ErrorKind::usage);
  return spec.error().message;
}

TEST_CASE("faults are parsed with their parameters") {
  CHECK(parsed("cut").after == seconds(1));
  CHECK_FALSE(parsed("cut").every);
  CHECK(parsed("cut:every=30s").every == seconds(30));
  CHECK(parsed("stall:after=0s").after == seconds(0));
  CHECK(parsed("slow:1KBps").bytes_per_second == 1000);
  CHECK(parsed("slow:2MBps").bytes_per_second == 2'000'000);
  CHECK(parsed("latency:50ms").latency == std::chrono::milliseconds(50));
  CHECK(parsed("gone").times == 1);
  CHECK(parsed("gone:4").times == 4);
  CHECK(parsed("error:500:3").code == 500);
  CHECK(parsed("error:500:3").times == 3);
  CHECK(parsed("too-many:429:retry-after=2").retry_after == seconds(2));
  CHECK(parsed("too-many:429:2:text").times == 2);
  CHECK(parsed("too-many:429:2:text").as_text);
  CHECK(parsed("deny:secrets").resource == "secrets");
  CHECK(parsed("random:seed=7:rate=0.2").seed == 7);
  CHECK(parsed("random:seed=7:rate=0.2").rate == doctest::Approx(0.2));
  CHECK(parsed("none").kind == FaultKind::none);
}

TEST_CASE("an error names the part that is not valid and what is allowed") {
  CHECK(problem("fire").starts_with("unknown fault \"fire\"; available faults: cut, reset"));
  CHECK(problem("") == problem(":").substr(0, problem("").size()));
  for (const char* text : {"cut:30s",
                           "cut:every=never",
                           "cut:every=1ms",
                           "cut:every=-1s",
                           "slow",
                           "slow:fast",
                           "latency",
                           "latency:0s",
                           "latency:-1s",
                           "latency:11s",
                           "latency:5ms:6ms",
                           "slow:0Bps",
                           "gone:0",
                           "gone:x",
                           "error",
                           "error:200",
                           "error:abc",
                           "error:500:0",
                           "too-many:retry-after=x",
                           "no-bookmark-end:2",
                           "deny",
                           "deny:a:b",
                           "random",
                           "random:rate=2",
                           "random:seed=x:rate=0.1",
                           "none:1",
                           "stall:after=",
                           "cut:after=9999999h"}) {
    CHECK_MESSAGE(problem(text).find("expected") != std::string::npos, text);
  }
}

TEST_CASE("each kind is a byte fault, a protocol fault or both") {
  CHECK(is_byte_fault(FaultKind::slow));
  CHECK_FALSE(is_byte_fault(FaultKind::gone));
  CHECK(is_protocol_fault(FaultKind::deny));
  CHECK_FALSE(is_protocol_fault(FaultKind::truncate));
  for (const FaultKind kind : {FaultKind::random, FaultKind::none}) {
    CHECK(is_byte_fault(kind));
    CHECK(is_protocol_fault(kind));
  }
}

}  // namespace
}  // namespace kinf::sandbox
