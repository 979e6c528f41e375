// SPDX-License-Identifier: Apache-2.0
// The HTTP server over loopback sockets, byte by byte.
#include "kinf/http/http_server.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "kinf/base/log.h"
#include "kinf/base/sync.h"
#include "unit/http/inflated.h"
#include "unit/http/raw_client.h"

namespace kinf {
namespace {

using test::RawClient;

/// Streams that have written `first` and stay open until finish().
class OpenStreams {
 public:
  std::unique_ptr<BodyStream> open() { return std::make_unique<Stream>(*this); }
  void finish() {
    MutexLock lock(mu_);
    finished_ = true;
    for (const Stream* each : open_) each->wake();
  }
  std::size_t count() {
    MutexLock lock(mu_);
    return open_.size();
  }

 private:
  class Stream final : public BodyStream {
   public:
    explicit Stream(OpenStreams& all) : all_(all) {}
    ~Stream() override {
      MutexLock lock(all_.mu_);
      all_.open_.erase(this);
    }
    void start(std::function<void()> wake) override {
      wake_ = std::move(wake);
      MutexLock lock(all_.mu_);
      all_.open_.insert(this);
    }
    std::optional<Clock::Mono> write_to(ByteSink& sink) override {
      if (!std::exchange(wrote_, true)) sink.write("first");
      MutexLock lock(all_.mu_);
      return all_.finished_ ? std::nullopt : std::optional(Clock::kNever);
    }
    void wake() const { wake_(); }

   private:
    OpenStreams& all_;
    std::function<void()> wake_;
    bool wrote_ = false;
  };

  Mutex mu_;
  std::set<const Stream*> open_ KINF_GUARDED_BY(mu_);
  bool finished_ KINF_GUARDED_BY(mu_) = false;
};

/// A stream of two pieces.
class TwoPieces final : public BodyStream {
 public:
  void start(std::function<void()> /*wake*/) override {}
  std::optional<Clock::Mono> write_to(ByteSink& sink) override {
    sink.write("one");
    sink.write("two");
    return std::nullopt;
  }
};

/// A stream that never ends.
class Endless final : public BodyStream {
 public:
  explicit Endless(std::atomic<std::size_t>& written) : written_(written) {}
  void start(std::function<void()> /*wake*/) override {}
  std::optional<Clock::Mono> write_to(ByteSink& sink) override {
    const std::string piece(1000, 'x');
    for (; !sink.is_full(); written_ += piece.size()) sink.write(piece);
    return Clock::Mono::min();
  }

 private:
  std::atomic<std::size_t>& written_;
};

/// A server whose answers show the request as the handler got it.
struct EchoServer {
  explicit EchoServer(HttpServer::Options options = {})
      : server([this](const HttpRequest& request) { return handle(request); }, std::move(options)) {
    const Result<int> started = server.start("127.0.0.1", 0);
    REQUIRE(started.has_value());
    port = *started;
  }

  HttpResponse handle(const HttpRequest& request) {
    HttpResponse response;
    response.content_type = "text/plain";
    if (request.path == "/stream") {
      response.stream = streams.open();
      return response;
    }
    if (request.path == "/endless") {
      response.stream = std::make_unique<Endless>(endless_bytes);
      return response;
    }
    if (request.path == "/throw") throw std::runtime_error("broken");
    if (request.path == "/cached") {
      response.code = 304;
      response.headers = {{"Etag", "\"1\""}};
      return response;
    }
    if (request.path == "/large" || request.path == "/small") {
      response.body.assign(request.path == "/large" ? 128 * 1024 : 128 * 1024 - 1, 'x');
      return response;
    }
    if (request.path == "/pieces") {
      response.compress_stream = !request.flag("plain");
      response.stream = std::make_unique<TwoPieces>();
      return response;
    }
    response.body = request.method + " " + request.path;
    for (const auto& [name, value] : request.query) response.body += "|" + name + "=" + value;
    for (const std::string& each : {request.accept, request.content_type, request.authorization,
                                    request.if_none_match, request.body}) {
      response.body += "|" + each;
    }
    return response;
  }

  /// The body of the answer to one request on a connection of its own.
  std::string body_for(const std::string& request) const {
    const RawClient client(port);
    client.send(request);
    const std::string answer = client.receive_all();
    const std::size_t end = answer.find("\r\n\r\n");
    return end == std::string::npos ? answer : answer.substr(end + 4);
  }
  std::string status_for(const std::string& request) const {
    const RawClient client(port);
    client.send(request);
    return client.receive_until("\r\n").substr(0, 12);
  }

  OpenStreams streams;
  std::atomic<std::size_t> endless_bytes = 0;
  int port = 0;
  HttpServer server;
};

std::string get(const std::string& target, const std::string& headers = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers +
         "\r\n";
}

/// Shuts down the socket of this process that listens on `port`, as a broken system might.
void break_listener(int port) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const int fd = std::stoi(entry.path().filename().string());
    sockaddr_in address{};
    socklen_t size = sizeof address;
    int listens = 0;
    socklen_t flag_size = sizeof listens;
    if (::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &flag_size) != 0 || listens == 0) {
      continue;
    }
    if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0 &&
        ntohs(address.sin_port) == port) {
      ::shutdown(fd, SHUT_RDWR);
    }
  }
}

TEST_CASE("a request reaches the handler with its path and query decoded") {
  const EchoServer echo;
  struct Case {
    const char* target;
    const char* body;
  };
  for (const Case& each : std::vector<Case>{
           {"/a/b", "GET /a/b|||||"},
           {"/a%20b?x=1", "GET /a b|x=1|||||"},
           {"/p?labelSelector=a%3Db,c%20in%20(d)", "GET /p|labelSelector=a=b,c in (d)|||||"},
           {"/p?a=b=c", "GET /p|a=b=c|||||"},
           {"/p?x=1&x=2&y=", "GET /p|x=1|y=|||||"},
           {"/p?watch&=no&limit=5", "GET /p|limit=5|watch=|||||"},
       }) {
    CHECK(echo.body_for(get(each.target)) == each.body);
  }
}

TEST_CASE("the handler gets the headers that an API server reads") {
  const EchoServer echo;
  CHECK(echo.body_for(get("/p",
                          "Accept: application/json;as=Table\r\nAuthorization: Bearer t\r\n"
                          "If-None-Match: \"e\"\r\n")) ==
        "GET /p|application/json;as=Table||Bearer t|\"e\"|");
  CHECK(echo.body_for("POST /p HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                      "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}") ==
        "POST /p||application/json|||{}");
}

TEST_CASE("a request without a length has no body, whatever its method is") {
  const EchoServer echo;
  for (const char* method : {"POST", "PUT", "PATCH", "DELETE"}) {
    CHECK(echo.body_for(std::string(method) +
                        " /p HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n") ==
          std::string(method) + " /p|||||");
  }
}

TEST_CASE("what is not a request, and a body that is too large, is refused") {
  const EchoServer echo;
  CHECK(echo.status_for("nonsense\r\n\r\n") == "HTTP/1.1 400");
  CHECK(
      echo.status_for("POST /p HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n") ==
      "HTTP/1.1 413");
}

TEST_CASE(
    "a refused request ends its connection, so that the rest is not taken as another request") {
  const EchoServer echo;
  const RawClient client(echo.port);
  client.send(
      "POST /p HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n"
      "\r\n0\r\n\r\nGET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const std::string answer = client.receive_all();
  CHECK(answer.starts_with("HTTP/1.1 400 Bad Request\r\n"));
  CHECK(answer.find("Connection: close\r\n") != std::string::npos);
  CHECK(answer.find("/hidden") == std::string::npos);
  CHECK(answer.find("HTTP/1.1", 1) == std::string::npos);
}

TEST_CASE("a page of another site is refused, unless all hosts are allowed") {
  const std::string foreign = "GET /p HTTP/1.1\r\nHost: evil.example\r\n\r\n";
  CHECK(EchoServer().status_for(foreign) == "HTTP/1.1 403");
  CHECK(EchoServer({.hosts = HostNames::any}).status_for(foreign) == "HTTP/1.1 200");
  CHECK(EchoServer().status_for(
            "POST /p HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\r\n") ==
        "HTTP/1.1 403");
}

TEST_CASE("a body that a client sends although it is too large does not hide the refusal") {
  const EchoServer echo;
  const RawClient client(echo.port);
  client.send("POST /p HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000\r\n\r\n" +
              std::string(1'000'000, 'x'));
  CHECK(client.receive_all().starts_with("HTTP/1.1 413 "));
}

TEST_CASE("ranges are ignored, and HEAD has no body") {
  const EchoServer echo;
  CHECK(echo.body_for(get("/p", "Range: bytes=0-0,1-1\r\n")) == "GET /p|||||");
  CHECK(echo.status_for(get("/p", "Range: bytes=0-0\r\n")) == "HTTP/1.1 200");
  CHECK(echo.body_for("HEAD /p HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").empty());
}

TEST_CASE("an exception of the handler is an error of that request") {
  log::set_sink([](std::string_view) {});
  {
    const EchoServer echo;
    CHECK(echo.status_for(get("/throw")) == "HTTP/1.1 500");
    CHECK(echo.status_for(get("/p")) == "HTTP/1.1 200");
  }
  log::set_sink({});
}

TEST_CASE("streams above the limit are refused with 429, and other requests are served") {
  EchoServer echo({.max_streams = 2});
  RawClient first(echo.port);
  RawClient second(echo.port);
  for (const RawClient* each : {&first, &second}) {
    each->send(get("/stream"));
    CHECK_FALSE(each->receive_until("first\r\n").empty());
  }
  const RawClient third(echo.port);
  third.send(get("/stream"));
  const std::string answer = third.receive_all();
  CHECK(answer.starts_with("HTTP/1.1 429 Too Many Requests\r\n"));
  CHECK(answer.find("Retry-After: 1\r\n") != std::string::npos);
  CHECK(echo.status_for(get("/p")) == "HTTP/1.1 200");
  first.close();
  std::string status;
  while (status != "HTTP/1.1 200") status = echo.status_for(get("/stream"));
}

TEST_CASE("hundreds of streams are open at once, and requests are served besides") {
  EchoServer echo;
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 300; ++i) {
    clients.push_back(std::make_unique<RawClient>(echo.port));
    clients.back()->send(get("/stream"));
  }
  for (const auto& each : clients) CHECK_FALSE(each->receive_until("first\r\n").empty());
  CHECK(echo.status_for(get("/p")) == "HTTP/1.1 200");
  echo.streams.finish();
  for (const auto& each : clients) CHECK(each->receive_until("0\r\n\r\n").ends_with("0\r\n\r\n"));
}

TEST_CASE("several requests use one connection, and no answer is compressed or cached") {
  const EchoServer echo;
  const RawClient client(echo.port);
  for (const char* path : {"/one", "/two"}) {
    client.send(std::string("GET ") + path +
                " HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n");
    const std::string answer = client.receive_until(std::string("GET ") + path + "|||||");
    CHECK(answer.starts_with("HTTP/1.1 200 OK\r\n"));
    CHECK(answer.find("Cache-Control: no-cache, private\r\n") != std::string::npos);
    CHECK(answer.find("Content-Encoding") == std::string::npos);
  }
}

TEST_CASE("an answer without a body keeps its headers") {
  const EchoServer echo;
  const RawClient client(echo.port);
  client.send(get("/cached"));
  const std::string answer = client.receive_all();
  CHECK(answer.starts_with("HTTP/1.1 304 Not Modified\r\n"));
  CHECK(answer.find("Etag: \"1\"\r\n") != std::string::npos);
  CHECK(answer.ends_with("\r\n\r\n"));
}

TEST_CASE("each piece of a stream is sent at once, as a chunk") {
  EchoServer echo;
  const RawClient client(echo.port);
  client.send(get("/stream"));
  const std::string answer = client.receive_until("first\r\n");
  CHECK(answer.find("Transfer-Encoding: chunked\r\n") != std::string::npos);
  CHECK(answer.ends_with("5\r\nfirst\r\n"));
  echo.streams.finish();
  CHECK(client.receive_until("0\r\n\r\n").ends_with("0\r\n\r\n"));
}

TEST_CASE("a stream learns that its client is gone") {
  EchoServer echo;
  RawClient client(echo.port);
  client.send(get("/stream"));
  CHECK_FALSE(client.receive_until("first\r\n").empty());
  client.close();
  while (echo.streams.count() > 0) std::this_thread::yield();
}

TEST_CASE("a client that does not read stops its stream, and others are served") {
  EchoServer echo;
  const RawClient lazy(echo.port);
  lazy.send(get("/endless"));
  CHECK_FALSE(lazy.receive_until("xxxx").empty());
  // The buffers of the system fill. Then nothing more is written until the client reads again.
  for (std::size_t before = 1; before != echo.endless_bytes;) {
    before = echo.endless_bytes;
    for (int i = 0; i < 20; ++i) CHECK(echo.status_for(get("/p")) == "HTTP/1.1 200");
  }
  const std::size_t written = echo.endless_bytes;
  CHECK(written < (64 << 20));
  while (echo.endless_bytes == written) REQUIRE_FALSE(lazy.receive_until("x").empty());
}

TEST_CASE("a request that arrives in small pieces is answered") {
  const EchoServer echo;
  const RawClient client(echo.port);
  for (const char byte : get("/p")) client.send({&byte, 1});
  CHECK(client.receive_all().ends_with("GET /p|||||"));
}

TEST_CASE("requests sent together are answered in their order") {
  const EchoServer echo;
  const RawClient client(echo.port);
  std::string requests;
  for (int i = 0; i < 100; ++i) {
    requests += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }
  client.send(requests + get("/last"));
  const std::string answers = client.receive_all();
  std::size_t at = 0;
  for (int i = 0; i < 100; ++i) {
    at = answers.find("GET /" + std::to_string(i) + "|", at);
    REQUIRE(at != std::string::npos);
  }
  CHECK(answers.ends_with("GET /last|||||"));
}

TEST_CASE("stop ends the open streams") {
  EchoServer echo;
  const RawClient client(echo.port);
  client.send(get("/stream"));
  CHECK_FALSE(client.receive_until("first\r\n").empty());
  echo.server.stop();
  CHECK(client.receive_all() == "0\r\n\r\n");
  CHECK(echo.streams.count() == 0);
}

TEST_CASE("stop ends connections that wait for a request, and is idempotent") {
  EchoServer echo;
  const RawClient idle(echo.port);
  const RawClient used(echo.port);
  used.send("GET /p HTTP/1.1\r\nHost: localhost\r\n\r\n");
  CHECK_FALSE(used.receive_until("|||||").empty());
  echo.server.stop();
  echo.server.stop();
  CHECK(idle.receive_all().empty());
  CHECK(used.receive_all().empty());
}

TEST_CASE("a port that is taken and an address of another machine are network errors") {
  const EchoServer first;
  HttpServer second([](const HttpRequest&) { return HttpResponse{}; });
  const Result<int> taken = second.start("127.0.0.1", first.port);
  REQUIRE_FALSE(taken.has_value());
  CHECK(taken.error().kind == ErrorKind::network);
  CHECK(taken.error().message == "cannot listen on 127.0.0.1:" + std::to_string(first.port) + ": " +
                                     std::strerror(EADDRINUSE));
  CHECK(second.start("192.0.2.1", 0).error().message ==
        std::string("cannot listen on 192.0.2.1:0: ") + std::strerror(EADDRNOTAVAIL));
  CHECK(second.start("localhost", 0).error().kind == ErrorKind::network);
}

TEST_CASE("a listening socket that breaks ends with a warning, and stop still works") {
  std::atomic<bool> warned = false;
  log::set_sink([&](std::string_view line) {
    if (line.starts_with("sandbox: cannot accept more connections")) warned = true;
  });
  {
    EchoServer echo({.name = "sandbox"});
    break_listener(echo.port);
    while (!warned) std::this_thread::yield();
    echo.server.stop();
  }
  log::set_sink({});
}

/// The headers and the body of an answer.
struct Parts {
  explicit Parts(const std::string& answer)
      : headers(answer.substr(0, answer.find("\r\n\r\n"))),
        body(answer.substr(headers.size() + 4)) {}
  bool is_compressed() const {
    const bool compressed = headers.find("Content-Encoding: gzip") != std::string::npos;
    CHECK((headers.find("Vary: Accept-Encoding") != std::string::npos) == compressed);
    return compressed;
  }
  /// Removes the framing of a chunked body.
  std::string chunks() const {
    std::string result;
    for (std::size_t at = 0; at < body.size();) {
      const std::size_t size = std::stoul(body.substr(at), nullptr, 16);
      at = body.find("\r\n", at) + 2;
      result += body.substr(at, size);
      at += size + 2;
    }
    return result;
  }
  std::string headers;
  std::string body;
};

TEST_CASE("a body of at least 128 KiB is compressed if the client accepts gzip") {
  const EchoServer echo;
  const auto ask = [&](const std::string& target, const std::string& headers) {
    const RawClient client(echo.port);
    client.send(get(target, headers));
    return Parts(client.receive_all());
  };
  const Parts large = ask("/large", "Accept-Encoding: deflate, gzip\r\n");
  CHECK(large.is_compressed());
  CHECK(large.body.size() < 2000);
  CHECK(test::inflated(large.body) == std::string(128 * 1024, 'x'));
  CHECK_FALSE(ask("/small", "Accept-Encoding: gzip\r\n").is_compressed());
  CHECK_FALSE(ask("/large", "").is_compressed());
  CHECK_FALSE(ask("/large", "Accept-Encoding: br\r\n").is_compressed());
}

TEST_CASE("a compressed stream is one gzip member") {
  const EchoServer echo;
  const auto ask = [&](const std::string& target, const std::string& headers) {
    const RawClient client(echo.port);
    client.send(get(target, headers));
    return Parts(client.receive_all());
  };
  const Parts stream = ask("/pieces", "Accept-Encoding: gzip\r\n");
  CHECK(stream.is_compressed());
  int members = 0;
  CHECK(test::inflated(stream.chunks(), &members) == "onetwo");
  CHECK(members == 1);
  const Parts plain = ask("/pieces?plain=1", "Accept-Encoding: gzip\r\n");
  CHECK_FALSE(plain.is_compressed());
  CHECK(plain.chunks() == "onetwo");
}

}  // namespace
}  // namespace kinf
