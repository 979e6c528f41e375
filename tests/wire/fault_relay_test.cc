// SPDX-License-Identifier: Apache-2.0
// Faults over loopback sockets: those of the relay seen by a plain TCP client, those of the
// protocol by an HTTP client.
#include "kinf/sandbox/fault_relay.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <httplib.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "kinf/sandbox/sandbox.h"
#include "wire/scripted_server.h"

namespace kinf {
namespace {

using Json = nlohmann::json;
using test::ScriptedServer;
using test::SeenRequest;
using test::ServerConnection;

/// Answers every request with 200 bytes.
bool answer_200_bytes(ServerConnection& connection, const SeenRequest& request) {
  (void)request;
  connection.send(std::string(200, 'x'));
  return true;
}

/// A relay in front of such a server.
struct Relayed {
  explicit Relayed(std::vector<std::string> faults = {}, ScriptedServer::Script script = {})
      : server(script ? std::move(script) : answer_200_bytes),
        relay({"127.0.0.1:0", "127.0.0.1:" + std::to_string(server.port()), std::move(faults)},
              clock) {
    REQUIRE(relay.start());
  }

  RealClock clock;
  ScriptedServer server;
  FaultRelay relay;
};

enum class Ending { bytes, closed, reset, silence };

/// A client that sends one request and examines the answer.
class Client {
 public:
  explicit Client(const std::string& address) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port =
        htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.find(':') + 1))));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0);
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void ask(std::string_view line = "GET / HTTP/1.1") {
    const std::string request = std::string(line) + "\r\nHost: localhost\r\n\r\n";
    REQUIRE(::send(socket_, request.data(), request.size(), MSG_NOSIGNAL) > 0);
  }

  /// Reads until `count` bytes have arrived or the connection ends; waits at most `patience` for
  /// each piece.
  Ending read(std::size_t count, int patience_ms = 5000) {
    received = 0;
    char buffer[4096];
    while (received < count) {
      pollfd ready{socket_, POLLIN, 0};
      if (::poll(&ready, 1, patience_ms) == 0) return Ending::silence;
      const ssize_t size = ::recv(socket_, buffer, sizeof buffer, 0);
      if (size == 0) return Ending::closed;
      if (size < 0) return errno == ECONNRESET ? Ending::reset : Ending::closed;
      received += static_cast<std::size_t>(size);
    }
    return Ending::bytes;
  }

  std::size_t received = 0;

 private:
  int socket_;
};

TEST_CASE("a relay passes bytes unchanged, on several connections") {
  Relayed relayed;
  for (int i = 0; i < 3; ++i) {
    Client client(relayed.relay.address());
    for (int request = 0; request < 2; ++request) {
      client.ask();
      CHECK(client.read(200) == Ending::bytes);
      CHECK(client.received == 200);
    }
  }
  CHECK(relayed.relay.accepted() == 3);
}

TEST_CASE("cut sends a FIN before the answer, reset a RST, and the next connection works") {
  for (const bool is_reset : {false, true}) {
    Relayed relayed({is_reset ? "reset:after=0s" : "cut:after=0s"});
    Client client(relayed.relay.address());
    client.ask();
    CHECK(client.read(200) == (is_reset ? Ending::reset : Ending::closed));
    CHECK(client.received == 0);
    Client next(relayed.relay.address());
    next.ask();
    CHECK(next.read(200) == Ending::bytes);
  }
}

TEST_CASE("truncate ends the connection in the middle of the answer") {
  Relayed relayed;
  Client client(relayed.relay.address());
  client.ask();
  REQUIRE(client.read(200) == Ending::bytes);
  REQUIRE(relayed.relay.inject("truncate:after=0s"));
  // The relay takes the fault before the request that follows it.
  CHECK(client.read(1, 50) == Ending::silence);
  client.ask();
  CHECK(client.read(200) == Ending::closed);
  CHECK(client.received == 100);
}

TEST_CASE("a stalled connection stays open and continues when the faults are cleared") {
  Relayed relayed({"stall:after=0s"});
  Client client(relayed.relay.address());
  client.ask();
  CHECK(client.read(200, 200) == Ending::silence);
  REQUIRE(relayed.relay.inject("none"));
  client.ask();
  CHECK(client.read(200) == Ending::bytes);
}

TEST_CASE("slow limits the rate of a connection") {
  Relayed relayed({"slow:1KBps"});
  const Clock::Mono start = relayed.clock.now();
  Client client(relayed.relay.address());
  client.ask();
  CHECK(client.read(200) == Ending::bytes);
  CHECK(relayed.clock.now() - start >= std::chrono::milliseconds(190));
}

TEST_CASE("slow:12MBps passes 6 MB in half a second") {
  Relayed relayed({"slow:12MBps"}, [](ServerConnection& connection, const SeenRequest&) {
    connection.send(std::string(6'000'000, 'x'));
    return true;
  });
  Client client(relayed.relay.address());
  const Clock::Mono start = relayed.clock.now();
  client.ask();
  CHECK(client.read(6'000'000) == Ending::bytes);
  const Clock::Duration took = relayed.clock.now() - start;
  CHECK(took >= std::chrono::milliseconds(495));
  CHECK(took < std::chrono::milliseconds(900));  // on a busy machine; otherwise 505 ms
}

TEST_CASE("a request takes the latency, and ten that follow at once do not take ten times it") {
  Relayed relayed({"latency:50ms"});
  Client client(relayed.relay.address());
  client.ask();
  CHECK(client.read(200) == Ending::bytes);  // this includes the connection's round trip

  Clock::Mono start = relayed.clock.now();
  client.ask();
  CHECK(client.read(200) == Ending::bytes);
  CHECK(relayed.clock.now() - start >= std::chrono::milliseconds(50));

  start = relayed.clock.now();
  for (int i = 0; i < 10; ++i) client.ask();
  CHECK(client.read(2000) == Ending::bytes);
  const Clock::Duration took = relayed.clock.now() - start;
  CHECK(took >= std::chrono::milliseconds(50));
  CHECK(took < std::chrono::milliseconds(400));
}

TEST_CASE("latency and slow together cost their sum, and end with the faults") {
  Relayed relayed({"latency:40ms", "slow:2KBps"});
  Client client(relayed.relay.address());
  Clock::Mono start = relayed.clock.now();
  client.ask();
  CHECK(client.read(200) == Ending::bytes);
  CHECK(relayed.clock.now() - start >= std::chrono::milliseconds(175));
  REQUIRE(relayed.relay.inject("none"));
  start = relayed.clock.now();
  for (int i = 0; i < 20; ++i) {
    client.ask();
    CHECK(client.read(200) == Ending::bytes);
  }
  CHECK(relayed.clock.now() - start < std::chrono::milliseconds(700));
}

TEST_CASE("a fault with a period is applied repeatedly") {
  Relayed relayed({"cut:every=60ms"});
  for (int round = 0; round < 3; ++round) {
    Client client(relayed.relay.address());
    CHECK(client.read(1) == Ending::closed);
  }
}

TEST_CASE("a relay accepts faults at run time, but only faults of bytes") {
  Relayed relayed;
  httplib::Client control(relayed.relay.control_url());
  const auto post = [&](const std::string& spec) {
    const auto answer = control.Post("/sandbox/fault?spec=" + spec);
    REQUIRE(answer);
    return answer->status;
  };
  CHECK(post("reset:after=0s") == 200);  // with a second `=` in the query
  CHECK(post("gone") == 400);
  CHECK(post("fire") == 400);
  CHECK(control.Get("/sandbox/fault")->status == 405);
  CHECK(control.Get("/")->status == 404);
  Client client(relayed.relay.address());
  client.ask();
  CHECK(client.read(200) == Ending::reset);
}

TEST_CASE("a fault request needs no body and no Content-Length") {
  Relayed relayed;
  Client control(relayed.relay.control_url().substr(std::string_view("http://").size()));
  control.ask("POST /sandbox/fault?spec=cut:after=0s HTTP/1.1");
  REQUIRE(control.read(1) == Ending::bytes);
  Client client(relayed.relay.address());
  client.ask();
  CHECK(client.read(200) == Ending::closed);
}

TEST_CASE("a relay without a server closes connections and keeps running") {
  RealClock clock;
  FaultRelay relay({"127.0.0.1:0", "127.0.0.1:" + std::to_string(test::unused_port()), {}}, clock);
  REQUIRE(relay.start());
  for (int i = 0; i < 2; ++i) {
    Client client(relay.address());
    CHECK(client.read(1) == Ending::closed);
  }
}

TEST_CASE("a fault that a relay cannot apply is a usage error") {
  RealClock clock;
  const auto kind = [&](FaultRelayOptions options) {
    FaultRelay relay(std::move(options), clock);
    const Result<void> started = relay.start();
    REQUIRE_FALSE(started);
    return started.error().kind;
  };
  CHECK(kind({"0.0.0.0:0", "127.0.0.1:1", {}}) == ErrorKind::usage);
  CHECK(kind({"127.0.0.1:0", "nowhere", {}}) == ErrorKind::usage);
  CHECK(kind({"127.0.0.1:0", "127.0.0.1:1", {"gone"}}) == ErrorKind::usage);
}

struct Faulty {
  explicit Faulty(bool relay = false) : sandbox(options(relay), clock) {
    REQUIRE(sandbox.start());
    client = std::make_unique<httplib::Client>(sandbox.direct_url());
  }
  static SandboxOptions options(bool relay) {
    SandboxOptions result;
    result.relay = relay;
    return result;
  }
  void fault(const std::string& spec) {
    const auto answer = client->Post("/sandbox/fault?spec=" + spec);
    REQUIRE(answer);
    REQUIRE(answer->status == 200);
  }
  int status(const std::string& path) {
    const auto answer = client->Get(path);
    return answer ? answer->status : 0;
  }
  /// Returns the lines of a watch with a timeout of 1 s.
  std::string watch(const std::string& query) {
    const auto answer = client->Get("/api/v1/namespaces?watch=true&timeoutSeconds=1&" + query);
    REQUIRE(answer);
    return answer->body;
  }

  RealClock clock;
  Sandbox sandbox;
  std::unique_ptr<httplib::Client> client;
};

TEST_CASE("a sandbox applies the faults it is given, and recovers") {
  Faulty faulty;
  faulty.fault("error:503:2");
  CHECK(faulty.status("/api/v1/namespaces") == 503);
  CHECK(faulty.status("/api/v1/namespaces/default") == 503);
  CHECK(faulty.status("/api/v1/namespaces") == 200);
  faulty.fault("deny:namespaces");
  CHECK(faulty.status("/api/v1/namespaces") == 403);
  CHECK(faulty.status("/api/v1/nodes") == 200);
  faulty.fault("none");
  CHECK(faulty.status("/api/v1/namespaces") == 200);
  faulty.fault("garbage");
  CHECK_FALSE(Json::accept(faulty.client->Get("/api/v1/namespaces")->body));
  faulty.fault("expire-continue");
  const Json first = Json::parse(faulty.client->Get("/api/v1/namespaces?limit=2")->body);
  const std::string token = first.at("metadata").at("continue");
  const auto expired = faulty.client->Get("/api/v1/namespaces?limit=2&continue=" + token);
  CHECK(expired->status == 410);
  CHECK(Json::parse(expired->body).at("metadata").contains("continue"));
}

TEST_CASE("an expired version is an error event in a watch that opened with 200") {
  Faulty faulty;
  faulty.fault("gone");
  const Json event = Json::parse(faulty.watch("resourceVersion=" + faulty.sandbox.version()));
  CHECK(event.at("type") == "ERROR");
  CHECK(event.at("object").at("code") == 410);
  CHECK(event.at("object").at("reason") == "Expired");
}

TEST_CASE("faults can leave out the end of a streaming list, or put broken JSON into it") {
  Faulty faulty;
  const std::string streaming =
      "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  CHECK(faulty.watch(streaming).find("initial-events-end") != std::string::npos);
  faulty.fault("no-bookmark-end");
  const std::string endless = faulty.watch(streaming);
  CHECK(endless.find("ADDED") != std::string::npos);
  CHECK(endless.find("initial-events-end") == std::string::npos);
  faulty.fault("garbage");
  CHECK(faulty.watch(streaming).find("garbage") != std::string::npos);
}

TEST_CASE("faults of bytes need a relay") {
  Faulty without;
  CHECK(without.client->Post("/sandbox/fault?spec=cut")->status == 400);
  Faulty with(true);
  CHECK(with.sandbox.url() != with.sandbox.direct_url());
  with.fault("cut:after=0s");
  httplib::Client relayed(with.sandbox.url());
  CHECK_FALSE(relayed.Get("/api/v1/namespaces"));
  CHECK(relayed.Get("/api/v1/namespaces"));
  CHECK(with.sandbox.connections() == 2);
}

}  // namespace
}  // namespace kinf
