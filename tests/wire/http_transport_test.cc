// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/http_transport.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cstdlib>
#include <latch>

#include "fakes/fake_clock.h"
#include "kinf/client/http_transfer.h"
#include "wire/scripted_server.h"

namespace kinf {
namespace {

using test::ScriptedServer;
using test::SeenRequest;
using test::ServerConnection;

class RecordingSink final : public HttpSink {
 public:
  void on_head(const HttpHead& head) override { heads.push_back(head); }
  bool on_bytes(std::string_view bytes) override {
    body.append(bytes);
    return true;
  }
  bool is_full() const override { return body.size() >= full_at; }

  std::vector<HttpHead> heads;
  std::string body;
  std::size_t full_at = SIZE_MAX;
};

ClientConfig config_for(const std::string& url) {
  ClientConfig config;
  config.host = url;
  return config;
}

std::unique_ptr<HttpTransport> transport_to(const std::string& url, Clock& clock) {
  return HttpTransport::create(config_for(url), {}, clock).value();
}

TransportRequest request_for(std::string target) {
  TransportRequest request;
  request.target = std::move(target);
  return request;
}

/// Runs the transport until `done` or the transfer has ended; ctest ends a test that hangs.
template <class Done>
void pump(HttpTransport& transport, HttpTransfer& call, Done done) {
  transport.perform();
  while (!call.outcome() && !done()) {
    call.mark_seen();
    transport.wait(Clock::kNever, {});
    transport.perform();
  }
}

Result<void> run(HttpTransport& transport, HttpTransfer& call) {
  pump(transport, call, [] { return false; });
  return *call.outcome();
}

/// The socket of this process that is connected to `port` of 127.0.0.1.
int socket_to(int port) {
  DIR* folder = opendir("/proc/self/fd");
  int found = -1;
  while (const dirent* entry = readdir(folder)) {
    const int fd = std::atoi(entry->d_name);
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    if (getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) == 0 &&
        peer.sin_family == AF_INET && ntohs(peer.sin_port) == port) {
      found = fd;
    }
  }
  closedir(folder);
  return found;
}

int option_of(int socket, int level, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  CHECK(getsockopt(socket, level, name, &value, &size) == 0);
  return value;
}

TEST_CASE("an answer has its head and body, the request its headers") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest&) {
    connection.answer(200, "application/json", "{\"a\":1}",
                      "Retry-After: 7\r\nWarning: 299 - \"old\"\r\n");
    return true;
  });
  const auto transport = transport_to(server.url() + "/prefix/", clock);
  RecordingSink sink;
  TransportRequest request = request_for("/api/v1/pods?limit=5");
  request.headers = {"Accept: application/json"};
  const auto call = transport->start(request, sink);
  CHECK(call->last_byte() == Clock::kNever);
  REQUIRE(run(*transport, *call).has_value());
  CHECK(call->last_byte() <= clock.now());
  REQUIRE(sink.heads.size() == 1);
  CHECK(sink.heads[0].protocol == "HTTP/1.1");
  CHECK(sink.heads[0].status == 200);
  CHECK(sink.heads[0].content_type == "application/json");
  CHECK(sink.heads[0].retry_after == "7");
  CHECK(sink.heads[0].warnings == std::vector<std::string>{"299 - \"old\""});
  CHECK(sink.body == "{\"a\":1}");
  CHECK(transport->bytes_received() == 7);
  const SeenRequest seen = server.requests().at(0);
  CHECK(seen.method == "GET");
  CHECK(seen.target == "/prefix/api/v1/pods?limit=5");
  CHECK(seen.header("accept") == "application/json");
  CHECK(seen.header("user-agent").starts_with("kinf/"));
  CHECK(seen.header("accept-encoding").empty());
}

TEST_CASE("J15: socket options make a connection fail within 45 s of losing its peer") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest&) {
    connection.begin();
    connection.hold();
    return false;
  });
  const auto transport = transport_to(server.url(), clock);
  RecordingSink sink;
  const auto call = transport->start(request_for("/"), sink);
  pump(*transport, *call, [&] { return !sink.heads.empty(); });
  const int socket = socket_to(server.port());
  REQUIRE(socket >= 0);
  CHECK(option_of(socket, IPPROTO_TCP, TCP_NODELAY) == 1);
  CHECK(option_of(socket, SOL_SOCKET, SO_KEEPALIVE) == 1);
  CHECK(option_of(socket, IPPROTO_TCP, TCP_KEEPIDLE) == 15);
  CHECK(option_of(socket, IPPROTO_TCP, TCP_KEEPINTVL) == 5);
  CHECK(option_of(socket, IPPROTO_TCP, TCP_KEEPCNT) == 6);
  CHECK(option_of(socket, IPPROTO_TCP, TCP_USER_TIMEOUT) == 45'000);
}

TEST_CASE("requests reuse one connection until reset_connections()") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest&) {
    connection.answer(200, "application/json", "{}");
    return true;
  });
  const auto transport = transport_to(server.url(), clock);
  const auto ask = [&] {
    RecordingSink sink;
    const auto call = transport->start(request_for("/"), sink);
    CHECK(run(*transport, *call).has_value());
  };
  ask();
  ask();
  transport->reset_connections();
  ask();
  ask();
  std::vector<int> connections;
  for (const SeenRequest& seen : server.requests()) connections.push_back(seen.connection);
  CHECK(connections == std::vector<int>{0, 0, 1, 1});
}

TEST_CASE("J17: while a dead stream is open, the next request opens a new connection") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest& request) {
    if (request.target == "/dead") {
      connection.begin();
      connection.hold();
      return false;
    }
    connection.answer(200, "application/json", "{}");
    return true;
  });
  const auto transport = transport_to(server.url(), clock);
  RecordingSink dead_sink;
  const auto dead = transport->start(request_for("/dead"), dead_sink);
  pump(*transport, *dead, [&] { return !dead_sink.heads.empty(); });
  transport->reset_connections();
  RecordingSink sink;
  const auto call = transport->start(request_for("/next"), sink);
  CHECK(run(*transport, *call).has_value());
  CHECK(server.requests().back().connection == 1);
}

TEST_CASE("stop and wake() from another thread end wait()") {
  RealClock clock;
  const auto transport = transport_to("http://127.0.0.1:1", clock);
  std::stop_source stop;
  std::jthread stopper([&] { stop.request_stop(); });
  transport->wait(Clock::kNever, stop.get_token());
  CHECK(stop.stop_requested());
  std::jthread waker([&] { transport->wake(); });
  transport->wait(Clock::kNever, {});
  waker.join();
  transport->wait(clock.now() + std::chrono::milliseconds(1), {});
}

TEST_CASE("a port without a listener is a refused connection") {
  RealClock clock;
  const std::string url = "http://127.0.0.1:" + std::to_string(test::unused_port());
  const auto transport = transport_to(url, clock);
  RecordingSink sink;
  const auto call = transport->start(request_for("/"), sink);
  const Result<void> outcome = run(*transport, *call);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().fault == NetworkFault::refused);
  CHECK(outcome.error().message == "no connection to " + url + ": connection refused");
}

TEST_CASE("an incomplete answer and a reset connection are different faults") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest& request) {
    if (request.target == "/no-head") return false;
    connection.begin();
    connection.chunk("part");
    if (request.target == "/reset") connection.reset();
    return false;
  });
  const auto transport = transport_to(server.url(), clock);
  for (const auto& [target, fault] :
       {std::pair{"/no-head", NetworkFault::closed}, std::pair{"/cut", NetworkFault::closed},
        std::pair{"/reset", NetworkFault::reset}}) {
    CAPTURE(target);
    RecordingSink sink;
    const auto call = transport->start(request_for(target), sink);
    const Result<void> outcome = run(*transport, *call);
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().kind == ErrorKind::network);
    CHECK(outcome.error().fault == fault);
    CHECK(outcome.error().message.starts_with("lost the connection to http://127.0.0.1:"));
  }
}

TEST_CASE("J18: the limit counts silence, so an answer that keeps arriving is never cut") {
  test::FakeClock clock;
  std::latch first_seen(1);
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest&) {
    connection.begin();
    connection.chunk("a");
    first_seen.wait();
    connection.chunk("b");
    connection.hold();
    return false;
  });
  const auto transport = transport_to(server.url(), clock);
  RecordingSink sink;
  TransportRequest request = request_for("/");
  request.silence_limit = std::chrono::seconds(60);
  const auto call = transport->start(request, sink);
  pump(*transport, *call, [&] { return sink.body == "a"; });
  clock.advance(std::chrono::seconds(59));
  first_seen.count_down();
  pump(*transport, *call, [&] { return sink.body == "ab"; });
  clock.advance(std::chrono::seconds(59));
  transport->perform();
  CHECK_FALSE(call->outcome());
  clock.advance(std::chrono::seconds(1));
  const Result<void> outcome = run(*transport, *call);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().fault == NetworkFault::timeout);
  CHECK(outcome.error().message == server.url() + ": timed out waiting for a response");
}

TEST_CASE("perform() reads nothing while a sink is full") {
  RealClock clock;
  constexpr std::size_t kLimit = 1024 * 1024;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest&) {
    connection.begin();
    const std::string megabyte(kLimit, 'x');
    for (int i = 0; i < 64; ++i) connection.chunk(megabyte);
    connection.end();
    return true;
  });
  const auto transport = transport_to(server.url(), clock);
  RecordingSink sink;
  sink.full_at = kLimit;
  const auto call = transport->start(request_for("/"), sink);
  pump(*transport, *call, [&] { return sink.is_full(); });
  for (int i = 0; i < 1000; ++i) transport->perform();
  CHECK(sink.body.size() < 8 * kLimit);
  CHECK_FALSE(call->outcome());
  sink.full_at = SIZE_MAX;
  CHECK(run(*transport, *call).has_value());
  CHECK(sink.body.size() == 64 * kLimit);
}

TEST_CASE("after a large read, wait() lets half a millisecond of bytes gather") {
  test::FakeClock clock;
  std::latch connected(1);
  std::latch sent(1);
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest&) {
    connection.begin();
    connection.chunk("a");
    connected.wait();
    connection.chunk(std::string(32UL * 1024, 'x'));
    sent.count_down();
    connection.hold();
    return false;
  });
  const auto transport = transport_to(server.url(), clock);
  RecordingSink sink;
  const auto call = transport->start(request_for("/"), sink);
  pump(*transport, *call, [&] { return sink.body == "a"; });
  connected.count_down();
  sent.wait();
  transport->perform();
  REQUIRE(sink.body.size() > 8UL * 1024);
  call->mark_seen();
  std::jthread waiting([&] { transport->wait(Clock::kNever, {}); });
  clock.wait_for_sleepers(1);
  clock.advance(std::chrono::microseconds(500));
  waiting.join();
}

TEST_CASE("https to a plain port and http to a TLS port are errors that say so") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest&) {
    connection.send(std::string_view("\x15\x03\x01\x00\x02\x02\x46", 7));  // a TLS alert
    return false;
  });
  const auto http = transport_to(server.url(), clock);
  RecordingSink sink;
  auto call = http->start(request_for("/"), sink);
  Result<void> outcome = run(*http, *call);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().kind == ErrorKind::protocol);
  CHECK(outcome.error().hint.find("https://") != std::string::npos);
}

TEST_CASE("requests go to the proxy instead of the server") {
  RealClock clock;
  ScriptedServer proxy([](ServerConnection& connection, const SeenRequest&) {
    connection.answer(200, "application/json", "{}");
    return true;
  });
  ClientConfig config = config_for("http://k.test:8080");
  config.proxy_url = proxy.url();
  const auto transport = HttpTransport::create(config, {}, clock).value();
  RecordingSink sink;
  const auto call = transport->start(request_for("/api"), sink);
  CHECK(run(*transport, *call).has_value());
  CHECK(proxy.requests().at(0).target == "http://k.test:8080/api");
}

TEST_CASE("destroying a transfer closes its connection") {
  RealClock clock;
  std::latch hung_up(1);
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest&) {
    connection.begin();
    connection.hold();
    hung_up.count_down();
    return false;
  });
  const auto transport = transport_to(server.url(), clock);
  RecordingSink sink;
  auto call = transport->start(request_for("/"), sink);
  pump(*transport, *call, [&] { return !sink.heads.empty(); });
  call.reset();
  hung_up.wait();
  CHECK(sink.body.empty());
}

}  // namespace
}  // namespace kinf
