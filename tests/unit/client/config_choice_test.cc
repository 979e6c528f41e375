// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/config_choice.h"

#include <doctest/doctest.h>

#include <mutex>

#include "fakes/temp_folder.h"
#include "kinf/base/log.h"
#include "kinf/client/kubeconfig.h"

using namespace kinf;
using kinf::test::TempFolder;

namespace {

std::string kubeconfig_of(const std::string& server, const std::string& name_space = "") {
  return "current-context: ctx\nclusters: [{name: c, cluster: {server: \"" + server +
         "\"}}]\nusers: [{name: u, user: {token: file-token}}]\ncontexts: [{name: ctx, context: "
         "{cluster: c, user: u, namespace: \"" +
         name_space + "\"}}]\n";
}

/// A home folder, a $KUBECONFIG file and a service account, each of which may be missing.
struct World {
  TempFolder folder;
  ConfigEnvironment environment;
  ConfigFlags flags;

  World() {
    environment.home = folder.path("home");
    environment.in_cluster.account_folder = folder.path("account");
  }
  void add_home(const std::string& text = kubeconfig_of("https://home")) {
    folder.write("home/.kube/config", text);
  }
  void add_variable(const std::string& text = kubeconfig_of("https://variable")) {
    environment.kubeconfig = folder.write("variable", text);
  }
  void add_flag(const std::string& text = kubeconfig_of("https://flag")) {
    flags.kubeconfig = folder.write("flag", text);
  }
  void add_pod() {
    environment.in_cluster.service_host = "10.0.0.1";
    environment.in_cluster.service_port = "443";
    folder.write("account/token", "pod-token\n");
    folder.write("account/ca.crt", "CA");
    folder.write("account/namespace", "pod-ns\n");
  }
  Result<ClientConfig> choose() const { return choose_client_config(environment, flags); }
  /// The server chosen, or the error.
  std::string server() const {
    const auto config = choose();
    return config ? config->host : "error: " + config.error().message;
  }
};

const std::string kEmpty =
    "error: invalid configuration: no configuration has been provided, try setting "
    "KUBERNETES_MASTER environment variable";

/// Captures the log for the test.
class LogCapture {
 public:
  LogCapture() {
    log::set_sink([this](std::string_view line) { text_ += std::string(line) + "\n"; });
  }
  ~LogCapture() { log::set_sink({}); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

TEST_CASE("J48: flag, then $KUBECONFIG, then the pod, then the file at home") {
  struct Row {
    bool flag, variable, pod, home;
    const char* server;
  };
  constexpr const char* kPod = "https://10.0.0.1:443";
  for (const Row& row :
       {Row{true, true, true, true, "https://flag"},
        Row{false, true, true, true, "https://variable"},
        Row{false, true, false, true, "https://variable"}, Row{false, false, true, true, kPod},
        Row{false, false, true, false, kPod}, Row{false, false, false, true, "https://home"},
        Row{true, false, true, false, "https://flag"},
        Row{false, false, false, false, kEmpty.c_str()}}) {
    World world;
    if (row.flag) world.add_flag();
    if (row.variable) world.add_variable();
    if (row.pod) world.add_pod();
    if (row.home) world.add_home();
    CHECK(world.server() == row.server);
  }
}

TEST_CASE("J48: if $KUBECONFIG configures nothing, the pod is used, never the file at home") {
  World world;
  world.add_home();
  world.add_variable("");
  CHECK(world.server() == kEmpty);
  world.add_pod();
  CHECK(world.server() == "https://10.0.0.1:443");
  world.add_variable("clusters: [");
  CHECK(world.server().starts_with("error: error loading config file"));
}

TEST_CASE("J48: an explicit choice always wins over the pod") {
  World world;
  world.add_pod();
  world.add_flag("");
  CHECK(world.server() == kEmpty);

  World home;
  home.add_pod();
  home.add_home();
  home.flags.overrides.context = "ctx";
  CHECK(home.server() == "https://home");
  home.flags.overrides = {};
  home.flags.overrides.server = "https://named";
  CHECK(home.server() == "https://named");
  CHECK(home.choose()->token == "file-token");
  home.flags.overrides = {};
  home.flags.overrides.user = "gone";
  CHECK(home.server() == "error: auth info \"gone\" does not exist");
}

TEST_CASE("J48: a pod has both variables and a token file") {
  World world;
  world.add_pod();
  CHECK(is_in_cluster(world.environment.in_cluster));
  World no_port;
  no_port.add_pod();
  no_port.environment.in_cluster.service_port = "";
  CHECK(no_port.server() == kEmpty);
  World no_token;
  no_token.add_pod();
  no_token.folder.remove("account/token");
  CHECK(no_token.server() == kEmpty);
  std::filesystem::create_directory(no_token.folder.path("account/token"));
  CHECK(no_token.server() == kEmpty);
}

TEST_CASE("J48: --in-cluster accepts only the pod") {
  World world;
  world.add_variable();
  world.flags.in_cluster = true;
  CHECK(world.server() ==
        "error: unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and "
        "KUBERNETES_SERVICE_PORT must be defined");
  world.add_pod();
  CHECK(world.server() == "https://10.0.0.1:443");
  world.flags.overrides.context = "ctx";
  CHECK(world.server() == "error: --in-cluster and --context cannot be used together");
}

TEST_CASE("J48: namespaces: flag, then the config's own, then the pod's, then default") {
  struct Row {
    const char* flag;
    const char* in_file;
    bool pod;
    const char* variable;
    const char* want;
    NamespaceOrigin origin;
  };
  using enum NamespaceOrigin;
  for (const Row& row :
       {Row{"f", "shop", true, "", "f", flag}, Row{"", "shop", true, "", "shop", context},
        Row{"", "default", true, "", "default", context},
        Row{"", "", true, "", "pod-ns", service_account},
        Row{"", "", true, "downward", "downward", service_account},
        Row{"", "shop", false, "", "shop", context}, Row{"", "", false, "", "default", built_in},
        Row{"", "", false, "downward", "default", built_in}}) {
    World world;
    world.add_variable(kubeconfig_of("https://variable", row.in_file));
    if (row.pod) world.add_pod();
    world.environment.in_cluster.pod_namespace = row.variable;
    world.flags.overrides.name_space = row.flag;
    const auto config = world.choose();
    REQUIRE(config.has_value());
    CHECK(config->default_namespace == row.want);
    CHECK(config->namespace_origin == row.origin);
  }
}

TEST_CASE("J48: in the pod itself: POD_NAMESPACE, then its file, then default") {
  World world;
  world.add_pod();
  CHECK(world.choose()->default_namespace == "pod-ns");
  world.environment.in_cluster.pod_namespace = "downward";
  CHECK(world.choose()->default_namespace == "downward");
  world.environment.in_cluster.pod_namespace = "";
  world.folder.write("account/namespace", " \n");
  CHECK(world.choose()->default_namespace == "default");
  CHECK(world.choose()->namespace_origin == NamespaceOrigin::built_in);
  world.flags.overrides.name_space = "flag";
  CHECK(world.choose()->default_namespace == "flag");
}

TEST_CASE("a pod's config: its server, its CA, its token file") {
  World world;
  world.add_pod();
  world.environment.in_cluster.service_host = "fd00::1";
  const auto config = world.choose();
  REQUIRE(config.has_value());
  CHECK(config->host == "https://[fd00::1]:443");
  CHECK(config->tls.ca_file == world.folder.path("account/ca.crt"));
  CHECK(config->token_file == world.folder.path("account/token"));
  CHECK(describe_origin(*config) == "in-cluster");
}

TEST_CASE("a pod without a CA file trusts the system's CAs, with a warning") {
  const LogCapture log;
  World world;
  world.add_pod();
  world.folder.remove("account/ca.crt");
  CHECK(world.choose()->tls.ca_file.empty());
  CHECK(log.text().find("no such file or directory") != std::string::npos);
}

TEST_CASE("J49: flags override the pod's configuration; a token replaces token and file") {
  World world;
  world.add_pod();
  world.flags.overrides.token = "mine";
  auto config = world.choose();
  REQUIRE(config.has_value());
  CHECK(config->token == "mine");
  CHECK(config->token_file.empty());
  world.flags.in_cluster = true;
  world.flags.overrides = {};
  world.flags.overrides.server = "https://other";
  world.flags.overrides.ca_file = world.folder.write("ca", "x");
  config = world.choose();
  REQUIRE(config.has_value());
  CHECK(config->host == "https://other");
  CHECK(config->tls.ca_file == world.folder.path("ca"));
  CHECK(config->token_file == world.folder.path("account/token"));
  world.flags.overrides.server = "http://other";
  CHECK(world.choose()->token_file.empty());
}

TEST_CASE("J39: missing files of $KUBECONFIG are logged if none exists") {
  const LogCapture log;
  World world;
  world.environment.kubeconfig = world.folder.path("x") + ":" + world.folder.path("y");
  CHECK(world.server() == kEmpty);
  CHECK(log.text() ==
        "Config not found: " + world.folder.path("x") + ", " + world.folder.path("y") + "\n");
}

TEST_CASE("a file at home is shown with a tilde") {
  World world;
  world.add_home();
  CHECK(describe_origin(*world.choose()) == "context \"ctx\", ~/.kube/config");
}

TEST_CASE("choose_kubeconfig() returns the contexts for completion") {
  World world;
  world.add_home();
  CHECK(choose_kubeconfig(world.environment, world.flags)->contexts.contains("ctx"));
  world.add_pod();
  CHECK(choose_kubeconfig(world.environment, world.flags)->contexts.empty());
}

TEST_CASE("A16: a user whom nothing identifies is refused where kubectl asks for a name") {
  const auto outcome = [](const std::string& user, const std::string& token_flag = "",
                          const std::string& server = "https://h") {
    World world;
    world.add_flag("current-context: ctx\nclusters: [{name: c, cluster: {server: \"" + server +
                   "\"}}]\nusers: [{name: known, user: {" + user +
                   "}}]\ncontexts: [{name: ctx, context: {cluster: c, user: " +
                   (user == "missing" ? "knwon" : "known") + "}}]\n");
    world.flags.overrides.token = token_flag;
    const auto config = world.choose();
    return config ? "" : config.error().message + "; " + config.error().hint;
  };
  CHECK(outcome("missing") ==
        "user \"knwon\" was not found for context \"ctx\"; did you mean known?  users: known");
  CHECK(outcome("password: secret") ==
        "user \"known\" has a password, but no username; set users[].user.username, or use "
        "--token");
  const std::string empty =
      "the token of user \"known\" is empty; set users[].user.token, or use --token";
  CHECK(outcome("token: null") == empty);
  CHECK(outcome("token: ~") == empty);
  CHECK(outcome("token: \"\"") == empty);

  // Anonymous by intent, identified by something else, or a server that gets no credentials.
  CHECK(outcome("").empty());
  CHECK(outcome("username: joe").empty());
  CHECK(outcome("token: null, username: joe").empty());
  CHECK(outcome("token: null", "flag").empty());
  CHECK(outcome("missing", "flag").empty());
  CHECK(outcome("missing", "", "http://h").empty());
}
