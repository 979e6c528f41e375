// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/faults/fault_injector.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace kinf::sandbox {
namespace {

struct Fixture {
  explicit Fixture(std::initializer_list<const char*> faults) {
    for (const char* text : faults) injector.add(*parse_fault(text));
  }

  RequestFault ask(const std::string& verb, bool continues = false, bool streaming = false) {
    return injector.take({verb, {"", "v1", "pods"}, continues, streaming});
  }
  /// The code of the refusal, 0 if there is none.
  int code(const std::string& verb) {
    const RequestFault fault = ask(verb);
    return fault.refusal ? fault.refusal->code : 0;
  }

  FaultInjector injector;
};

bool is_json(const std::string& text) { return nlohmann::json::accept(text); }

TEST_CASE("an error affects its number of reads, and no write") {
  Fixture fixture{"error:500:2"};
  CHECK(fixture.code("create") == 0);
  CHECK(fixture.code("list") == 500);
  CHECK(fixture.code("watch") == 500);
  CHECK(fixture.code("list") == 0);
}

TEST_CASE("gone affects the next watch, expire-continue the next page with a token") {
  Fixture fixture{"gone", "expire-continue"};
  CHECK_FALSE(fixture.ask("list").expired);
  CHECK(fixture.ask("watch").expired);
  CHECK_FALSE(fixture.ask("watch").expired);
  CHECK(fixture.ask("list", true).expired);
  CHECK_FALSE(fixture.ask("list", true).expired);
}

TEST_CASE("a refusal carries the details of its fault") {
  Fixture fixture{"too-many:429:retry-after=2", "too-many:429:text"};
  const FaultSpec first = *fixture.ask("list").refusal;
  CHECK(first.kind == FaultKind::too_many);
  CHECK(first.retry_after == std::chrono::seconds(2));
  CHECK(fixture.ask("watch").refusal->as_text);
  CHECK_FALSE(fixture.ask("list").refusal);
}

TEST_CASE("a denied resource is refused for every verb, until all faults end") {
  Fixture fixture{"deny:pods"};
  CHECK(fixture.ask("list").refusal->kind == FaultKind::deny);
  CHECK(fixture.ask("create").refusal->kind == FaultKind::deny);
  CHECK_FALSE(fixture.injector.take({"list", {"", "v1", "services"}}).refusal);
  fixture.injector.add(*parse_fault("none"));
  CHECK_FALSE(fixture.ask("list").refusal);
}

TEST_CASE("streaming lists lack their last bookmark until all faults end") {
  Fixture fixture{"no-bookmark-end"};
  CHECK(fixture.ask("watch", false, true).omit_initial_events_end);
  CHECK(fixture.ask("watch", false, true).omit_initial_events_end);
  CHECK_FALSE(fixture.ask("watch").omit_initial_events_end);
  fixture.injector.add(*parse_fault("none"));
  CHECK_FALSE(fixture.ask("watch", false, true).omit_initial_events_end);
}

TEST_CASE("random faults depend on the seed alone, and never affect writes") {
  const auto outcomes = [] {
    Fixture fixture{"random:seed=3:rate=0.5"};
    std::string result;
    for (int i = 0; i < 60; ++i) {
      CHECK_FALSE(fixture.ask("update").refusal);
      const RequestFault fault = fixture.ask(i % 2 == 0 ? "watch" : "list");
      if (fault.refusal) result += std::to_string(fault.refusal->code);
      if (fault.refusal && fault.refusal->kind == FaultKind::too_many) result += "429";
      result += fault.expired ? 'x' : fault.garbage ? 'g' : '.';
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

TEST_CASE("damaged documents are not valid JSON") {
  for (const char* document :
       {R"({"items":[]})", R"({"items":[{"a":"0123456789"},{"b":[1,2]}]})"}) {
    CHECK(is_json(document));
    CHECK_FALSE(is_json(damaged(document)));
  }
  CHECK_FALSE(is_json(garbage_event()));
}

}  // namespace
}  // namespace kinf::sandbox
