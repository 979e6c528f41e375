// SPDX-License-Identifier: Apache-2.0
#include "kinf/http/http_server.h"

#include <doctest/doctest.h>

#include <vector>

namespace kinf {
namespace {

TEST_CASE("a host and a port are read, with brackets around IPv6") {
  struct Case {
    const char* text;
    const char* host;
    int port;
  };
  for (const Case& each : std::vector<Case>{{"127.0.0.1:8080", "127.0.0.1", 8080},
                                            {"api.example.com:6443", "api.example.com", 6443},
                                            {"[::1]:443", "::1", 443},
                                            {"h:0", "h", 0},
                                            {"h:65535", "h", 65535}}) {
    const auto address = parse_host_port(each.text);
    REQUIRE_MESSAGE(address.has_value(), each.text);
    CHECK(address->host == each.host);
    CHECK(address->port == each.port);
  }
  for (const char* bad : {"", ":", "h", "h:", ":80", "h:65536", "h:-1", "h:+1", "h:8x", "[]:80"}) {
    const auto address = parse_host_port(bad);
    REQUIRE_MESSAGE(!address.has_value(), bad);
    CHECK(address.error().kind == ErrorKind::usage);
    CHECK(address.error().message == "\"" + std::string(bad) + "\" is not an address: HOST:PORT");
  }
}

TEST_CASE("only loopback is listened on, unless the user allows more") {
  CHECK(parse_listen("localhost:80", false)->host == "127.0.0.1");
  CHECK(parse_listen("127.1.2.3:80", false)->host == "127.1.2.3");
  CHECK(parse_listen("0.0.0.0:80", false).error().message ==
        "0.0.0.0 is not a loopback address; --listen-any allows others");
  CHECK(parse_listen("0.0.0.0:80", true)->host == "0.0.0.0");
  CHECK(parse_listen("192.0.2.1:80", true).has_value());
  CHECK(parse_listen("example.com:80", true).error().message ==
        "example.com is not an IPv4 address");
  CHECK(parse_listen("127.0.0.256:80", false).error().message ==
        "127.0.0.256 is not an IPv4 address");
  CHECK(parse_listen("nonsense", false).error().kind == ErrorKind::usage);
}

}  // namespace
}  // namespace kinf
