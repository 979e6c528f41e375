// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/api_errors.h"

#include <doctest/doctest.h>

namespace kinf::sandbox {
namespace {

const GroupVersionResource kPods{"", "v1", "pods"};
const GroupVersionResource kDeployments{"apps", "v1", "deployments"};

TEST_CASE("errors have the code, the reason and the message of the real server") {
  struct Case {
    ApiStatus status;
    int code;
    const char* reason;
    const char* message;
  };
  for (const Case& each : std::vector<Case>{
           {not_found(kPods, "web"), 404, "NotFound", "pods \"web\" not found"},
           {not_found(kDeployments, "web"), 404, "NotFound", "deployments.apps \"web\" not found"},
           {already_exists(kPods, "web"), 409, "AlreadyExists", "pods \"web\" already exists"},
           {modified_meanwhile(kPods, "web"), 409, "Conflict",
            "Operation cannot be fulfilled on pods \"web\": the object has been modified; please "
            "apply your changes to the latest version and try again"},
           {forbidden(kPods, "list", "shop"), 403, "Forbidden",
            "pods is forbidden: User \"sandbox\" cannot list resource \"pods\" in API group \"\" "
            "in the namespace \"shop\""},
           {forbidden(kDeployments, "get", ""), 403, "Forbidden",
            "deployments.apps is forbidden: User \"sandbox\" cannot get resource \"deployments\" "
            "in API group \"apps\" at the cluster scope"},
           {namespace_terminating(kPods, "web", "shop"), 403, "Forbidden",
            "pods \"web\" is forbidden: unable to create new content in namespace shop because it "
            "is being terminated"},
           {method_not_allowed(), 405, "MethodNotAllowed",
            "the server does not allow this method on the requested resource"},
           {too_large_patch(5, 3), 413, "RequestEntityTooLarge",
            "The allowed maximum operations in a JSON patch is 3, got 5"},
           {invalid("apps", "Deployment", "web", {{"FieldValueRequired", "Required value", "a"}}),
            422, "Invalid", "Deployment.apps \"web\" is invalid: a: Required value"},
           {invalid("", "Pod", "web", {{"r", "one", "a"}, {"r", "two", "b"}}), 422, "Invalid",
            "Pod \"web\" is invalid: [a: one, b: two]"},
           {unauthorized(), 401, "Unauthorized", "Unauthorized"},
           {expired("gone"), 410, "Expired", "gone"},
       }) {
    CHECK(each.status.code == each.code);
    CHECK(each.status.reason == each.reason);
    CHECK(each.status.message == each.message);
  }
}

TEST_CASE("an injected error has the reason that goes with its code") {
  struct Case {
    int code;
    const char* reason;
  };
  for (const Case& each : std::vector<Case>{{400, "BadRequest"},
                                            {401, "Unauthorized"},
                                            {403, "Forbidden"},
                                            {404, "NotFound"},
                                            {410, "Expired"},
                                            {429, "TooManyRequests"},
                                            {500, "InternalError"},
                                            {503, "ServiceUnavailable"},
                                            {504, "Timeout"},
                                            {599, "InternalError"}}) {
    CHECK(server_error(each.code).code == each.code);
    CHECK(server_error(each.code).reason == each.reason);
  }
}

TEST_CASE("a Status document holds what the error says about its object") {
  CHECK(to_text(status_json(not_found(kDeployments, "web"))) ==
        R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
        R"("message":"deployments.apps \"web\" not found","reason":"NotFound",)"
        R"("details":{"name":"web","group":"apps","kind":"deployments"},"code":404})");
  CHECK_FALSE(status_json(bad_request("x")).contains("details"));
  CHECK(status_json(no_such_resource())["details"] == Json::object());
  const Json early = status_json(too_large_version(9, 7));
  CHECK(early["details"]["retryAfterSeconds"] == 1);
  CHECK(early["details"]["causes"][0]["reason"] == "ResourceVersionTooLarge");
  CHECK_FALSE(early["details"]["causes"][0].contains("field"));
  ApiStatus rest = expired("too old");
  rest.continue_token = "abc";
  CHECK(status_json(rest)["metadata"]["continue"] == "abc");
}

}  // namespace
}  // namespace kinf::sandbox
