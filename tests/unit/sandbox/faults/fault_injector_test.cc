// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/fault_injector.h"

#include <doctest/doctest.h>

#include "kinf/sandbox/api_types.h"
#include "kinf/sandbox/json.h"

namespace kinf::sandbox {
namespace {

struct Fixture {
  explicit Fixture(std::initializer_list<const char*> faults) {
    for (const char* text : faults) injector.add(*parse_fault(text));
    pods.type = types.find("", "v1", "pods");
    pods.ns = "shop";
    REQUIRE(pods.type != nullptr);
  }

  FaultVerdict ask(const std::string& verb, bool continues = false, bool streaming = false) {
    return injector.judge({verb, &pods, continues, streaming});
  }
  /// The status of the answer instead, 0 if there is none.
  int code(const std::string& verb) {
    const FaultVerdict verdict = ask(verb);
    return verdict.instead ? verdict.instead->code : 0;
  }

  ApiTypes types;
  FaultInjector injector;
  ResourcePath pods;
};

TEST_CASE("an error hits as many reads as it says, and no write") {
  Fixture fixture{"error:500:2"};
  CHECK(fixture.code("create") == 0);
  CHECK(fixture.code("list") == 500);
  CHECK(fixture.code("watch") == 500);
  CHECK(fixture.code("list") == 0);
}

TEST_CASE("410 hits the next watch, an expired token the next page that continues") {
  Fixture fixture{"gone", "expire-continue"};
  CHECK_FALSE(fixture.ask("list").expired);
  CHECK(fixture.ask("watch").expired);
  CHECK_FALSE(fixture.ask("watch").expired);
  CHECK(fixture.ask("list", true).expired);
  CHECK_FALSE(fixture.ask("list", true).expired);
}

TEST_CASE("too many requests are refused as JSON, or as the text of the in-flight limit") {
  Fixture fixture{"too-many:429:retry-after=2", "too-many:429:text"};
  const HttpAnswer json = *fixture.ask("list").instead;
  CHECK(json.code == 429);
  CHECK(json.headers.front() == std::pair<std::string, std::string>("Retry-After", "2"));
  CHECK(text(field(*parse_json(json.body), "reason")) == "TooManyRequests");
  const HttpAnswer plain = *fixture.ask("watch").instead;
  CHECK(plain.content_type.starts_with("text/plain"));
  CHECK(plain.headers.front().second == "1");
  CHECK_FALSE(fixture.ask("list").instead);
}

TEST_CASE(
    "a denied resource is forbidden in the words of the access rules, until all is forgiven") {
  Fixture fixture{"deny:pods"};
  const HttpAnswer answer = *fixture.ask("list").instead;
  CHECK(answer.code == 403);
  CHECK(
      text(field(*parse_json(answer.body), "message")) ==
      "pods is forbidden: User \"sandbox\" cannot list resource \"pods\" in API group \"\" in the "
      "namespace \"shop\"");
  CHECK(fixture.code("create") == 403);
  fixture.injector.add(*parse_fault("none"));
  CHECK(fixture.code("list") == 0);
}

TEST_CASE("streaming lists without their end go on until all is forgiven") {
  Fixture fixture{"no-bookmark-end"};
  CHECK(fixture.ask("watch", false, true).endless);
  CHECK(fixture.ask("watch", false, true).endless);
  CHECK_FALSE(fixture.ask("watch").endless);
  fixture.injector.add(*parse_fault("none"));
  CHECK_FALSE(fixture.ask("watch", false, true).endless);
}

TEST_CASE("chance repeats itself with its seed, and spares writes") {
  const auto outcomes = [] {
    Fixture fixture{"random:seed=3:rate=0.5"};
    std::string result;
    for (int i = 0; i < 60; ++i) {
      CHECK_FALSE(fixture.ask("update").instead);
      const FaultVerdict verdict = fixture.ask(i % 2 == 0 ? "watch" : "list");
      if (verdict.instead) result += std::to_string(verdict.instead->code);
      result += verdict.expired ? 'x' : verdict.garbage ? 'g' : '.';
    }
    return result;
  };
  const std::string first = outcomes();
  CHECK(first == outcomes());
  CHECK(first.find('x') != std::string::npos);
  CHECK(first.find('g') != std::string::npos);
  CHECK(first.find("429") != std::string::npos);
  CHECK(first.find("50") != std::string::npos);
}

TEST_CASE("damaged documents are no JSON any more") {
  for (const char* document :
       {R"({"items":[]})", R"({"items":[{"a":"0123456789"},{"b":[1,2]}]})"}) {
    CHECK(parse_json(document));
    CHECK_FALSE(parse_json(damaged(document)));
  }
  CHECK_FALSE(parse_json(garbage_event()));
}

}  // namespace
}  // namespace kinf::sandbox
