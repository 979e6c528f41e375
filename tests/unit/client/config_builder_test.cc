// SPDX-License-Identifier: Apache-2.0
// Building a ClientConfig from entries and flags: what the golden vectors do not cover.
#include "kinf/client/config_builder.h"
#include "kinf/base/url.h"
#include "kinf/client/config_choice.h"

#include <doctest/doctest.h>

#include "fakes/temp_folder.h"
#include "kinf/base/visible_text.h"
#include "kinf/client/client_config.h"

using namespace kinf;
using kinf::test::TempFolder;
using namespace std::chrono_literals;

namespace {

/// One context `ctx` of cluster `c` and user `u`.
Kubeconfig one_context() {
  Kubeconfig config;
  config.current_context = "ctx";
  config.clusters["c"].server = "https://h:6443";
  config.clusters["c"].origin = "/home/x/.kube/config";
  config.users["u"];
  config.contexts["ctx"] = {"c", "u", "", "/home/x/.kube/config"};
  return config;
}

ExecConfig exec_plugin() {
  ExecConfig exec;
  exec.command = "x";
  exec.api_version = "v1";
  return exec;
}

std::string problem_of(const Kubeconfig& config, const ConfigOverrides& flags = {}) {
  const auto built = build_client_config(config, flags);
  return built ? "" : built.error().message;
}

}  // namespace

TEST_CASE("J44: a flag about verifying the server replaces all that the file says about it") {
  Kubeconfig config = one_context();
  config.clusters["c"].ca_data = "CA";
  ConfigOverrides flags;
  flags.insecure = true;
  auto built = build_client_config(config, flags);
  REQUIRE(built.has_value());
  CHECK(built->tls.insecure);
  CHECK(built->tls.ca_data.empty());

  const TempFolder folder;
  flags = {};
  flags.ca_file = folder.write("ca", "x");
  config.clusters["c"].insecure = true;
  built = build_client_config(config, flags);
  REQUIRE(built.has_value());
  CHECK_FALSE(built->tls.insecure);
  CHECK(built->tls.ca_data.empty());
  CHECK(built->tls.ca_file == flags.ca_file);
}

TEST_CASE("J44: certificate and key flags replace the data of the file") {
  const TempFolder folder;
  Kubeconfig config = one_context();
  config.users["u"].cert_data = "C";
  config.users["u"].key_data = "K";
  ConfigOverrides flags;
  flags.client_cert = folder.write("c", "x");
  flags.client_key = folder.write("k", "x");
  const auto built = build_client_config(config, flags);
  REQUIRE(built.has_value());
  CHECK(built->tls.cert_file == flags.client_cert);
  CHECK(built->tls.cert_data.empty());
  CHECK(built->tls.key_data.empty());
}

TEST_CASE("J25: --server clears the file's tls-server-name") {
  Kubeconfig config = one_context();
  config.clusters["c"].tls_server_name = "sni";
  ConfigOverrides flags;
  flags.server = "https://other";
  CHECK(build_client_config(config, flags)->tls.server_name.empty());
  flags.tls_server_name = "flag";
  CHECK(build_client_config(config, flags)->tls.server_name == "flag");
}

TEST_CASE("J45: a token wins over its file, and the file is kept") {
  const TempFolder folder;
  Kubeconfig config = one_context();
  config.users["u"].token_file = folder.path("gone");
  CHECK(problem_of(config) == "open " + folder.path("gone") + ": no such file or directory");
  config.users["u"].token = "T";
  const auto built = build_client_config(config, {});
  REQUIRE(built.has_value());
  CHECK(built->token == "T");
  CHECK(built->token_file == folder.path("gone"));
}

TEST_CASE("J46: a missing name given by flag is an error that lists the existing ones") {
  ConfigOverrides flags;
  flags.context = "prod";
  auto built = build_client_config(one_context(), flags);
  REQUIRE_FALSE(built.has_value());
  CHECK(built.error().message == "context \"prod\" does not exist");
  CHECK(built.error().hint == "contexts: ctx");
  flags.context = "tcx";
  CHECK(build_client_config(one_context(), flags).error().hint ==
        "did you mean ctx?  contexts: ctx");
  flags.context = "prod";
  flags.user = "me";
  CHECK(problem_of(one_context(), flags) == "auth info \"me\" does not exist");
  flags = {};
  flags.cluster = "x";
  CHECK(problem_of(one_context(), flags) == "cluster \"x\" does not exist");
  Kubeconfig config = one_context();
  config.current_context = "gone";
  CHECK(problem_of(config) ==
        "invalid configuration: [context was not found for specified context: gone, cluster has "
        "no server defined]");
}

TEST_CASE("J47: all problems are reported at once, in a fixed order") {
  Kubeconfig config = one_context();
  KubeUser& user = config.users["u"];
  user.token = "t";
  user.username = "n";
  user.impersonate.extra["k"] = {"v"};
  user.exec.emplace().env = {{"", "v"}};
  user.exec->interactive_mode.clear();
  user.cert_data = "C";
  config.clusters["c"].server = "";
  CHECK(problem_of(config) ==
        "invalid configuration: ["
        "client-key-data or client-key must be specified for u to use the clientCert "
        "authentication method., "
        "command must be specified for u to use exec authentication plugin, "
        "apiVersion must be specified for u to use exec authentication plugin, "
        "env variable name must be specified for u to use exec authentication plugin, "
        "interactiveMode must be specified for u to use exec authentication plugin, "
        "more than one authentication method found for u; found [token basicAuth], only one is "
        "allowed, "
        "requesting uid, groups or user-extra for u without impersonating a user, "
        "no server found for cluster \"c\"]");
}

TEST_CASE("J47: a cluster from flags without a server is not an empty configuration") {
  ConfigOverrides flags;
  CHECK(is_empty_config(build_client_config({}, flags).error()));
  CHECK(build_client_config({}, flags).error().hint != "");
  flags.insecure = true;
  CHECK(problem_of({}, flags) == "invalid configuration: default cluster has no server defined");
}

TEST_CASE("J38: only impersonation is sent to a server without https") {
  Kubeconfig config = one_context();
  config.users["u"].token = "t";
  config.users["u"].impersonate.user = "jane";
  config.users["u"].exec = exec_plugin();
  for (const char* server : {"http://h", "h:6443", "ws://h"}) {
    CAPTURE(server);
    config.clusters["c"].server = server;
    const auto built = build_client_config(config, {});
    REQUIRE(built.has_value());
    CHECK(built->token.empty());
    CHECK_FALSE(built->exec.has_value());
    CHECK(built->impersonate.user == "jane");
  }
}

TEST_CASE("a configuration says where it comes from") {
  const auto built = build_client_config(one_context(), {});
  REQUIRE(built.has_value());
  CHECK(describe_origin(*built) == "context \"ctx\", /home/x/.kube/config");
  CHECK(built->contexts == std::vector<std::string>{"ctx"});
  CHECK(built->cluster == "c");
  CHECK(built->user == "u");
  ConfigOverrides flags;
  flags.server = "https://h";
  CHECK(describe_origin(*build_client_config({}, flags)) == "--server");
}

TEST_CASE("the namespace comes from the flag, the context, or is default, with its origin") {
  Kubeconfig config = one_context();
  CHECK(build_client_config(config, {})->namespace_origin == NamespaceOrigin::built_in);
  config.contexts["ctx"].name_space = "shop";
  CHECK(build_client_config(config, {})->default_namespace == "shop");
  CHECK(build_client_config(config, {})->namespace_origin == NamespaceOrigin::context);
  ConfigOverrides flags;
  flags.name_space = "flag";
  CHECK(build_client_config(config, flags)->default_namespace == "flag");
}

TEST_CASE("time-outs are seconds or Go durations, never negative") {
  CHECK(*parse_timeout("0") == 0ns);
  CHECK(*parse_timeout("7") == 7s);
  CHECK(*parse_timeout("1m30s") == 90s);
  CHECK(*parse_timeout("100us") == 100us);
  for (const char* text : {"", "-5", "-5s", "5x", "99999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_timeout(text).has_value());
  }
}

TEST_CASE("proxy URLs are valid if they are for Go") {
  for (const char* good : {"http://h", "socks5://u:p@h:1", "https://[::1]:8/x", "http:opaque",
                           "http://[fe80::1%25eth0]:1", "HTTP://h", "http://h:"}) {
    CAPTURE(good);
    CHECK(check_proxy_url(good).has_value());
  }
  for (const char* bad : {"://x", "http://h:x", "http://[::1", "http://a b", "1.2.3.4:80",
                          "http://h/%zz", "http://h\r\n", "http://%u@h"}) {
    CAPTURE(bad);
    REQUIRE_FALSE(check_proxy_url(bad).has_value());
    CHECK(check_proxy_url(bad).error().message == "could not parse: " + without_secrets(bad));
  }
  for (const char* with_password : {"http://u:secret@[bad", "http://u:secret%zz@h:1",
                                    "ftp://u:secret@h", "u:secret@h:1", "http://u:se@cret@[h"}) {
    CAPTURE(with_password);
    REQUIRE_FALSE(check_proxy_url(with_password).has_value());
    CHECK_FALSE(check_proxy_url(with_password).error().message.contains("cret"));  // A15
  }
  CHECK(check_proxy_url("h").error().message ==
        "unsupported scheme \"\", must be http, https, or socks5");
}

TEST_CASE("J50: install hints cannot steer the terminal") {
  CHECK(visible_text("run:\n\tbrew install \xc3\xa4\xe2\x82\xac") ==
        "run:\n\tbrew install \xc3\xa4\xe2\x82\xac");
  CHECK(visible_text("\x1b[1mbold") == "\\u001b[1mbold");
  CHECK(visible_text("\xc2\x9b"
                     "31m") == "\\u009b31m");
  CHECK(visible_text("a\xe2\x80\xae"
                     "b") == "a\\u202eb");
  CHECK(visible_text("\xff\xc0\x80") == "���");
  CHECK(visible_text("\xed\xa0\x80") == "���");
  CHECK(visible_text(std::string_view("\0", 1)) == "\\u0000");
  Kubeconfig config = one_context();
  config.users["u"].exec = exec_plugin();
  config.users["u"].exec->install_hint = "\x1b]0;t\x07";
  CHECK(build_client_config(config, {})->exec->install_hint == "\\u001b]0;t\\u0007");
}
