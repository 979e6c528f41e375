// SPDX-License-Identifier: Apache-2.0
// Loading, parsing and merging kubeconfigs: what the golden vectors do not cover.
#include <doctest/doctest.h>

#include <string>

#include "fakes/temp_folder.h"
#include "kinf/client/kubeconfig.h"

using namespace kinf;
using kinf::test::TempFolder;

namespace {

std::string cluster_file(const std::string& current, const std::string& name,
                         const std::string& server) {
  return "current-context: " + current + "\nclusters:\n- name: " + name +
         "\n  cluster:\n    server: " + server + "\n";
}

std::string problem_of(const std::string& text) {
  const auto config = parse_kubeconfig(text, "f");
  return config ? "" : config.error().message;
}

}  // namespace

TEST_CASE("J39: of a list of kubeconfigs the first file wins per entry, missing ones are skipped") {
  const TempFolder folder;
  const std::string a = folder.write("a", cluster_file("\"\"", "shared", "https://a"));
  const std::string b = folder.write("b", cluster_file("from-b", "shared", "https://b") +
                                              "- name: own\n  cluster: {server: \"https://b2\"}\n");
  const auto files = load_kubeconfig_files({folder.path("gone"), "", a, b, a});
  REQUIRE(files.has_value());
  CHECK(files->config.clusters.at("shared").server == "https://a");
  CHECK(files->config.clusters.at("shared").origin == a);
  CHECK(files->config.clusters.at("own").server == "https://b2");
  CHECK(files->config.current_context == "from-b");
  CHECK(files->missing == std::vector<std::string>{folder.path("gone")});
  CHECK(files->any_found);
}

TEST_CASE("J39: with no file there the config is empty and the missing ones are named") {
  const TempFolder folder;
  const auto files = load_kubeconfig_files({folder.path("x"), folder.path("y"), folder.path("x")});
  REQUIRE(files.has_value());
  CHECK_FALSE(files->any_found);
  CHECK(files->missing == std::vector<std::string>{folder.path("x"), folder.path("y")});
  CHECK(files->config.clusters.empty());
}

TEST_CASE("J39: the file of --kubeconfig must exist") {
  const auto config = load_kubeconfig_file("/nonexistent/kubeconfig");
  REQUIRE_FALSE(config.has_value());
  CHECK(config.error().kind == ErrorKind::usage);
  CHECK(config.error().message == "stat /nonexistent/kubeconfig: no such file or directory");
}

TEST_CASE("J40: relative paths resolve against their own file's folder after merging") {
  const TempFolder folder;
  const std::string one = folder.write("one/config", R"(
clusters:
- name: c
  cluster: {certificate-authority: ../pki/./ca.crt}
)");
  const std::string two = folder.write("two/config", R"(
users:
- name: u
  user:
    client-certificate: c.crt
    client-key: /abs/c.key
    tokenFile: tokens/t
    exec: {command: bin/login}
- name: path
  user:
    exec: {command: login}
)");
  const auto files = load_kubeconfig_files({one, two});
  REQUIRE(files.has_value());
  const Kubeconfig& config = files->config;
  CHECK(config.clusters.at("c").ca_file == folder.path("pki/ca.crt"));
  CHECK(config.users.at("u").cert_file == folder.path("two/c.crt"));
  CHECK(config.users.at("u").key_file == "/abs/c.key");
  CHECK(config.users.at("u").token_file == folder.path("two/tokens/t"));
  CHECK(config.users.at("u").exec->command == folder.path("two/bin/login"));
  CHECK(config.users.at("path").exec->command == "login");
}

TEST_CASE("J41: a folder or garbage as kubeconfig is an error that names the file") {
  const TempFolder folder;
  const auto as_folder = load_kubeconfig_file(folder.path());
  REQUIRE_FALSE(as_folder.has_value());
  CHECK(as_folder.error().message == "error loading config file \"" + folder.path() + "\": read " +
                                         folder.path() + ": is a directory");
  const std::string bad = folder.write("bad", "clusters: [");
  const std::string worse = folder.write("worse", "- just\n- a list\n");
  const auto both = load_kubeconfig_files({bad, worse});
  REQUIRE_FALSE(both.has_value());
  const std::string& message = both.error().message;
  CHECK(message.starts_with("[error loading config file \"" + bad + "\": yaml: line "));
  CHECK(message.find("error loading config file \"" + worse +
                     "\": kubeconfig: expected a map, got a list]") != std::string::npos);
}

TEST_CASE("J42: a name twice in one list of one file is an error") {
  for (const char* list : {"clusters", "users", "contexts", "extensions"}) {
    CAPTURE(list);
    const std::string text = std::string(list) + ": [{name: twice}, {name: other}, {name: twice}]";
    CHECK(problem_of(text).find("duplicate name \"twice\" in list") == 0);
  }
  CHECK(problem_of("clusters: [{name: a, cluster: {extensions: [{name: e}, {name: e}]}}]") != "");
  CHECK(problem_of("preferences: {extensions: [{name: e}, {name: e}]}") != "");
}

TEST_CASE("J43: empty text, comments and empty maps are an empty config") {
  for (const char* text : {"", "# nothing", "---\n", "{}", "clusters:\nusers: ~\ncontexts: []\n",
                           "kind: Config\napiVersion: v1\npreferences: {}\n"}) {
    CAPTURE(text);
    const auto config = parse_kubeconfig(text, "f");
    REQUIRE(config.has_value());
    CHECK(config->clusters.empty());
  }
}

TEST_CASE("wrong types are errors that name the place, never the value") {
  const auto config = parse_kubeconfig("users: [{name: u, user: {token: 12345}}]", "f");
  REQUIRE_FALSE(config.has_value());
  CHECK(config.error().message == "users[0].user.token: expected a string, got a number");
  CHECK(config.error().hint == "put the value of users[0].user.token in quotes");
  CHECK(problem_of("clusters: {a: b}") == "clusters: expected a list, got a map");
  CHECK(problem_of("users: [{name: u, user: [s3cret]}]") ==
        "users[0].user: expected a map, got a list");
  CHECK(problem_of("clusters: [{name: c, cluster: {insecure-skip-tls-verify: \"yes\"}}]") ==
        "clusters[0].cluster.insecure-skip-tls-verify: expected a boolean, got a string");
  CHECK(problem_of("users: [{name: u, user: {client-key-data: s3cret!}}]") ==
        "users[0].user.client-key-data: illegal base64 data");
  CHECK(problem_of("users: [{name: u, user: {as-user-extra: {k: v}}}]") ==
        "users[0].user.as-user-extra.k: expected a list, got a string");
  CHECK(problem_of("kind: List") ==
        "not a kubeconfig: kind \"List\", apiVersion \"v1\", want Config and v1");
}

TEST_CASE("base64 data may span several lines") {
  const auto config = parse_kubeconfig(
      "clusters: [{name: c, cluster: {certificate-authority-data: \"Q0Et\\nODgx\\r\\nMw==\"}}]",
      "f");
  REQUIRE(config.has_value());
  CHECK(config->clusters.at("c").ca_data == "CA-8813");
}

TEST_CASE("anchors, aliases and merge keys work") {
  const auto config = parse_kubeconfig(R"(
base: &base {server: https://base, tls-server-name: sni}
clusters:
- {name: a, cluster: *base}
- name: b
  cluster: {<<: *base, server: https://b}
)",
                                       "f");
  REQUIRE(config.has_value());
  CHECK(config->clusters.at("a").server == "https://base");
  CHECK(config->clusters.at("b").server == "https://b");
  CHECK(config->clusters.at("b").tls_server_name == "sni");
}

TEST_CASE("the list of $KUBECONFIG is split at colons") {
  CHECK(split_path_list("").empty());
  CHECK(split_path_list("a:/b c") == std::vector<std::string>{"a", "/b c"});
  CHECK(split_path_list(":a:").front().empty());
}

TEST_CASE("hostile YAML is an error, without delay") {
  std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) bomb += before + (j < 9 ? "," : "]\n");
  }
  CHECK(problem_of(bomb).find("the document is too large") != std::string::npos);
  CHECK(problem_of("a: &a [*a]").find("an alias inside the value that it refers to") != std::string::npos);
  CHECK(problem_of("a: &a {b: *a}").find("an alias inside") != std::string::npos);
  CHECK(problem_of(std::string(100'000, '[')) != "");
  CHECK(problem_of(std::string(100'000, '{')) != "");
  std::string dashes;
  for (int i = 0; i < 20'000; ++i) dashes += "- ";
  CHECK(problem_of(dashes) != "");
  CHECK(problem_of("a: &a {x: \xf3}\nb: *a").find("line 1: invalid trailing UTF-8 octet") !=
        std::string::npos);
  CHECK(problem_of("a: !!binary //4=").find("illegal base64 data") != std::string::npos);
  CHECK(problem_of("? [a]\n: b") != "");
  CHECK(problem_of("<<: 5") != "");
  CHECK(problem_of("a: *nowhere") != "");
  CHECK(problem_of("[" + std::string(600'000, ',')) != "");
}
