// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/server_url.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

TEST_CASE("J1: a server's address falls into its parts") {
  const ServerUrl url = parse_server_url("https://10.0.0.1:6443/k8s/clusters/c-1/").value();
  CHECK(url == ServerUrl{true, "10.0.0.1", "6443", "/k8s/clusters/c-1"});
  CHECK(url.origin() == "https://10.0.0.1:6443");
  CHECK(url.effective_port() == 6443);
}

TEST_CASE("J1: the port of the scheme is the default, IPv6 keeps its brackets") {
  CHECK(parse_server_url("http://example.test").value().effective_port() == 80);
  CHECK(parse_server_url("https://example.test").value().effective_port() == 443);
  const ServerUrl v6 = parse_server_url("https://[::1]:6443").value();
  CHECK(v6.host == "::1");
  CHECK(v6.origin() == "https://[::1]:6443");
}

TEST_CASE("a password in an address is dropped") {
  CHECK(parse_server_url("https://me:secret@example.test").value().origin() ==
        "https://example.test");
  const Result<ServerUrl> bad = parse_server_url("https://me:secret@exa mple.test");
  REQUIRE_FALSE(bad);
  CHECK(bad.error().message.find("secret") == std::string::npos);
}

TEST_CASE("what is no address is refused") {
  for (const char* bad :
       {"", "example.test", "ftp://example.test", "https://", "https://a:b", "https://a:70000",
        "https://[::1", "https://[::1]6443", "http://a b", "http://a/b\nc", "http://::1:80"}) {
    CAPTURE(bad);
    const Result<ServerUrl> url = parse_server_url(bad);
    REQUIRE_FALSE(url);
    CHECK(url.error().kind == ErrorKind::usage);
  }
}

}  // namespace
}  // namespace kinf
