// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/discovery.h"
#include "kinf/client/api_client.h"
#include "kinf/client/client_config.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <latch>

#include "fakes/fake_clock.h"
#include "fakes/fixture.h"
#include "fakes/temp_folder.h"
#include "wire/gzip_writer.h"
#include "wire/scripted_server.h"

namespace kinf {
namespace {

using test::discovery_fixture;
using test::ScriptedServer;
using test::SeenRequest;
using test::ServerConnection;

/// A server with the recorded answers of a real one.
class DiscoveryServer {
 public:
  explicit DiscoveryServer(bool aggregated)
      : server_([aggregated](ServerConnection& connection, const SeenRequest& request) {
          const bool asks_aggregated =
              request.header("accept").find("as=APIGroupDiscoveryList") != std::string::npos;
          std::string file;
          if (request.target == "/api/v1") file = "api-v1.json";
          if (request.target == "/apis/apps/v1") file = "apis-apps-v1.json";
          if (request.target == "/apis/example.test/v1") file = "apis-example.test-v1.json";
          if (request.target == "/apis") {
            file = aggregated && asks_aggregated ? "apis-aggregated.json" : "apis.json";
          }
          if (request.target == "/version") {
            connection.answer(200, "application/json", R"({"gitVersion":"v1.33.2"})");
          } else if (file.empty()) {
            connection.answer(404, "text/plain", "404 page not found\n");
          } else {
            connection.answer(200, "application/json", discovery_fixture(file));
          }
          return true;
        }) {
    ClientConfig config;
    config.host = server_.url();
    client_ = ApiClient::create(config, {}, nullptr, clock_).value();
  }

  Result<ApiResource> resolve(std::string_view name) {
    asked_before_ = server_.requests().size();
    return discovery().resolve(name, {});
  }
  /// The targets of the requests that the last resolve() made, except /version.
  std::vector<std::string> asked() const {
    std::vector<std::string> targets;
    for (const SeenRequest& request : server_.requests()) targets.push_back(request.target);
    targets.erase(targets.begin(), targets.begin() + static_cast<std::ptrdiff_t>(asked_before_));
    std::erase(targets, "/version");
    return targets;
  }
  /// How often the server's version has been requested.
  std::ptrdiff_t version_requests() const {
    const std::vector<SeenRequest> all = server_.requests();
    return std::ranges::count(all, "/version", &SeenRequest::target);
  }
  /// Forgets everything, like the next run of the program.
  void begin_anew(const DiscoveryCache& cache) { discovery_.emplace(*client_, &cache); }
  Discovery& discovery() {
    if (!discovery_) discovery_.emplace(*client_);
    return *discovery_;
  }

 private:
  RealClock clock_;
  ScriptedServer server_;
  std::unique_ptr<ApiClient> client_;
  std::optional<Discovery> discovery_;
  std::size_t asked_before_ = 0;
};

using Targets = std::vector<std::string>;

TEST_CASE("a name costs only the requests it needs, and none if it is known") {
  DiscoveryServer server(true);
  CHECK(server.resolve("po").value().type.gvr == GroupVersionResource{"", "v1", "pods"});
  CHECK(server.asked() == Targets{"/api/v1"});
  CHECK(server.resolve("events").value().type.gvr == GroupVersionResource{"", "v1", "events"});
  CHECK(server.asked().empty());
  CHECK(server.resolve("deployments.v1.apps").value().type.kind == "Deployment");
  CHECK(server.asked() == Targets{"/apis/apps/v1"});
  CHECK(server.resolve("deploy").value().type.gvr.group == "apps");
  CHECK(server.asked() == Targets{"/apis"});
  CHECK(server.resolve("widgets.example.test").value().type.kind == "Widget");
  CHECK(server.asked().empty());
}

TEST_CASE("a name with a group does not request the core group") {
  DiscoveryServer server(true);
  CHECK(server.resolve("events.events.k8s.io").value().type.gvr.group == "events.k8s.io");
  CHECK(server.asked() == Targets{"/apis"});
  CHECK(server.resolve("pods.v1.").value().type.gvr == GroupVersionResource{"", "v1", "pods"});
  CHECK(server.asked() == Targets{"/api/v1"});
}

TEST_CASE("an old server is asked for each group, and a group that is down is left out") {
  DiscoveryServer server(false);
  CHECK(server.resolve("deploy").value().type.gvr ==
        GroupVersionResource{"apps", "v1", "deployments"});
  CHECK(server.resolve("widgets").value().type.gvr.group == "example.test");
  CHECK(server.asked().empty());
}

TEST_CASE("an unknown type gives an error with similar names from all groups") {
  DiscoveryServer server(true);
  const Result<ApiResource> poods = server.resolve("poods");
  REQUIRE_FALSE(poods);
  CHECK(poods.error().kind == ErrorKind::usage);
  CHECK(poods.error().message == "the server doesn't have a resource type \"poods\"");
  CHECK(poods.error().hint ==
        "did you mean pods (po)?  run `kinf api-resources` to list all types");
  CHECK_FALSE(server.resolve("deployments.v9.apps"));
  CHECK_FALSE(server.resolve("../secrets"));
}

TEST_CASE("a server without the Kubernetes API is told from a missing object") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest&) {
    connection.answer(404, "text/html", "<h1>Not Found</h1>");
    return true;
  });
  ClientConfig config;
  config.host = server.url();
  const std::unique_ptr<ApiClient> client = ApiClient::create(config, {}, nullptr, clock).value();
  const Result<ApiResource> pods = Discovery(*client).resolve("pods", {});
  REQUIRE_FALSE(pods);
  CHECK(pods.error().kind == ErrorKind::protocol);
  CHECK(pods.error().message ==
        server.url() + " is no Kubernetes API server: it has neither /api/v1 nor /version");
}

TEST_CASE("all() returns types in their preferred version, core first") {
  DiscoveryServer server(true);
  const std::vector<ApiResource> types = server.discovery().all({}).value();
  CHECK(types.front().type.gvr.group.empty());
  int scalers = 0;
  for (const ApiResource& type : types) {
    if (type.type.gvr.resource != "horizontalpodautoscalers") continue;
    ++scalers;
    CHECK(type.type.gvr.version == "v2");
  }
  CHECK(scalers == 1);
}

TEST_CASE("a cached document needs no request, but the server is asked before a name is unknown") {
  const test::TempFolder folder;
  test::FakeClock clock;
  const DiscoveryCache cache(folder.path(), "http://here", "dev", clock);
  DiscoveryServer server(true);
  server.begin_anew(cache);
  CHECK(server.resolve("po"));
  CHECK(server.asked() == Targets{"/api/v1"});
  server.begin_anew(cache);
  CHECK(server.resolve("po").value().type.kind == "Pod");
  CHECK(server.asked().empty());
  CHECK_FALSE(server.resolve("poods"));
  CHECK(server.asked() == Targets{"/apis", "/api/v1", "/apis"});
  server.begin_anew(cache);
  CHECK(server.resolve("widgets").value().type.kind == "Widget");
  CHECK(server.asked().empty());
  clock.advance(DiscoveryCache::kLifetime + std::chrono::seconds(1));
  server.begin_anew(cache);
  CHECK(server.resolve("po"));
  CHECK(server.asked() == Targets{"/api/v1"});
}

TEST_CASE("the server's version is requested once, with the first document, and cached with it") {
  const test::TempFolder folder;
  test::FakeClock clock;
  const DiscoveryCache cache(folder.path(), "http://here", "dev", clock);
  DiscoveryServer server(true);
  server.begin_anew(cache);
  CHECK_FALSE(server.discovery().server_version());
  CHECK(server.resolve("po"));
  CHECK(server.resolve("deploy"));
  CHECK(server.discovery().server_version() == ServerVersion{1, 33});
  server.begin_anew(cache);
  CHECK(server.resolve("po"));
  CHECK(server.discovery().server_version() == ServerVersion{1, 33});
  CHECK(server.version_requests() == 1);
}

/// Resolves `po` on a server that answers /api/v1 after it has got /version, which it answers with
/// `version`.
std::optional<ServerVersion> version_of(const std::function<void(ServerConnection&)>& version) {
  std::latch asked(1);
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest& request) {
    if (request.target == "/version") {
      asked.count_down();
      version(connection);
    } else {
      asked.wait();
      connection.answer(200, "application/json", discovery_fixture("api-v1.json"));
    }
    return true;
  });
  RealClock clock;
  ClientConfig config;
  config.host = server.url();
  const auto client = ApiClient::create(config, {}, nullptr, clock).value();
  Discovery discovery(*client);
  CHECK(discovery.resolve("po", {}).value().type.kind == "Pod");
  return discovery.server_version();
}

TEST_CASE("the server's version costs no time: both requests are sent at once") {
  CHECK(version_of([](ServerConnection& connection) {
          connection.answer(200, "application/json", R"({"gitVersion":"v1.34.0"})");
        }) == ServerVersion{1, 34});
}

TEST_CASE("discovery does without the server's version if the server refuses it or is silent") {
  CHECK_FALSE(version_of(
      [](ServerConnection& connection) { connection.answer(403, "application/json", "{}"); }));
  CHECK_FALSE(version_of([](ServerConnection& connection) { connection.hold(); }));
}

TEST_CASE("A29: after a failure without an answer, an attempt that fails again is one request") {
  std::atomic<bool> answers = false;
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest& request) {
    if (!answers) {
      connection.reset();
      return false;
    }
    const bool is_version = request.target == "/version";
    connection.answer(
        200, "application/json",
        is_version ? R"({"gitVersion":"v1.34.0"})" : discovery_fixture("api-v1.json"));
    return true;
  });
  RealClock clock;
  ClientConfig config;
  config.host = server.url();
  const auto client = ApiClient::create(config, {}, nullptr, clock).value();
  Discovery discovery(*client);
  CHECK_FALSE(discovery.resolve("po", {}));
  CHECK(server.requests().size() == 2);
  CHECK_FALSE(discovery.resolve("po", {}));
  CHECK(server.requests().size() == 3);
  answers = true;
  CHECK(discovery.resolve("po", {}));
  CHECK(discovery.server_version() == ServerVersion{1, 34});
}

TEST_CASE("a damaged document in the cache is requested again") {
  const test::TempFolder folder;
  test::FakeClock clock;
  const DiscoveryCache cache(folder.path(), "http://here", "dev", clock);
  DiscoveryServer server(true);
  cache.keep("/version", "{}");
  cache.keep("/api/v1", "{\"kind\":");
  server.begin_anew(cache);
  CHECK(server.resolve("po").value().type.kind == "Pod");
  CHECK(server.asked() == Targets{"/api/v1"});
}

// ThreadSanitizer keeps four more bytes for each byte.
#ifdef __SANITIZE_THREAD__
constexpr long kMemoryFactor = 5;
#else
constexpr long kMemoryFactor = 1;
#endif

long peak_memory_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST_CASE("A3: a compressed document that inflates beyond the limit fails with little memory") {
  RealClock clock;
  struct Bomb {
    std::string_view before;
    std::string_view repeated;
    std::size_t times;
    std::string_view message;
  };
  for (const Bomb& bomb :
       {Bomb{"", "{},", 30'000'000, "/apis: the response is larger than 64 MiB"},
        Bomb{"", "[", 80'000'000, "/apis: the response is larger than 64 MiB"},
        Bomb{"", "[", 60'000'000, "API discovery: the response is nested too deeply"},
        Bomb{"{\"items\":[", "{},", 4'000'000, "API discovery: the response is not JSON"},
        Bomb{"{\"items\":[{\"versions\":[{\"resources\":[", "{\"resource\":\"x\"},", 600'000,
             "API discovery: the response contains more than 200,000 types"}}) {
    const std::string body = test::gzip_bomb(bomb.before, bomb.repeated, bomb.times);
    const long memory_before = peak_memory_kilobytes();
    ScriptedServer server([&](ServerConnection& connection, const SeenRequest&) {
      connection.answer(200, "application/json", body, "Content-Encoding: gzip\r\n");
      return true;
    });
    ClientConfig config;
    config.host = server.url();
    config.disable_compression = false;
    const auto client = ApiClient::create(config, {}, nullptr, clock).value();
    const Result<ApiResource> found = Discovery(*client).resolve("widgets.example.test", {});
    REQUIRE_FALSE(found);
    CHECK(found.error().kind == ErrorKind::protocol);
    CHECK(found.error().message.ends_with(bomb.message));
    CHECK(server.requests().at(0).header("accept-encoding") == "gzip");
    CHECK(peak_memory_kilobytes() - memory_before < kMemoryFactor * 300 * 1024);
  }
}

TEST_CASE("an unreachable server is a network error, not an unknown type") {
  RealClock clock;
  ClientConfig config;
  config.host = "http://127.0.0.1:" + std::to_string(test::unused_port());
  const auto client = ApiClient::create(config, {}, nullptr, clock).value();
  Discovery discovery(*client);
  const Result<ApiResource> pods = discovery.resolve("pods", {});
  REQUIRE_FALSE(pods);
  CHECK(pods.error().fault == NetworkFault::refused);
}

}  // namespace
}  // namespace kinf
