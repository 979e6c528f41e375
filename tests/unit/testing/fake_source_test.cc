// SPDX-License-Identifier: Apache-2.0
#include "kinf/testing/fake_source.h"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

namespace kinf {
namespace {

using namespace std::chrono_literals;
using testing::FakeClock;
using testing::FakeSource;

/// An informer on a FakeSource, without threads, and what its handler was told.
struct FakeWorld {
  FakeWorld() {
    CHECK(server.put(R"({"metadata":{"namespace":"shop","name":"web"},"spec":{"on":1}})"));
    registration =
        informer.add_event_handler([this](const Change& change) { note(change); }).value();
    CHECK(informer.begin());
    testing::advance(informer, clock, 2s);
  }
  void note(const Change& change) {
    const char* const words[] = {"+", "~", "-", "="};
    told.push_back(words[static_cast<int>(change.type)] + change.key);
  }

  FakeClock clock;
  std::unique_ptr<FakeSource> owned = std::make_unique<FakeSource>(clock, "lamps");
  FakeSource& server = *owned;
  SharedInformer informer{std::move(owned), clock};
  std::vector<std::string> told;
  HandlerRegistration registration;
};

using Told = std::vector<std::string>;

TEST_CASE("an informer gets what a test puts into its source") {
  FakeWorld world;
  CHECK(world.informer.description() == "lamps");
  const ObjectPtr changed =
      world.server.put(R"({"metadata":{"namespace":"shop","name":"web"},"spec":{"on":2}})").value();
  CHECK(changed->resource_version() == "2");
  CHECK(changed->uid() == "uid-1");
  CHECK(world.server.put(R"({"metadata":{"name":"node","uid":"own"}})").value()->uid() == "own");
  CHECK(world.server.remove("shop/web"));
  CHECK_FALSE(world.server.remove("shop/web"));
  testing::settle(world.informer);
  CHECK(world.told == Told{"+shop/web", "~shop/web", "+node", "-shop/web"});
  CHECK(world.server.lists() == 1);
  CHECK(world.server.watches() == 1);
}

TEST_CASE("a source that fails and forgets is listed again when it has recovered") {
  FakeWorld world;
  world.server.fail({ErrorKind::network, "connection refused", NetworkFault::refused});
  testing::advance(world.informer, world.clock, 5s);
  CHECK(world.informer.last_error()->message.ends_with("connection refused"));
  CHECK(world.server.remove("shop/web"));
  world.server.expire();
  world.server.recover();
  testing::advance(world.informer, world.clock, 1min);
  CHECK_FALSE(world.informer.last_error());
  CHECK(world.told == Told{"+shop/web", "-shop/web"});
  CHECK(world.server.lists() == 2);
}

TEST_CASE("a source refuses what is not an object with a name") {
  FakeClock clock;
  FakeSource server(clock);
  for (const char* text :
       {"", "[]", "{}", R"({"metadata":1})", R"({"metadata":{}})", R"({"metadata":{"name":1}})"}) {
    CAPTURE(text);
    CHECK(server.put(text).error().kind == ErrorKind::usage);
  }
}

TEST_CASE("a watch that is behind the last 10,000 changes lists again") {
  FakeWorld world;
  for (int i = 0; i < 10'001; ++i) CHECK(world.server.put(R"({"metadata":{"name":"a"}})"));
  testing::advance(world.informer, world.clock, 1min);
  CHECK(world.told.back() == "+a");
  CHECK(world.server.lists() == 2);
}

}  // namespace
}  // namespace kinf
