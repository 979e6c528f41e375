// SPDX-License-Identifier: Apache-2.0
// The sandbox over TLS: a client that does not verify the certificate, and clients that do not
// speak TLS. The tests with kinf and kubectl check the certificate.
#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "kinf/sandbox/sandbox.h"

namespace {

struct ServedWithTls {
  ServedWithTls() : sandbox(options(), clock) { REQUIRE(sandbox.start().has_value()); }

  static kinf::SandboxOptions options() {
    kinf::SandboxOptions options;
    options.tls = true;
    return options;
  }
  httplib::Client client() const {
    httplib::Client client(sandbox.url());
    client.enable_server_certificate_verification(false);
    return client;
  }

  kinf::RealClock clock;
  kinf::Sandbox sandbox;
};

/// A TCP connection to the host and port of `url`.
class Connection {
 public:
  explicit Connection(const std::string& url) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  }
  ~Connection() { ::close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(const std::string& bytes) const {
    REQUIRE(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(bytes.size()));
  }
  /// Whether the other side closes the connection, perhaps after sending something.
  bool is_ended() const {
    char byte = 0;
    ssize_t got = 0;
    while ((got = ::recv(socket_, &byte, 1, 0)) > 0) {
    }
    return got == 0 || errno == ECONNRESET;
  }

 private:
  int socket_;
};

TEST_CASE("a sandbox with TLS answers, streams a large list, and does not answer plain HTTP") {
  ServedWithTls served;
  CHECK(served.sandbox.url().starts_with("https://127.0.0.1:"));
  httplib::Client client = served.client();
  const std::string big(1 << 20, 'x');
  for (const char* name : {"a", "b", "c"}) {
    const auto made = client.Post(
        "/api/v1/namespaces/default/configmaps",
        R"({"metadata":{"name":")" + std::string(name) + R"("},"data":{"x":")" + big + R"("}})",
        "application/json");
    REQUIRE(made);
    CHECK(made->status == 201);
  }
  const auto list = client.Get("/api/v1/configmaps");
  REQUIRE(list);
  CHECK(list->body.size() > 3 * big.size());

  const Connection plain(served.sandbox.url());
  plain.send("GET /version HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(plain.is_ended());
}

TEST_CASE("clients that stop in the middle of a handshake delay neither others nor the stop") {
  ServedWithTls served;
  const Connection silent(served.sandbox.url());
  const Connection stuck(served.sandbox.url());
  stuck.send(std::string("\x16\x03\x01\x02", 4));
  httplib::Client client = served.client();
  const auto version = client.Get("/version");
  REQUIRE(version);
  CHECK(version->status == 200);

  // A watch is also open when the sandbox ends.
  std::string seen;
  std::jthread watch([&] {
    served.client().Get("/api/v1/namespaces?watch=true", [&](const char* data, std::size_t size) {
      if (seen.empty()) std::thread([&] { served.sandbox.stop(); }).join();
      seen.append(data, size);
      return true;
    });
  });
  watch.join();
  CHECK(seen.find("\"ADDED\"") != std::string::npos);
  CHECK(silent.is_ended());
  CHECK(stuck.is_ended());
}

}  // namespace
