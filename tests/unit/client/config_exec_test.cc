// SPDX-License-Identifier: Apache-2.0
// Exec plugins, as shell scripts: the cases of client-go's exec tests that apply to kinf.
#include <doctest/doctest.h>
#include <signal.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "fakes/fake_clock.h"
#include "fakes/temp_folder.h"
#include "kinf/base/log.h"
#include "kinf/client/credentials.h"
#include "kinf/client/exec_credential.h"

using namespace kinf;
using kinf::test::FakeClock;
using kinf::test::TempFolder;
using namespace std::chrono_literals;

namespace {

constexpr const char* kV1 = "client.authentication.k8s.io/v1";
constexpr const char* kBeta = "client.authentication.k8s.io/v1beta1";
const std::string kCert = "-----BEGIN CERTIFICATE-----\\nQQ==\\n-----END CERTIFICATE-----\\n";
const std::string kKey = "-----BEGIN PRIVATE KEY-----\\nQQ==\\n-----END PRIVATE KEY-----\\n";

std::string answer(const std::string& status, const std::string& version = kV1) {
  return R"({"kind":"ExecCredential","apiVersion":")" + version + R"(","status":)" + status + "}";
}

std::string print(const std::string& text) { return "cat <<'END'\n" + text + "\nEND"; }

/// A clock that jumps at each reading, so that every deadline passes without waiting.
class LeapingClock final : public Clock {
 public:
  Mono now() const override { return Mono{looks_++ * 1min}; }
  Wall wall() const override { return Wall{}; }
  void wait_until(CondVar&, Mutex&, Mono, const std::stop_token&) override {}

 private:
  mutable std::atomic<int> looks_ = 0;
};

/// A plugin that counts its runs in the file `runs`.
struct Plugin {
  TempFolder folder;
  FakeClock clock;
  std::stop_source stop;
  ClientConfig config;
  CredentialOptions options;
  std::unique_ptr<CredentialSource> source;

  explicit Plugin(const std::string& body, const std::string& version = kV1) {
    config.host = "https://h:6443";
    config.exec.emplace();
    config.exec->command = set_body(body);
    config.exec->api_version = version;
    config.exec->interactive_mode = "Never";
    options.environment = {"PATH=/usr/bin:/bin"};
    options.stop = stop.get_token();
  }
  std::string set_body(const std::string& body) const {
    return folder.write_script("login", "echo run >> '" + folder.path("runs") + "'\n" + body);
  }
  CredentialSource& made() { return made_with(clock); }
  CredentialSource& made_with(Clock& other) {
    if (source == nullptr) {
      source = std::move(CredentialSource::create(config, options, other).value());
    }
    return *source;
  }
  /// The last header, or the error.
  std::string header() {
    const auto identity = made().identity();
    if (!identity) return "error: " + identity.error().message;
    return identity->headers.empty() ? "" : identity->headers.back();
  }
  std::size_t runs() const { return folder.read("runs").size() / 4; }
};

}  // namespace

TEST_CASE("J29: a plugin's token is sent, and the plugin runs once") {
  for (const char* version : {kV1, kBeta}) {
    Plugin plugin(print(answer(R"({"token":"tok"})", version)), version);
    CHECK(plugin.header() == "Authorization: Bearer tok");
    CHECK(plugin.header() == "Authorization: Bearer tok");
    CHECK(plugin.runs() == 1);
    CHECK(plugin.source->description() == "exec: login");
    CHECK_FALSE(plugin.source->expires_at().has_value());
  }
}

TEST_CASE("J29: a plugin may answer in YAML") {
  Plugin plugin(
      print("kind: ExecCredential\napiVersion: " + std::string(kV1) + "\nstatus:\n  token: tok"));
  CHECK(plugin.header() == "Authorization: Bearer tok");
}

TEST_CASE("A16: text after a JSON answer is an error, as in client-go") {
  const std::string one = answer(R"({"token":"tok"})");
  for (const std::string& after : {one, std::string("Logged in for 8 hours.")}) {
    CHECK(Plugin(print(one + "\n" + after)).header() ==
          "error: getting credentials: decoding stdout: not a single JSON document");
  }
  const std::string yaml = "kind: ExecCredential\napiVersion: " + std::string(kV1) + "\nstatus: ";
  CHECK(Plugin(print(yaml + "{token: tok}\n---\n" + yaml + "{token: other}")).header() ==
        "Authorization: Bearer tok");
}

TEST_CASE("J29: a plugin's certificate and key are used, with or without a token") {
  const std::string pair =
      R"("clientCertificateData":")" + kCert + R"(","clientKeyData":")" + kKey + R"(")";
  Plugin plugin(print(answer("{" + pair + "}")));
  auto identity = plugin.made().identity();
  REQUIRE(identity.has_value());
  CHECK(identity->headers.empty());
  CHECK(identity->cert_pem.starts_with("-----BEGIN CERTIFICATE-----\n"));
  CHECK(identity->key_pem.starts_with("-----BEGIN PRIVATE KEY-----\n"));
  Plugin both(print(answer("{\"token\":\"tok\"," + pair + "}")));
  identity = both.made().identity();
  CHECK(identity->headers.size() == 1);
  CHECK_FALSE(identity->cert_pem.empty());
}

TEST_CASE("J29: the plugin runs again after its credential has expired") {
  // The fake clock starts at 10:14:00.
  Plugin plugin(print(answer(R"({"token":"one","expirationTimestamp":"2026-11-21T10:15:00Z"})")));
  CHECK(plugin.header() == "Authorization: Bearer one");
  CHECK(plugin.source->expires_at() == FakeClock::kStart + 1min);
  plugin.set_body(print(answer(R"({"token":"two"})")));
  plugin.clock.advance(1min);
  CHECK(plugin.header() == "Authorization: Bearer one");
  plugin.clock.advance(1ns);
  CHECK(plugin.header() == "Authorization: Bearer two");
  plugin.clock.advance(24h);
  CHECK(plugin.header() == "Authorization: Bearer two");
  CHECK(plugin.runs() == 2);
}

TEST_CASE("J29: the plugin runs again once after a refusal, unless the credential was renewed") {
  Plugin plugin(print(answer(R"({"token":"one"})")));
  const auto first = plugin.made().identity();
  plugin.set_body(print(answer(R"({"token":"two"})")));
  plugin.source->invalidate(*first);
  CHECK(plugin.header() == "Authorization: Bearer two");
  plugin.source->invalidate(*first);
  CHECK(plugin.header() == "Authorization: Bearer two");
  CHECK(plugin.runs() == 2);
}

TEST_CASE("J29: invalid answers give client-go's messages") {
  struct Row {
    std::string output;
    std::string want;
  };
  const std::string group = "client.authentication.k8s.io/";
  for (const Row& row :
       {Row{answer(R"({"token":"t"})", kBeta), "exec plugin is configured to use API version " +
                                                   group + "v1, plugin returned version " + group +
                                                   "v1beta1"},
        Row{answer("null"), "exec plugin didn't return a status field"},
        Row{R"({"kind":"ExecCredential","apiVersion":")" + group + R"(v1"})",
            "exec plugin didn't return a status field"},
        Row{answer("{}"), "exec plugin didn't return a token or cert/key pair"},
        Row{answer(R"({"clientCertificateData":"c"})"),
            "exec plugin returned only certificate or key, not both"},
        Row{answer(R"({"clientKeyData":"k","token":"t"})"),
            "exec plugin returned only certificate or key, not both"},
        Row{answer(R"({"clientCertificateData":"c","clientKeyData":"k"})"),
            "failed parsing client key/certificate: not PEM"},
        Row{answer(R"({"token":12})"), "decoding stdout: a field of status is not a string"},
        Row{answer("[]"), "decoding stdout: status is not a map"},
        Row{answer(R"({"token":"t","expirationTimestamp":"soon"})"),
            "decoding stdout: expirationTimestamp is not a time"},
        Row{answer(R"({"token":"a\r\nX: y"})"),
            "exec plugin returned a token with control characters"},
        Row{R"({"kind":"Secret","apiVersion":"v1","status":{}})",
            "decoding stdout: kind Secret instead of ExecCredential"},
        Row{R"({"status":{"token":"t"}})", "decoding stdout: kind and apiVersion are missing"},
        Row{"", "decoding stdout: not an ExecCredential"},
        Row{"welcome!", "decoding stdout: not an ExecCredential"}}) {
    CAPTURE(row.output);
    Plugin plugin(print(row.output));
    CHECK(plugin.header() == "error: getting credentials: " + row.want);
    CHECK(plugin.source->identity().error().kind == ErrorKind::auth);
  }
}

TEST_CASE("J29: a failing plugin is an error with its exit code, and runs again next time") {
  Plugin plugin("exit 3");
  const std::string command = plugin.config.exec->command;
  const std::string prefix = "error: getting credentials: exec: executable " + command;
  CHECK(plugin.header() == prefix + " failed with exit code 3");
  plugin.set_body("kill -9 $$");
  CHECK(plugin.header() == prefix + " was killed by signal 9");
  plugin.set_body(print(answer(R"({"token":"tok"})")));
  CHECK(plugin.header() == "Authorization: Bearer tok");
  CHECK(plugin.runs() == 3);
}

TEST_CASE("J29: a missing plugin is an error with the install hint") {
  Plugin plugin("");
  plugin.config.exec->command = "no-such-plugin\x1b";
  plugin.config.exec->install_hint = "brew install it";
  auto failed = plugin.made().identity();
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().message ==
        "getting credentials: exec: executable no-such-plugin\\u001b not found");
  CHECK(failed.error().hint == "brew install it");
  Plugin by_path("");
  by_path.config.exec->command = by_path.folder.path("gone");
  failed = by_path.made().identity();
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().message.ends_with("/gone not found"));
  CHECK(failed.error().hint.find("install it") != std::string::npos);
}

TEST_CASE("J29: a plugin that cannot be run is an error that names it") {
  Plugin plugin("");
  plugin.config.exec->command = plugin.folder.write("text", "no program");
  const auto failed = plugin.made().identity();
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().kind == ErrorKind::auth);
  CHECK(failed.error().message.find("Permission denied") != std::string::npos);
}

TEST_CASE("J29: a bare command is looked up in PATH, not in its relative folders") {
  Plugin plugin(print(answer(R"({"token":"tok"})")));
  plugin.config.exec->command = "login";
  plugin.options.environment = {"PATH=.::relative:" + plugin.folder.path() + ":/usr/bin:/bin"};
  CHECK(plugin.header() == "Authorization: Bearer tok");
}

TEST_CASE("J29: an unknown version is refused before the plugin runs") {
  for (const char* version : {"client.authentication.k8s.io/v1alpha1", "v1", ""}) {
    Plugin plugin("", version);
    const auto source = CredentialSource::create(plugin.config, {}, plugin.clock);
    REQUIRE_FALSE(source.has_value());
    CHECK(source.error().message ==
          "exec plugin: invalid apiVersion \"" + std::string(version) + "\"");
  }
}

TEST_CASE("J29: a token, basic auth or certificate replaces the plugin") {
  Plugin plugin("exit 1");
  plugin.config.token = "given";
  CHECK(plugin.header() == "Authorization: Bearer given");
  Plugin certificate("exit 1");
  certificate.config.tls.cert_file = certificate.folder.write("c", "cert");
  certificate.config.tls.key_data = "key";
  Plugin password(print(answer(R"({"token":"tok"})")));
  password.config.password = "alone";
  CHECK(password.header() == "Authorization: Bearer tok");
  CHECK(certificate.header().empty());
  CHECK(certificate.source->description() == "client certificate");
  CHECK(plugin.runs() + certificate.runs() == 0);
}

TEST_CASE("J29: the plugin gets arguments and variables unchanged, without a shell") {
  Plugin plugin("printf '%s|' \"$@\" \"$A\" \"$B\" > \"$OUT\"\n" +
                print(answer(R"({"token":"t"})")));
  plugin.config.exec->args = {"a b", "$HOME", "'", ""};
  plugin.config.exec->env = {{"A", "from config"}, {"OUT", plugin.folder.path("out")}};
  plugin.options.environment.insert(plugin.options.environment.end(),
                                    {"A=from process", "B=inherited"});
  CHECK(plugin.header() == "Authorization: Bearer t");
  CHECK(plugin.folder.read("out") == "a b|$HOME|'||from config|inherited|");
}

TEST_CASE("J31: the plugin gets the cluster only if provideClusterInfo is set") {
  const std::string body =
      "printf '%s' \"$KUBERNETES_EXEC_INFO\" > \"$OUT\"\n" + print(answer(R"({"token":"t"})"));
  for (const bool wanted : {false, true}) {
    Plugin plugin(body);
    plugin.config.exec->env = {{"OUT", plugin.folder.path("out")}};
    plugin.config.exec->provide_cluster_info = wanted;
    plugin.config.exec->cluster_config = R"({"audience":"a"})";
    plugin.config.tls.ca_file = plugin.folder.write("ca", "CA");
    plugin.config.tls.server_name = "sni";
    CHECK(plugin.header() == "Authorization: Bearer t");
    nlohmann::json want = {
        {"kind", "ExecCredential"}, {"apiVersion", kV1}, {"spec", {{"interactive", false}}}};
    if (wanted) {
      want["spec"]["cluster"] = {{"server", "https://h:6443"},
                                 {"tls-server-name", "sni"},
                                 {"certificate-authority-data", "Q0E="},
                                 {"config", {{"audience", "a"}}}};
    }
    CHECK(nlohmann::json::parse(plugin.folder.read("out")) == want);
  }
}

TEST_CASE("J30: the plugin gets standard input only if its mode and the terminal allow") {
  Plugin never("cat > /dev/null\n" + print(answer(R"({"token":"t"})")));
  CHECK(never.header() == "Authorization: Bearer t");
  Plugin always("");
  always.config.exec->interactive_mode = "Always";
  const std::string prefix =
      "error: getting credentials: exec plugin cannot support interactive mode: ";
  CHECK(always.header() == prefix + "standard input is not a terminal");
  always.source.reset();
  always.options.stdin_is_terminal = true;
  always.options.stdin_taken = "it holds the objects";
  CHECK(always.header() == prefix + "standard input is unavailable: it holds the objects");
  CHECK(always.runs() == 0);
}

TEST_CASE("J34: a hanging plugin is killed after its time-out, with its children") {
  Plugin plugin("trap '' TERM\necho $$ > \"$OUT\"\nwhile :; do sleep 1000; done");
  plugin.config.exec->env = {{"OUT", plugin.folder.path("pid")}};
  LeapingClock clock;
  const auto failed = plugin.made_with(clock).identity();
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().kind == ErrorKind::auth);
  CHECK(failed.error().message.ends_with("timed out and was killed"));
  const std::string pid = plugin.folder.read("pid");
  if (!pid.empty()) CHECK(::kill(std::stoi(pid), 0) == -1);
}

TEST_CASE("A16: a plugin that takes long is reported once") {
  Plugin plugin("exec sleep 1000");
  std::vector<std::string> lines;
  log::set_sink([&](std::string_view line) { lines.emplace_back(line); });
  LeapingClock clock;
  plugin.options.exec_timeout = 30min;
  CHECK_FALSE(plugin.made_with(clock).identity().has_value());
  log::set_sink({});
  REQUIRE(lines.size() == 1);
  CHECK(
      lines.front().ends_with("waiting for the credential plugin login; it is ended after 30m0s"));
}

TEST_CASE("a stop ends a running plugin and all calls that wait for it") {
  Plugin plugin("echo up > \"$OUT\"\nexec sleep 1000");
  plugin.config.exec->env = {{"OUT", plugin.folder.path("up")}};
  CredentialSource& source = plugin.made();
  std::vector<ErrorKind> kinds(2, ErrorKind::internal);
  {
    std::vector<std::jthread> callers;
    for (ErrorKind& kind : kinds) {
      callers.emplace_back([&source, &kind] { kind = source.identity().error().kind; });
    }
    while (plugin.folder.read("up").empty()) std::this_thread::yield();
    plugin.stop.request_stop();
  }
  CHECK(kinds == std::vector<ErrorKind>(2, ErrorKind::stopped));
  CHECK(plugin.runs() == 1);
}

TEST_CASE("several threads that need a credential cause one run") {
  Plugin plugin(print(answer(R"({"token":"tok"})")));
  CredentialSource& source = plugin.made();
  {
    std::vector<std::jthread> callers;
    for (int i = 0; i < 8; ++i) {
      callers.emplace_back([&source] { CHECK(source.identity().has_value()); });
    }
  }
  CHECK(plugin.runs() == 1);
}

TEST_CASE("a plugin that prints without end is killed") {
  Plugin plugin("exec yes");
  const auto failed = plugin.made().identity();
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().message.ends_with("printed more than 1048576 bytes"));
}

TEST_CASE("a plugin's own children do not delay its answer") {
  Plugin plugin("sleep 1000 2>/dev/null &\necho $! > \"$OUT\"\n" +
                print(answer(R"({"token":"tok"})")));
  plugin.config.exec->env = {{"OUT", plugin.folder.path("child")}};
  CHECK(plugin.header() == "Authorization: Bearer tok");
  CHECK(::kill(std::stoi(plugin.folder.read("child")), SIGKILL) == 0);
}
