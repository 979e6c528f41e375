// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/list_request.h"

#include <doctest/doctest.h>

#include "unit/sandbox/api/api_world.h"

namespace kinf::sandbox {
namespace {

ApiResult<ListRequest> parsed(const std::string& query, bool is_watch = false) {
  return parse_list_request(ApiWorld::request("GET", "/pods?" + query), is_watch);
}

TEST_CASE("the parameters of a list are read") {
  const auto none = parsed("");
  REQUIRE(none.has_value());
  CHECK_FALSE(none->version);
  CHECK(none->match == VersionMatch::unset);
  CHECK(none->limit == 0);

  const auto all = parsed("resourceVersion=7&resourceVersionMatch=Exact&limit=500");
  REQUIRE(all.has_value());
  CHECK(all->version == 7);
  CHECK(all->match == VersionMatch::exact);
  CHECK(all->limit == 500);
  CHECK(parsed("limit=many")->limit == 0);
  CHECK_FALSE(parsed("sendInitialEvents=false")->send_initial_events);
}

TEST_CASE("the parameters of a watch are read; it has no continue token") {
  const auto watch = parsed(
      "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1"
      "&timeoutSeconds=30&continue=ignored",
      true);
  REQUIRE(watch.has_value());
  CHECK(watch->send_initial_events);
  CHECK(watch->bookmarks);
  CHECK(watch->timeout_seconds == 30);
  CHECK(watch->match == VersionMatch::not_older_than);
  CHECK_FALSE(watch->token);
}

TEST_CASE("combinations that the API server refuses are refused with its code and cause") {
  struct Case {
    const char* query;
    bool is_watch;
    int code;
    const char* says;
  };
  for (const Case& each : std::vector<Case>{
           {"resourceVersion=abc", false, 400, "parsing \"abc\": invalid syntax"},
           {"resourceVersion=-1", false, 400, "invalid resource version"},
           {"resourceVersionMatch=Newer", false, 422, "supported values: \"Exact\""},
           {"resourceVersionMatch=Exact", false, 422, "unless resourceVersion is provided"},
           {"resourceVersionMatch=NotOlderThan", false, 422, "unless resourceVersion is provided"},
           {"resourceVersion=0&resourceVersionMatch=Exact", false, 422, "\"exact\" is forbidden"},
           {"sendInitialEvents=true", true, 422, "requires setting resourceVersionMatch"},
           {"sendInitialEvents=true&resourceVersionMatch=Exact", true, 422,
            "requires setting resourceVersionMatch"},
           {"resourceVersionMatch=NotOlderThan", true, 422, "forbidden for watch unless"},
           {"continue=rubbish", false, 400, "invalid continue token"},
           {"continue=%%%", false, 400, "invalid continue token"},
       }) {
    const auto request = parsed(each.query, each.is_watch);
    REQUIRE_MESSAGE(!request.has_value(), each.query);
    CHECK(request.error().code == each.code);
    CHECK_MESSAGE(request.error().message.find(each.says) != std::string::npos,
                  request.error().message);
  }
}

TEST_CASE("a continue token survives a URL and its trip to the client and back") {
  for (const ContinueToken& token : {ContinueToken{17, std::string("/default/web\0", 13)},
                                     ContinueToken{-1, "/x/y"}, ContinueToken{1, "/ÿÿÿ/>>>???"}}) {
    const std::string text = to_text(token);
    CHECK(text.find_first_of("+/=") == std::string::npos);
    const auto back = parse_continue_token(text);
    REQUIRE(back.has_value());
    CHECK(back->version == token.version);
    CHECK(back->start == token.start);
  }
}

TEST_CASE("a continue token goes with resourceVersion 0 or none") {
  const std::string token = "continue=" + to_text(ContinueToken{5, "/default/a"});
  CHECK(parsed(token)->token->version == 5);
  CHECK(parsed(token + "&resourceVersion=0").has_value());
  const auto refused = parsed(token + "&resourceVersion=5");
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message ==
        "specifying resource version is not allowed when using continue");
}

}  // namespace
}  // namespace kinf::sandbox
