// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/list_request.h"

#include <doctest/doctest.h>

#include "unit/sandbox/api/api_world.h"

namespace kinf::sandbox {
namespace {

using Names = std::vector<std::string>;

struct Pods : ApiWorld {
  explicit Pods(std::size_t window = 4096) : ApiWorld({}, window) {
    for (const char* name : {"a", "b", "c", "d"}) {
      add("v1", "Pod", name, {{"metadata", {{"labels", {{"half", *name < 'c' ? "1" : "2"}}}}}});
    }
  }
  ApiResult<Page> page(const ListRequest& request, const std::string& labels = "") {
    const ApiType& pods = type("v1", "Pod");
    return list_page(store, pods, request, *ObjectFilter::parse(pods, "", labels, ""));
  }
  static Names names(const Page& page) {
    Names result;
    for (const StoredPtr& object : page.objects) result.push_back(object->key.name);
    return result;
  }
  static ListRequest limited(std::size_t limit) {
    ListRequest request;
    request.limit = limit;
    return request;
  }
  /// The request for the page after `page`.
  static ListRequest next(const Page& page, std::size_t limit) {
    ListRequest request = limited(limit);
    request.token = *parse_continue_token(page.metadata.continue_token);
    return request;
  }
};

TEST_CASE("a list without a limit is one page at the newest version") {
  Pods pods;
  const auto page = pods.page({});
  REQUIRE(page.has_value());
  CHECK(Pods::names(*page) == Names{"a", "b", "c", "d"});
  CHECK(page->metadata.version == std::to_string(pods.store.version()));
  CHECK(page->metadata.continue_token.empty());
  CHECK_FALSE(page->metadata.remaining);
}

TEST_CASE("pages show one state, also if objects come and go in between") {
  Pods pods;
  const auto first = pods.page(Pods::limited(2));
  REQUIRE(first.has_value());
  CHECK(Pods::names(*first) == Names{"a", "b"});
  CHECK(first->metadata.remaining == 2);
  pods.add("v1", "Pod", "bb");
  pods.objects.erase(pods.type("v1", "Pod"), {"default", "d"});
  const auto second = pods.page(Pods::next(*first, 2));
  REQUIRE(second.has_value());
  CHECK(Pods::names(*second) == Names{"c", "d"});
  CHECK(second->metadata.version == first->metadata.version);
  CHECK(second->metadata.continue_token.empty());
}

TEST_CASE("a selector is applied before the limit, and the rest is then not counted") {
  Pods pods;
  const auto page = pods.page(Pods::limited(1), "half=2");
  REQUIRE(page.has_value());
  CHECK(Pods::names(*page) == Names{"c"});
  CHECK_FALSE(page->metadata.remaining);
  CHECK(Pods::names(*pods.page(Pods::next(*page, 5), "half=2")) == Names{"d"});
}

TEST_CASE("an expired token is refused with one for the inconsistent rest") {
  Pods pods;
  const auto first = pods.page(Pods::limited(2));
  pods.add("v1", "Pod", "e");
  pods.store.compact();
  const auto refused = pods.page(Pods::next(*first, 2));
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code == 410);
  CHECK(refused.error().reason == "Expired");
  ListRequest rest;
  rest.token = *parse_continue_token(refused.error().continue_token);
  CHECK(rest.token->version == -1);
  CHECK(Pods::names(*pods.page(rest)) == Names{"c", "d", "e"});
}

TEST_CASE("a version can be asked for exactly, as a minimum, or too early") {
  Pods pods;
  const std::uint64_t version = pods.store.version();
  pods.add("v1", "Pod", "e");
  ListRequest request;
  request.version = version;
  request.match = VersionMatch::exact;
  const auto exact = pods.page(request);
  REQUIRE(exact.has_value());
  CHECK(exact->objects.size() == 4);
  CHECK(exact->metadata.version == std::to_string(version));
  request.match = VersionMatch::not_older_than;
  CHECK(pods.page(request)->objects.size() == 5);
  for (const VersionMatch match :
       {VersionMatch::exact, VersionMatch::not_older_than, VersionMatch::unset}) {
    request.version = version + 2;
    request.match = match;
    const auto early = pods.page(request);
    REQUIRE_FALSE(early.has_value());
    CHECK(early.error().code == 504);
    CHECK(early.error().message ==
          "Timeout: Too large resource version: " + std::to_string(version + 2) +
              ", current: " + std::to_string(version + 1));
  }
  pods.store.compact();
  request.version = version;
  request.match = VersionMatch::exact;
  CHECK(pods.page(request).error().code == 410);
}

}  // namespace
}  // namespace kinf::sandbox
