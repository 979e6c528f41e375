// SPDX-License-Identifier: Apache-2.0
// Tests the order of types and names, and duplicates.
#include <doctest/doctest.h>

#include "kinf/cli/flags/type_args.h"

namespace kinf {
namespace {

using Words = std::vector<std::string>;
using Types = std::vector<RequestedType>;

TEST_CASE("a comma-separated list is split without empty parts") {
  struct Case {
    const char* text;
    Words parts;
  };
  for (const Case& one : {Case{"", {}}, Case{"a", {"a"}}, Case{"a,b", {"a", "b"}},
                          Case{",a,,b,", {"a", "b"}}, Case{",", {}}, Case{"a, b", {"a", " b"}}}) {
    CAPTURE(one.text);
    CHECK(split_commas(one.text) == one.parts);
  }
}

TEST_CASE("types and names keep the order of their first mention, each once") {
  struct Case {
    Words arguments;
    Types types;
  };
  const Case cases[] = {
      {{"svc,po,svc"}, {{"svc", {}}, {"po", {}}}},
      {{"po", "b", "a", "b"}, {{"po", {"b", "a"}}}},
      {{"po,svc", "web"}, {{"po", {"web"}}, {"svc", {"web"}}}},
      {{"svc/x", "po/b", "svc/a", "svc/x"}, {{"svc", {"x", "a"}}, {"po", {"b"}}}},
      {{"deployments.v1.apps"}, {{"deployments.v1.apps", {}}}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.arguments);
    CHECK(parse_type_args(one.arguments).value() == one.types);
  }
}

TEST_CASE("arguments that name no object are rejected with the reason") {
  struct Case {
    Words arguments;
    const char* reason;
  };
  for (const Case& one : {Case{{}, "You must specify the type of resource to get"},
                          Case{{","}, "the resource type is empty"},
                          Case{{"po/a", "svc"}, "there is no need to specify a resource type"},
                          Case{{"po", "svc/a"}, "there is no need to specify a resource type"},
                          Case{{"po/a/b"}, "may not have more than one slash"},
                          Case{{"po/"}, "must have a single resource and name"},
                          Case{{"/a"}, "must have a single resource and name"}}) {
    CAPTURE(one.arguments);
    const auto types = parse_type_args(one.arguments);
    REQUIRE_FALSE(types.has_value());
    CHECK(types.error().kind == ErrorKind::usage);
    CHECK(types.error().message.find(one.reason) != std::string::npos);
  }
}

}  // namespace
}  // namespace kinf
