// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/http_responses.h"

#include <doctest/doctest.h>

#include "unit/sandbox/api/api_world.h"

namespace kinf::sandbox {
namespace {

TEST_CASE("a Status sets the Retry-After header") {
  const HttpResponse response = status_response(too_many_requests(std::chrono::seconds(7)));
  CHECK(response.code == 429);
  CHECK(response.content_type == "application/json");
  CHECK(response.headers[0] == std::pair<std::string, std::string>("Retry-After", "7"));
  CHECK(status_response(unauthorized()).headers.empty());
}

TEST_CASE("success is a Status with its code, or with details of the object") {
  CHECK(success_response(201).body ==
        R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201})");
  CHECK(success_response(200, {{"name", "a"}}).body ==
        R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success",)"
        R"("details":{"name":"a"}})");
}

TEST_CASE("a body is read as JSON unless it says that it is something else") {
  HttpRequest request;
  request.body = R"({"a":1})";
  for (const char* type : {"", "application/json", "application/json; charset=utf-8"}) {
    request.content_type = type;
    CHECK(body_object(request).has_value());
  }
  request.content_type = "application/yaml";
  CHECK(body_object(request).error().code == 415);
  request.content_type = "application/vnd.kubernetes.protobuf";
  CHECK(body_object(request).error().code == 400);
  request.content_type = "";
  for (const char* body : {"", "[]", "7", "{\"a\":}"}) {
    request.body = body;
    CHECK(body_object(request).error().code == 400);
  }
}

TEST_CASE("the fault endpoint takes a fault by POST and reports what is wrong with it") {
  std::string taken;
  const auto inject = [&](std::string_view spec) -> Result<void> {
    if (spec == "bad") return fail(ErrorKind::usage, "no fault \"bad\"");
    taken = spec;
    return {};
  };
  const auto ask = [&](const char* method, const char* target) {
    return fault_endpoint(ApiWorld::request(method, target), inject);
  };
  CHECK(ask("POST", "/sandbox/fault?spec=gone:2")->body == "ok\n");
  CHECK(taken == "gone:2");
  CHECK(ask("GET", "/sandbox/fault?spec=gone")->code == 405);
  CHECK(ask("POST", "/sandbox/fault?spec=bad")->code == 400);
  CHECK_FALSE(ask("POST", "/sandbox/faults"));
}

}  // namespace
}  // namespace kinf::sandbox
