// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/type_args.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

using Types = std::vector<RequestedType>;

TEST_CASE("types and names are told apart as kubectl does") {
  CHECK(parse_type_args({"pods"}).value() == Types{{"pods", {}}});
  CHECK(parse_type_args({"po,svc", "web", "api"}).value() ==
        Types{{"po", {"web", "api"}}, {"svc", {"web", "api"}}});
  CHECK(parse_type_args({"po/web", "svc/web", "po/api", "po/web"}).value() ==
        Types{{"po", {"web", "api"}}, {"svc", {"web"}}});
  CHECK(parse_type_args({"po,po", "a", "a"}).value() == Types{{"po", {"a"}}});
}

TEST_CASE("an empty name does not select all objects") {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"pods", ""}, {"pods", "web", ""}, {"pod/web", ""}}) {
    const auto types = parse_type_args(args);
    REQUIRE_FALSE(types);
    CHECK(types.error().kind == ErrorKind::usage);
    CHECK(types.error().message == "resource name may not be empty");
  }
}

TEST_CASE("all types take no name") {
  REQUIRE(parse_type_args({"*"}).has_value());
  CHECK(parse_type_args({"*"})->front().is_all());
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"*", "web"}, {"*/web"}, {"pods,*", "web"}}) {
    const auto types = parse_type_args(args);
    REQUIRE_FALSE(types);
    CHECK(types.error().kind == ErrorKind::usage);
    CHECK(types.error().hint.contains("metadata.name=NAME"));
  }
}

TEST_CASE("what makes no sense is refused") {
  for (const std::vector<std::string>& args : {std::vector<std::string>{},
                                               {"pods", "po/web"},
                                               {"po/web", "api"},
                                               {"po/a/b"},
                                               {"/web"},
                                               {"po/"},
                                               {","}}) {
    const auto types = parse_type_args(args);
    REQUIRE_FALSE(types.has_value());
    CHECK(types.error().kind == ErrorKind::usage);
  }
}

}  // namespace
}  // namespace kinf
