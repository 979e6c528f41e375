// SPDX-License-Identifier: Apache-2.0
// Thousands of watches of one sandbox: none has a thread of its own, and each gets every event.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "kinf/sandbox/sandbox.h"
#include "unit/http/raw_client.h"

namespace {

using kinf::test::RawClient;

/// Raises the limit on open descriptors. Returns how many watches fit, at most 2,000: each has a
/// descriptor at either end, and a sandbox wants two more for a relay.
std::size_t watches_that_fit() {
  rlimit limit{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &limit) == 0);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 16384);
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &limit) == 0);
  return std::min<std::size_t>(2000, (limit.rlim_cur - 200) / 4);
}

/// The number of threads of this process.
int threads() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("Threads:")) return std::stoi(line.substr(8));
  }
  return 0;
}

std::string request(const std::string& method, const std::string& target,
                    const std::string& body = "") {
  return method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
         "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

TEST_CASE("two thousand watches need few threads, and each gets an event") {
  const std::size_t count = watches_that_fit();
  kinf::RealClock clock;
  kinf::Sandbox sandbox({}, clock);
  const auto url = sandbox.start();
  REQUIRE(url.has_value());
  const int port = std::stoi(url->substr(url->rfind(':') + 1));
  const int before = threads();
  std::vector<std::unique_ptr<RawClient>> watches;
  while (watches.size() < count) {
    watches.push_back(std::make_unique<RawClient>(port));
    watches.back()->send(request("GET", "/api/v1/namespaces?watch=true"));
  }
  for (const auto& each : watches) CHECK_FALSE(each->receive_until("kube-system").empty());
  const RawClient writer(port);
  writer.send(request("POST", "/api/v1/namespaces", R"({"metadata":{"name":"late"}})"));
  CHECK(writer.receive_all().starts_with("HTTP/1.1 201 Created"));
  for (const auto& each : watches) CHECK_FALSE(each->receive_until("late").empty());
  CHECK(threads() - before < 20);
  sandbox.stop();
  for (const auto& each : watches) CHECK(each->receive_all().ends_with("0\r\n\r\n"));
}

}  // namespace
