// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/proxy.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

Url server(const char* url) { return parse_url(url).value(); }

TEST_CASE("J20: the proxy of the kubeconfig wins, else the environment decides by scheme") {
  const ProxyEnvironment environment{"http://secure:1", "http://plain:2", ""};
  CHECK(choose_proxy(server("https://k.test"), "socks5://s:3", environment).value() ==
        "socks5h://s:3");
  CHECK(choose_proxy(server("https://k.test"), "", environment).value() == "http://secure:1");
  CHECK(choose_proxy(server("http://k.test"), "", environment).value() == "http://plain:2");
  CHECK(choose_proxy(server("https://k.test"), "", {}).value().empty());
  CHECK(choose_proxy(server("https://k.test"), "", {"proxy:3128", "", ""}).value() ==
        "http://proxy:3128");
}

TEST_CASE("J20: another proxy scheme is refused") {
  const Result<std::string> proxy = choose_proxy(server("https://k.test"), "ftp://p", {});
  REQUIRE_FALSE(proxy);
  CHECK(proxy.error().kind == ErrorKind::usage);
  CHECK(proxy.error().message.find("\"ftp\"") != std::string::npos);
  CHECK_FALSE(choose_proxy(server("https://k.test"), "p:80", {}));
}

TEST_CASE("J20: NO_PROXY matches names, addresses, blocks and ports") {
  struct Row {
    const char* url;
    const char* no_proxy;
    bool bypassed;
  };
  for (const Row& row : {
           Row{"https://k.test", "*", true},
           Row{"https://k.test", "a, K.test ,b", true},
           Row{"https://api.k.test", "k.test", true},
           Row{"https://apik.test", "k.test", false},
           Row{"https://api.k.test", ".k.test", true},
           Row{"https://k.test", ".k.test", false},
           Row{"https://api.k.test", "*.k.test", true},
           Row{"https://10.1.2.3:6443", "10.0.0.0/8", true},
           Row{"https://11.1.2.3:6443", "10.0.0.0/8", false},
           Row{"https://11.1.2.3", "0.0.0.0/0", true},
           Row{"https://[fd00::1]", "fd00::/8", true},
           Row{"https://10.1.2.3", "fd00::/8", false},
           Row{"https://10.1.2.3", "10.1.2.3", true},
           Row{"https://10.1.2.3", "10.1.2.0/33", false},
           Row{"https://k.test:6443", "k.test:6443", true},
           Row{"https://k.test:6443", "k.test:443", false},
           Row{"https://[fd00::1]:6443", "[fd00::1]:6443", true},
           Row{"https://127.0.0.1:6443", "", true},
           Row{"https://localhost", "", true},
           Row{"https://[::1]", "", true},
           Row{"https://k.test", ",, ,", false},
       }) {
    CAPTURE(row.url);
    CAPTURE(row.no_proxy);
    CHECK(bypasses_proxy(server(row.url), row.no_proxy) == row.bypassed);
  }
}

}  // namespace
}  // namespace kinf
