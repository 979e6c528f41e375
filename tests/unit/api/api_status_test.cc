// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/api_status.h"

#include <doctest/doctest.h>

#include "fakes/fixture.h"

namespace kinf {
namespace {

using test::fixture;

Error error_of(const std::string& name) {
  auto status = parse_api_status(fixture("error/" + name));
  REQUIRE(status);
  return to_error(std::move(*status));
}

TEST_CASE("each recorded failure has the right error kind") {
  const struct {
    const char* name;
    ErrorKind kind;
  } cases[] = {
      {"400-bad-labelselector.json", ErrorKind::usage},
      {"401-bad-token.json", ErrorKind::auth},
      {"403-list.json", ErrorKind::forbidden},
      {"404-object.json", ErrorKind::not_found},
      {"404-resource.json", ErrorKind::not_found},
      {"405-method.json", ErrorKind::usage},
      {"406-not-acceptable.json", ErrorKind::usage},
      {"409-exists.json", ErrorKind::already_exists},
      {"410-list-continue.json", ErrorKind::expired},
      {"410-list-exact.json", ErrorKind::expired},
      {"422-watchlist-no-match.json", ErrorKind::usage},
      {"429-cache-init-list.json", ErrorKind::throttled},
      {"504-rv-too-large-list.json", ErrorKind::too_large_version},
  };
  for (const auto& one : cases) {
    CAPTURE(one.name);
    CHECK(error_of(one.name).kind == one.kind);
  }
}

TEST_CASE("an error keeps the server's message and all fields of its Status") {
  const Error error = error_of("422-watchlist-no-match.json");
  CHECK(error.message ==
        "ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: "
        "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  REQUIRE(error.status);
  CHECK(error.status->code == 422);
  CHECK(error.status->reason == "Invalid");
  CHECK(error.status->details_group == "meta.k8s.io");
  CHECK(error.status->details_kind == "ListOptions");
  REQUIRE(error.status->causes.size() == 1);
  CHECK(error.status->causes[0].reason == "FieldValueForbidden");
  CHECK(error.status->causes[0].field == "resourceVersionMatch");
  CHECK_FALSE(error.retry_after);
  CHECK(error_of("404-object.json").status->details_name == "absent");
  CHECK(error_of("410-list-continue.json").status->continue_token.starts_with("eyJ2IjoibWV0"));
}

TEST_CASE("retryAfterSeconds becomes retry_after in milliseconds") {
  const Error error = error_of("429-cache-init-list.json");
  CHECK(error.retry_after == std::chrono::milliseconds(1000));
  CHECK(is_throttled(error));
}

TEST_CASE("a body that is not a Status of a failure is refused") {
  CHECK(parse_api_status(fixture("error/404-group.txt")).error().kind == ErrorKind::protocol);
  for (const char* body :
       {"", "[]", "null", "\"Status\"", "{", R"({"code":404})", R"({"kind":"Pod","code":404})",
        R"({"kind":"Status","status":"Success","code":200})", R"({"kind":"Status")",
        R"({"kind":"Status","details":[]})"}) {
    CAPTURE(body);
    CHECK_FALSE(parse_api_status(body));
  }
  CHECK(parse_api_status(R"( {"kind":"Status","code":418,"details":null} )")->code == 418);
}

TEST_CASE("A9: of a huge Status, only the begin of its texts and some causes are kept") {
  std::string causes;
  for (int i = 0; i < 1000; ++i) causes += i == 0 ? "{}" : ",{}";
  std::string message = "x";
  for (int i = 0; i < 100'000; ++i) message += "é";
  const auto status =
      parse_api_status(R"({"kind":"Status","status":"Failure","code":500,"message":")" + message +
                       R"(","details":{"causes":[)" + causes + "]}}");
  REQUIRE(status);
  CHECK(status->message.size() < 17'000);
  CHECK(status->message.ends_with("é…"));
  CHECK(status->causes.size() == 100);
}

TEST_CASE("a failure without a Status has the message for its code") {
  const ApiStatus gone =
      generic_api_status(404, "GET", "widgets.example.test", "w1", fixture("error/404-group.txt"));
  CHECK(gone.reason == "NotFound");
  CHECK(gone.message ==
        "the server could not find the requested resource (get widgets.example.test w1)");
  CHECK(gone.details_group == "example.test");
  CHECK(gone.details_kind == "widgets");
  REQUIRE(gone.causes.size() == 1);
  CHECK(gone.causes[0].reason == "UnexpectedServerResponse");
  CHECK(gone.causes[0].message == "404 page not found");

  const Error busy =
      to_error(generic_api_status(429, "GET", "pods", "", fixture("error/429-list.txt")));
  CHECK(is_throttled(busy));
  CHECK(busy.message ==
        "the server has received too many requests and has asked us to try again later "
        "(get pods)");

  const ApiStatus broken = generic_api_status(502, "GET", "", "", "bad \"gate\"\n");
  CHECK(broken.message ==
        "an error on the server (\"bad \\\"gate\\\"\") has prevented the request from succeeding");
  CHECK(to_error(broken).kind == ErrorKind::unavailable);
  CHECK(generic_api_status(403, "GET", "", "", " no \n").message == "no");
  CHECK(generic_api_status(403, "GET", "", "", std::string(9000, 'x')).message.size() == 2048);
  CHECK(is_expired(to_error(generic_api_status(410, "GET", "pods", "", ""))));
}

TEST_CASE("a known reason decides the kind, otherwise the code") {
  const auto kind = [](int code, std::string reason) {
    ApiStatus status;
    status.code = code;
    status.reason = std::move(reason);
    return to_error(std::move(status)).kind;
  };
  CHECK(kind(500, "Expired") == ErrorKind::expired);
  CHECK(kind(410, "Forbidden") == ErrorKind::forbidden);
  CHECK(kind(410, "Whatever") == ErrorKind::expired);
  CHECK(kind(410, "Gone") == ErrorKind::expired);
  CHECK(kind(429, "InternalError") == ErrorKind::throttled);
  CHECK(kind(0, "") == ErrorKind::protocol);
}

TEST_CASE("all three messages for a version the server has not reached are recognised") {
  ApiStatus by_cause;
  by_cause.causes.push_back({"ResourceVersionTooLarge", "", ""});
  CHECK(is_too_large_resource_version(to_error(by_cause)));
  ApiStatus by_cause_message;
  by_cause_message.reason = "Timeout";
  by_cause_message.causes.push_back({"", "Too large resource version", ""});
  CHECK(is_too_large_resource_version(to_error(by_cause_message)));
  ApiStatus by_message;
  by_message.code = 504;
  by_message.message = "Timeout: Too large resource version: 9, current: 3";
  CHECK(is_too_large_resource_version(to_error(by_message)));
  by_message.code = 500;
  CHECK_FALSE(is_too_large_resource_version(to_error(by_message)));
}

}  // namespace
}  // namespace kinf
