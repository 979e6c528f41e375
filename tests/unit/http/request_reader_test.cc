// SPDX-License-Identifier: Apache-2.0
#include "kinf/http/request_reader.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "kinf/http/request_head.h"

namespace kinf {
namespace {

constexpr const char* kHost = "Host: localhost\r\n";

/// `POST /p "body"` for each request in `bytes`, which arrive in pieces; `400` for an error.
std::vector<std::string> requests_in(const std::string& bytes, std::size_t piece) {
  RequestReader reader;
  std::vector<std::string> result;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    reader.add(std::string_view(bytes).substr(at, piece));
    for (auto next = reader.next(); !next || *next; next = reader.next()) {
      if (!next) {
        result.push_back(std::to_string(next.error().code));
        return result;
      }
      result.push_back((*next)->head.method + " " + (*next)->head.target + " \"" + (*next)->body +
                       "\"");
    }
  }
  return result;
}

using Results = std::vector<std::string>;

Results requests_in(const std::string& bytes) {
  const Results whole = requests_in(bytes, bytes.size());
  CHECK(requests_in(bytes, 1) == whole);
  CHECK(requests_in(bytes, 7) == whole);
  return whole;
}

std::string post(const std::string& fields, const std::string& body) {
  return std::string("POST /p HTTP/1.1\r\n") + kHost + fields + "\r\n" + body;
}

TEST_CASE("requests are found in bytes that arrive in any pieces") {
  const std::string get = std::string("GET /a?b=c HTTP/1.1\r\n") + kHost + "\r\n";
  CHECK(requests_in(get + get) == Results{"GET /a?b=c \"\"", "GET /a?b=c \"\""});
  CHECK(requests_in("\r\n" + get) == Results{"GET /a?b=c \"\""});
  CHECK(requests_in("\r\n\r\n" + get) == Results{"GET /a?b=c \"\""});
  CHECK(requests_in(post("Content-Length: 3\r\n", "abc") + get) ==
        Results{"POST /p \"abc\"", "GET /a?b=c \"\""});
  CHECK(requests_in(post("transfer-encoding: Chunked\r\n",
                         "3\r\nabc\r\n0A;x=y\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n") +
                    get) == Results{"POST /p \"abc0123456789\"", "GET /a?b=c \"\""});
  CHECK(requests_in("DELETE /p HTTP/1.0\r\n\r\n") == Results{"DELETE /p \"\""});
  CHECK(requests_in("GET /p HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n") ==
        Results{"GET /p \"\""});
}

TEST_CASE("a request that two servers could read differently is refused") {
  struct Case {
    const char* fields;
    const char* code;
  };
  for (const Case& each : std::vector<Case>{
           {"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "400"},
           {"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "400"},
           {"Content-Length: 3\r\nContent-Length: 3\r\n", "400"},
           {"Content-Length: 3\r\nContent-Length: 5\r\n", "400"},
           {"Content-Length: 3, 3\r\n", "400"},
           {"Content-Length: +3\r\n", "400"},
           {"Content-Length: -3\r\n", "400"},
           {"Content-Length: 0x3\r\n", "400"},
           {"Content-Length: 99999999999999999999999\r\n", "400"},
           {"Content-Length:\r\n", "400"},
           {"Content-Length : 3\r\n", "400"},
           {"Transfer-Encoding : chunked\r\n", "400"},
           {"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "400"},
           {"Transfer-Encoding: identity, chunked\r\n", "501"},
           {"Transfer-Encoding: xchunked\r\n", "501"},
           {" Content-Length: 3\r\n", "400"},
           {"X: y\r\n Content-Length: 3\r\n", "400"},
           {"X: y\nContent-Length: 3\r\n", "400"},
           {"X: y\rContent-Length: 3\r\n", "400"},
           {"X\r\n", "400"},
           {": y\r\n", "400"},
           {"X: \x01\r\n", "400"},
           {"Host: other\r\n", "400"},
           {"Expect: something\r\n", "417"},
           {"Content-Encoding: gzip\r\nContent-Length: 3\r\n", "415"},
           {"Content-Length: 3145729\r\n", "413"},
       }) {
    CAPTURE(each.fields);
    CHECK(requests_in(post(each.fields, "abc")) == Results{each.code});
  }
  CHECK(requests_in("GET /p HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc") ==
        Results{"400"});
  CHECK(requests_in("GET /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n") ==
        Results{"400"});
  CHECK(requests_in("POST /p HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n") ==
        Results{"400"});
  for (const char* line : {"GET /p", "GET", "GET  /p HTTP/1.1", "GET /a b HTTP/1.1",
                           "GET http://a/ HTTP/1.1", "G{T /p HTTP/1.1", " GET /p HTTP/1.1",
                           "GET /p HTTP/1.1 ", "GET /p http/1.1", "GET /\x01 HTTP/1.1"}) {
    CAPTURE(line);
    CHECK(requests_in(std::string(line) + "\r\nHost: a\r\n\r\n") == Results{"400"});
  }
  CHECK(requests_in("GET /p HTTP/1.1\r\n\r\n") == Results{"400"});
  CHECK(requests_in("GET /p HTTP/1.1\nHost: a\n\n") == Results{"400"});
  CHECK(requests_in("GET /p HTTP/2.0\r\nHost: a\r\n\r\n") == Results{"505"});
}

TEST_CASE("malformed chunks are refused") {
  for (const char* chunks :
       {"x\r\n", "-1\r\n", "0x3\r\nabc\r\n", "\r\n", " 3\r\nabc\r\n", "3\r\nabcd\r\n",
        "123456789\r\n", "3 \r\nabc\r\n", "0;x\n\r\n\r\n", "0;x\r\r\n\r\n", "3\nabc\r\n",
        "0\r\nX: y\nZ: a\r\n\r\n", "0\r\nX: y\r\r\n\r\n"}) {
    CAPTURE(chunks);
    CHECK(requests_in(post("Transfer-Encoding: chunked\r\n", chunks)) == Results{"400"});
  }
}

TEST_CASE("a quoted text in a chunk line ends with the line") {
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  for (const char* chunks : {"1;a=\"\r\n", "0;a=\"\r\n\r\n", "1;a=\"\r\nb\r\n0\r\n\r\n",
                             "5;a=\"x\ny\"\r\nhello\r\n0\r\n\r\n", "5;a=\"x\ry\"\r\nhello\r\n"}) {
    CAPTURE(chunks);
    CHECK(requests_in(post(chunked, chunks)) == Results{"400"});
  }
}

TEST_CASE("heads, bodies, chunk lines and trailers are bounded") {
  const auto code = [](const std::string& bytes) { return requests_in(bytes, 4096); };
  CHECK(code("GET /" + std::string(70'000, 'a')) == Results{"431"});
  CHECK(code(post("X: " + std::string(70'000, 'a') + "\r\n", "")) == Results{"431"});
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  CHECK(code(post(chunked, "1;" + std::string(5000, 'a'))) == Results{"400"});
  CHECK(requests_in(post(chunked, "1;" + std::string(4094, 'a') + "\r\nb\r\n0\r\n\r\n")) ==
        Results{"POST /p \"b\""});
  CHECK(code(post(chunked, "0\r\n" + std::string(5000, 'a'))) == Results{"431"});
  std::string many = "0\r\n";
  for (int i = 0; i < 1000; ++i) many += "A: b\r\n";
  CHECK(code(post(chunked, many)) == Results{"431"});
  CHECK(code(post(chunked, "300001\r\n")) == Results{"413"});
  std::string body;
  for (int i = 0; i < 49; ++i) body += "10000\r\n" + std::string(0x10000, 'a') + "\r\n";
  CHECK(code(post(chunked, body)) == Results{"413"});
  CHECK(code(post("Content-Length: 3145728\r\n", std::string(3 << 20, 'a'))).size() == 1);
}

TEST_CASE("a client that waits for 100 Continue is told once") {
  RequestReader reader;
  reader.add(post("Expect: 100-continue\r\nContent-Length: 1\r\n", ""));
  CHECK_FALSE(reader.take_continue());
  CHECK_FALSE(reader.next()->has_value());
  CHECK(reader.take_continue());
  CHECK_FALSE(reader.take_continue());
  reader.add("x");
  CHECK(reader.next().value()->body == "x");
}

/// Returns the head of a request without a body. `lines` are its lines, each with its CRLF.
RequestHead head_of(const std::string& lines) {
  RequestReader reader;
  reader.add(lines + "\r\n");
  const auto request = reader.next();
  REQUIRE(request.has_value());
  REQUIRE(request->has_value());
  return (*request)->head;
}

TEST_CASE("a connection is closed after HTTP/1.0, and if the client says so") {
  const auto closes = [](const std::string& text) { return head_of(text).closes; };
  CHECK_FALSE(closes("GET / HTTP/1.1\r\nHost: a\r\n"));
  CHECK(closes("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n"));
  CHECK(closes("GET / HTTP/1.0\r\n"));
  CHECK_FALSE(closes("GET / HTTP/1.0\r\nConnection: keep-alive\r\n"));
}

TEST_CASE("escapes are decoded, and malformed ones are an error") {
  CHECK(percent_decoded("a%20b+c%2f", false) == "a b+c/");
  CHECK(percent_decoded("a+b%2B", true) == "a b+");
  for (const char* bad : {"%", "%2", "%2g", "%g2", "a%"}) CHECK_FALSE(percent_decoded(bad, false));
}

TEST_CASE("pages of other sites are refused by their Host and Origin") {
  const auto code = [](const std::string& fields, HostNames hosts = HostNames::own) {
    const auto problem = check_origin(head_of("GET / HTTP/1.1\r\n" + fields), hosts);
    return problem ? problem->code : 200;
  };
  for (const char* host :
       {"localhost", "LOCALHOST:1", "127.0.0.1:8080", "127.1.2.3", "[::1]:80", "10.0.0.1:6443"}) {
    CHECK_MESSAGE(code("Host: " + std::string(host) + "\r\n") == 200, host);
  }
  for (const char* host : {"evil.example", "evil.example:80", "localhost.evil.example", "",
                           "127.0.0.1.evil.example", "a b", "127.1"}) {
    CHECK_MESSAGE(code("Host: " + std::string(host) + "\r\n") == 403, host);
    CHECK_MESSAGE(code("Host: " + std::string(host) + "\r\n", HostNames::any) == 200, host);
  }
  for (const char* host : {"sandbox", "box:6443", "host.docker.internal", "box.local:1",
                           "kinf.default.svc", "kinf.default.svc.cluster.local", "10.0.0.1"}) {
    CHECK_MESSAGE(code("Host: " + std::string(host) + "\r\n", HostNames::local) == 200, host);
  }
  for (const char* host : {"evil.example", "evil.example:80", "evil.example.", "box.evil.example",
                           "local.evil.example", "10.0.0.1.evil.example", "", "evil.notlocal"}) {
    CHECK_MESSAGE(code("Host: " + std::string(host) + "\r\n", HostNames::local) == 403, host);
  }
  const std::string own = "Host: 127.0.0.1:80\r\nOrigin: ";
  CHECK(code(own + "http://127.0.0.1:80\r\n") == 200);
  CHECK(code(own + "https://127.0.0.1:80\r\n") == 200);
  for (const char* origin : {"http://evil.example", "null", "http://127.0.0.1:81",
                             "http://127.0.0.1", "", "http://127.0.0.1:80.evil.example"}) {
    CHECK_MESSAGE(code(own + origin + "\r\n") == 403, origin);
    CHECK_MESSAGE(code(own + origin + "\r\n", HostNames::any) == 403, origin);
  }
}

}  // namespace
}  // namespace kinf
