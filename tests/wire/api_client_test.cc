// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/api_client.h"
#include "kinf/client/client_config.h"
#include "kinf/client/credentials.h"

#include <doctest/doctest.h>

#include <latch>

#include "fakes/fixture.h"
#include "kinf/api/api_status.h"
#include "wire/scripted_server.h"

namespace kinf {
namespace {

using test::fixture;
using test::ScriptedServer;
using test::SeenRequest;
using test::ServerConnection;

struct Answer {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::string headers{};
};

Result<ApiAnswer> ask(const Answer& answer, std::shared_ptr<RequestAuthorizer> authorizer = nullptr,
                      std::vector<SeenRequest>* seen = nullptr) {
  RealClock clock;
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest&) {
    connection.answer(answer.status, answer.content_type, answer.body, answer.headers);
    return true;
  });
  ClientConfig config;
  config.host = server.url();
  const auto client = ApiClient::create(config, {}, std::move(authorizer), clock).value();
  ApiRequest request;
  request.path = "/api/v1/namespaces/shop/pods/web-1";
  request.verb = "get";
  request.resource = "pods";
  request.name = "web-1";
  Result<ApiAnswer> result = client->get(std::move(request), {});
  if (seen != nullptr) *seen = server.requests();
  return result;
}

TEST_CASE("get() returns the whole body and its content type") {
  const Result<ApiAnswer> answer = ask({.body = "{\"kind\":\"Pod\"}"});
  REQUIRE(answer);
  CHECK(answer->body == "{\"kind\":\"Pod\"}");
  CHECK(answer->content_type == "application/json");
}

TEST_CASE("J3: a Status in the answer decides the error's message and kind") {
  const Result<ApiAnswer> forbidden = ask({.status = 403, .body = fixture("error/403-watch.json")});
  REQUIRE_FALSE(forbidden);
  CHECK(forbidden.error().kind == ErrorKind::forbidden);
  CHECK(forbidden.error().message.find("cannot watch resource") != std::string::npos);
  REQUIRE(forbidden.error().status);
  CHECK(forbidden.error().status->reason == "Forbidden");

  const Result<ApiAnswer> unauthorized =
      ask({.status = 401, .body = fixture("error/401-bad-token.json")});
  REQUIRE_FALSE(unauthorized);
  CHECK(unauthorized.error().kind == ErrorKind::auth);
}

TEST_CASE("J3: without a Status the HTTP code decides the error") {
  const Result<ApiAnswer> forbidden = ask({.status = 403, .content_type = "", .body = ""});
  REQUIRE_FALSE(forbidden);
  CHECK(forbidden.error().kind == ErrorKind::forbidden);

  const Result<ApiAnswer> gone =
      ask({.status = 404, .content_type = "text/plain", .body = fixture("error/404-group.txt")});
  REQUIRE_FALSE(gone);
  CHECK(gone.error().kind == ErrorKind::not_found);

  const Result<ApiAnswer> moved = ask({.status = 302, .body = "", .headers = "Location: /x\r\n"});
  REQUIRE_FALSE(moved);
}

TEST_CASE("J10: a Status that reports success in a failed answer is ignored") {
  const Result<ApiAnswer> answer =
      ask({.status = 503,
           .body = R"({"kind":"Status","apiVersion":"v1","status":"Success","code":200})"});
  REQUIRE_FALSE(answer);
  CHECK(answer.error().kind == ErrorKind::unavailable);
}

TEST_CASE("J6: Retry-After is passed on, and get() does not retry") {
  std::vector<SeenRequest> seen;
  const Result<ApiAnswer> busy = ask({.status = 429,
                                      .content_type = "text/plain",
                                      .body = fixture("error/429-get.txt"),
                                      .headers = "Retry-After: 1\r\n"},
                                     nullptr, &seen);
  REQUIRE_FALSE(busy);
  CHECK(busy.error().kind == ErrorKind::throttled);
  CHECK(busy.error().retry_after == std::chrono::seconds(1));
  CHECK(seen.size() == 1);

  const Result<ApiAnswer> date =
      ask({.status = 503, .body = "", .headers = "Retry-After: Sat, 21 Nov 2026 10:14:00 GMT\r\n"});
  REQUIRE_FALSE(date);
  CHECK(date.error().kind == ErrorKind::unavailable);
  CHECK_FALSE(date.error().retry_after.has_value());
}

TEST_CASE("a 410 keeps the continue token for an inconsistent rest") {
  const Result<ApiAnswer> gone =
      ask({.status = 410, .body = fixture("error/410-list-continue.json")});
  REQUIRE_FALSE(gone);
  CHECK(gone.error().kind == ErrorKind::expired);
  CHECK_FALSE(gone.error().status->continue_token.empty());
}

TEST_CASE("an HTML page is a protocol error with any status") {
  const Result<ApiAnswer> page =
      ask({.status = 200, .content_type = "text/html", .body = "<html>log in</html>"});
  REQUIRE_FALSE(page);
  CHECK(page.error().kind == ErrorKind::protocol);
  CHECK(page.error().message.find("text/html") != std::string::npos);
}

TEST_CASE("http to an API server's TLS port hints at https") {
  const Result<ApiAnswer> answer = ask(
      {.status = 400, .content_type = "text/plain", .body = fixture("error/http-on-tls-port.txt")});
  REQUIRE_FALSE(answer);
  CHECK(answer.error().message.ends_with(": the server speaks TLS on this port"));
  CHECK(answer.error().hint.find("https://") != std::string::npos);
}

class TokenSequence final : public RequestAuthorizer {
 public:
  explicit TokenSequence(std::vector<std::string> tokens) : tokens_(std::move(tokens)) {}
  Result<RequestIdentity> identity() override {
    RequestIdentity identity;
    identity.headers = {"Authorization: Bearer " + tokens_.front()};
    return identity;
  }
  void invalidate(const RequestIdentity&) override {
    if (tokens_.size() > 1) tokens_.erase(tokens_.begin());
  }

 private:
  std::vector<std::string> tokens_;
};

Result<ApiAnswer> ask_with_tokens(std::vector<std::string> tokens, std::vector<SeenRequest>& seen) {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest& request) {
    const bool good = request.header("authorization") == "Bearer fresh";
    connection.answer(good ? 200 : 401, "application/json",
                      good ? "{}" : fixture("error/401-bad-token.json"));
    return true;
  });
  ClientConfig config;
  config.host = server.url();
  auto authorizer = std::make_shared<TokenSequence>(std::move(tokens));
  const auto client = ApiClient::create(config, {}, std::move(authorizer), clock).value();
  Result<ApiAnswer> result = client->get("/api", {});
  seen = server.requests();
  return result;
}

TEST_CASE("J27: after a 401 the request is sent once more if the token has changed") {
  std::vector<SeenRequest> seen;
  CHECK(ask_with_tokens({"stale", "fresh"}, seen).has_value());
  CHECK(seen.size() == 2);

  CHECK_FALSE(ask_with_tokens({"stale"}, seen).has_value());
  CHECK(seen.size() == 1);

  CHECK_FALSE(ask_with_tokens({"stale", "staler", "fresh"}, seen).has_value());
  CHECK(seen.size() == 2);
}

TEST_CASE("A16: credentials that no request can carry are an error, and nothing is sent") {
  std::vector<SeenRequest> seen;
  const Result<ApiAnswer> refused = ask_with_tokens({std::string(1 << 20, 'a')}, seen);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::auth);
  CHECK(refused.error().message ==
        "the credentials are too large for a request: 1048598 bytes, the limit is 61440");
  CHECK(seen.empty());
}

TEST_CASE("a stop ends a request that gets no answer") {
  RealClock clock;
  std::stop_source stop;
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest&) {
    stop.request_stop();
    connection.hold();
    return false;
  });
  ClientConfig config;
  config.host = server.url();
  const auto client = ApiClient::create(config, {}, nullptr, clock).value();
  const Result<ApiAnswer> answer = client->get("/api", stop.get_token());
  REQUIRE_FALSE(answer);
  CHECK(answer.error().kind == ErrorKind::stopped);
}

}  // namespace
}  // namespace kinf
