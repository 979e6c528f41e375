// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/runtime/environment.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

#include "unit/cli/runtime/captured_stream.h"

namespace kinf {
namespace {

/// Sets variables; the destructor restores them. A null value removes the variable.
class Variables {
 public:
  Variables(std::initializer_list<std::pair<const char*, const char*>> values) {
    for (const auto& [name, value] : values) {
      const char* const before = ::getenv(name);
      before_.emplace_back(name,
                           before == nullptr ? std::nullopt : std::optional<std::string>(before));
      put(name, value);
    }
  }
  ~Variables() {
    std::ranges::reverse(before_);
    for (const auto& [name, value] : before_) put(name.c_str(), value ? value->c_str() : nullptr);
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  static void put(const char* name, const char* value) {
    if (value == nullptr) {
      ::unsetenv(name);
    } else {
      ::setenv(name, value, 1);
    }
  }
  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

TEST_CASE("variables go to the parts of kinf that use them") {
  const Variables variables = {{"KUBECONFIG", "/a:/b"},
                               {"HOME", "/home/dev"},
                               {"XDG_CACHE_HOME", "/cache"},
                               {"KUBERNETES_SERVICE_HOST", "10.0.0.1"},
                               {"KUBERNETES_SERVICE_PORT", "443"}};
  const Environment environment = read_environment();
  CHECK(environment.config.kubeconfig == "/a:/b");
  CHECK(environment.config.home == "/home/dev");
  CHECK(environment.cache_home == "/cache");
  CHECK(environment.config.in_cluster.service_host == "10.0.0.1");
  CHECK(environment.config.in_cluster.service_port == "443");
}

TEST_CASE("missing variables are empty") {
  const Variables variables = {
      {"KUBECONFIG", nullptr}, {"XDG_CACHE_HOME", nullptr}, {"KUBERNETES_SERVICE_HOST", nullptr}};
  const Environment environment = read_environment();
  CHECK(environment.config.kubeconfig.empty());
  CHECK(environment.cache_home.empty());
  CHECK(environment.config.in_cluster.service_host.empty());
}

TEST_CASE("programs that kinf starts get every variable") {
  const Variables variables = {{"KINF_TEST_A", "1"}, {"KINF_TEST_B", "x=y"}};
  const std::vector<std::string> all = read_environment().all;
  CHECK(std::ranges::count(all, "KINF_TEST_A=1") == 1);
  CHECK(std::ranges::count(all, "KINF_TEST_B=x=y") == 1);
}

TEST_CASE("a lower-case proxy variable is used only if the upper-case one is not set") {
  const Variables none = {{"HTTPS_PROXY", nullptr}, {"https_proxy", nullptr},
                          {"HTTP_PROXY", nullptr},  {"http_proxy", nullptr},
                          {"NO_PROXY", nullptr},    {"no_proxy", nullptr}};
  {
    const Variables lower = {
        {"https_proxy", "http://s"}, {"http_proxy", "http://h"}, {"no_proxy", "local"}};
    const ProxyEnvironment proxies = read_environment().proxies;
    CHECK(proxies.https_proxy == "http://s");
    CHECK(proxies.http_proxy == "http://h");
    CHECK(proxies.no_proxy == "local");
    const Variables upper = {
        {"HTTPS_PROXY", "http://S"}, {"HTTP_PROXY", "http://H"}, {"NO_PROXY", "all"}};
    const ProxyEnvironment both = read_environment().proxies;
    CHECK(both.https_proxy == "http://S");
    CHECK(both.http_proxy == "http://H");
    CHECK(both.no_proxy == "all");
  }
  CHECK(read_environment().proxies.https_proxy.empty());
}

TEST_CASE("colour is chosen by NO_COLOR, CLICOLOR_FORCE and TERM") {
  struct Case {
    const char* no_color;
    const char* force;
    const char* term;
    bool no_colour;
    bool force_colour;
    bool dumb;
  };
  for (const Case& one : {Case{nullptr, nullptr, "xterm", false, false, false},
                          Case{"1", nullptr, "xterm", true, false, false},
                          Case{"", nullptr, nullptr, false, false, false},
                          Case{nullptr, "1", "xterm", false, true, false},
                          Case{nullptr, "0", "xterm", false, false, false},
                          Case{nullptr, "", "dumb", false, false, true}}) {
    const Variables variables = {
        {"NO_COLOR", one.no_color}, {"CLICOLOR_FORCE", one.force}, {"TERM", one.term}};
    const Environment environment = read_environment();
    CHECK(environment.no_colour == one.no_colour);
    CHECK(environment.force_colour == one.force_colour);
    CHECK(environment.dumb_terminal == one.dumb);
  }
}

TEST_CASE("a pipe is not a terminal") {
  Environment environment;
  environment.stdout_is_terminal = environment.stderr_is_terminal = true;
  test::captured(STDOUT_FILENO,
                 [&] { test::captured(STDERR_FILENO, [&] { environment = read_environment(); }); });
  CHECK_FALSE(environment.stdout_is_terminal);
  CHECK_FALSE(environment.stderr_is_terminal);
}

}  // namespace
}  // namespace kinf
