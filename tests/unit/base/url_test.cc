// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/url.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

TEST_CASE("J1: a URL is split into its parts") {
  const Url url = parse_url("HTTPS://10.0.0.1:6443/k8s/clusters/c-1?a=b#c").value();
  CHECK(url == Url{"https", "10.0.0.1", "6443", "/k8s/clusters/c-1"});
  CHECK(url.origin() == "https://10.0.0.1:6443");
  CHECK(url.effective_port() == 6443);
  CHECK(parse_url("http:opaque") == Url{"http", "", "", "opaque"});
  CHECK(parse_url("a/b") == Url{"", "", "", "a/b"});
}

TEST_CASE("J1: the port of the scheme is the default, IPv6 keeps its brackets") {
  CHECK(parse_url("http://example.test")->effective_port() == 80);
  CHECK(parse_url("https://example.test")->effective_port() == 443);
  const Url v6 = parse_url("https://[::1]:6443").value();
  CHECK(v6.host == "::1");
  CHECK(v6.origin() == "https://[::1]:6443");
  CHECK(join_host_port(v6.host, "") == "[::1]");
  CHECK_FALSE(split_host_port("[::1]::6443"));
}

TEST_CASE("a user name and password are dropped") {
  CHECK(parse_url("https://me:secret@example.test")->origin() == "https://example.test");
  CHECK(without_secrets("https://me:secret@exa mple.test") == "https://exa mple.test");
  CHECK(without_secrets("https://example.test") == "https://example.test");
  CHECK(without_secrets("me:secret@example.test:1") == "example.test:1");
  CHECK(without_secrets("//me:secret@example.test") == "example.test");
}

TEST_CASE("a password is dropped whatever it contains") {
  for (const char* text : {"me:secret://x@h:1", "me:se://cret@h:1", "me:secret?a@h:1",
                           "me:se#cret@h:1", "1http://secret@h:1"}) {
    CAPTURE(text);
    CHECK(without_secrets(text) == "h:1");
  }
  CHECK(without_secrets("HTTP+x://me:se://cret?x@h:1/p") == "HTTP+x://h:1/p");
}

TEST_CASE("query and fragment are dropped") {
  CHECK(without_secrets("http://h:1/p?token=secret#x") == "http://h:1/p");
  CHECK(without_secrets("http://h:1/p#secret?x") == "http://h:1/p");
  CHECK(without_secrets("http://me@h?secret") == "http://h");
}

TEST_CASE("text that is not a URL is refused") {
  for (const char* bad :
       {"https://a:b", "https://[::1", "https://[::1]6443", "http://a b", "http://a/b\nc",
        "http://::1:80", ":a", "1:2", "http://h/%zz", "http://[[b]"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_url(bad).has_value());
  }
}

}  // namespace
}  // namespace kinf
