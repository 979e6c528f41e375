// SPDX-License-Identifier: Apache-2.0
// Client: types that are created later, what its sources share with it, and its settings.
#include "kinf/client/client.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "fakes/fixture.h"
#include "kinf/informer/shared_informer_factory.h"
#include "wire/http_source_rig.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using test::ScriptedServer;
using test::SeenRequest;
using test::ServerConnection;

/// The real time, and what a test adds to it.
class AheadClock final : public Clock {
 public:
  Mono now() const override { return real_.now() + ahead_.load(); }
  Wall wall() const override { return real_.wall() + ahead_.load(); }
  void wait_until(CondVar& cv, Mutex& mu, Mono deadline, const std::stop_token& stop)
      KINF_REQUIRES(mu) override {
    real_.wait_until(cv, mu, deadline == kNever ? kNever : deadline - ahead_.load(), stop);
  }
  void advance(Duration by) { ahead_ = ahead_.load() + by; }

 private:
  RealClock real_;
  std::atomic<Duration> ahead_{Duration()};
};

ClientConfig config_of(const ScriptedServer& server) {
  ClientConfig config;
  config.host = server.url();
  return config;
}

TEST_CASE("a type that was missing is looked up again after a second") {
  std::atomic<bool> exists = false;
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest& request) {
    const bool has_types = request.target == "/apis" && exists;
    connection.answer(200, "application/json",
                      has_types ? test::discovery_fixture("apis-aggregated.json")
                                : R"({"kind":"APIGroupDiscoveryList","items":[]})");
    return true;
  });
  AheadClock clock;
  const auto client = Client::create(config_of(server), {}, clock).value();
  const Clock::Mono started = clock.now();
  const auto missing = client->source("widgets.example.test");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().kind == ErrorKind::usage);
  exists = true;
  // The request for the server's version may arrive later than those for types.
  const auto asked_for_types = [&] {
    const auto requests = server.requests();
    return std::ranges::count(requests, "/apis", &SeenRequest::target);
  };
  const auto asked = asked_for_types();
  CHECK_FALSE(client->source("widgets.example.test"));
  const bool is_slow = clock.now() - started >= 1s;
  CHECK((is_slow || asked_for_types() == asked));
  clock.advance(1s);
  CHECK(client->source("widgets.example.test"));
  CHECK(client->discovery().expand("widgets.example.test", {}));
}

/// Answers each request with a list of pods.
bool answer_with_pods(ServerConnection& connection, const SeenRequest&) {
  connection.answer(200, "application/json", test::fixture("list/pods.json"));
  return true;
}

TEST_CASE("a source outlives its client and their clock, with the credentials") {
  ScriptedServer server(answer_with_pods);
  ClientConfig config = config_of(server);
  config.impersonate.user = "bob";  // the only credential that is sent without https
  auto clock = std::make_unique<RealClock>();
  auto client = Client::create(std::move(config), {}, *clock).value();
  const auto source = client->typed_source(test::pods_of("shop")).value();
  const auto single = client->new_api_client().value();
  client.reset();
  clock.reset();
  test::Items items;
  CHECK(test::run_list(*source, items));
  CHECK(single->get("/api", {}));
  for (const SeenRequest& request : server.requests()) {
    CHECK(request.header("impersonate-user") == "bob");
  }
  CHECK(server.requests().size() == 2);
}

TEST_CASE("the user agent is a setting, and the credentials are for every request") {
  ScriptedServer server(answer_with_pods);
  RealClock clock;
  ClientConfig config = config_of(server);
  config.user_agent = "my-controller/1.2";
  config.impersonate.user = "bob";  // the only credential that is sent without https
  const auto client = Client::create(config, {}, clock).value();
  CHECK(client->new_api_client().value()->get("/api", {}));
  CHECK(server.requests().at(0).header("user-agent") == "my-controller/1.2");
  const Client& shared = *client;
  const Result<RequestIdentity> identity = shared.credentials().identity();
  REQUIRE(identity);
  CHECK(identity->headers == std::vector<std::string>{"Impersonate-User: bob"});
  config.user_agent = "a\r\nX: y";
  CHECK(Client::create(config, {}, clock).error().kind == ErrorKind::usage);
}

TEST_CASE("a factory takes the identity of a source, and refuses a source with another one") {
  ScriptedServer server(answer_with_pods);
  RealClock clock;
  const auto client = Client::create(config_of(server), {}, clock).value();
  const auto source_with = [&](auto change) {
    HttpSource source = test::pods_of("shop");
    change(source);
    return client->typed_source(std::move(source)).value();
  };
  const auto plain = [&] { return source_with([](HttpSource&) {}); };
  SharedInformerFactory factory(clock);
  SharedInformer* const pods = factory.informer_for(plain()).value();
  CHECK(factory.informer_for(plain()).value() == pods);
  const InformerIdentity identity{{"", "v1", "pods"}, "shop"};
  CHECK(factory.find(identity) == pods);
  CHECK(factory.release(identity) != nullptr);
  const std::vector<std::function<void(HttpSource&)>> changes = {
      [](HttpSource& source) { source.ns = "bar"; },
      [](HttpSource& source) { source.name = "web"; },
      [](HttpSource& source) { source.label_selector = "app=web"; },
      [](HttpSource& source) { source.field_selector = "spec.nodeName=n1"; },
      [](HttpSource& source) { source.form = ObjectForm::metadata; },
      [](HttpSource& source) { source.representation = Representation::table; },
      [](HttpSource& source) { source.keep_managed_fields = true; }};
  for (const auto& change : changes) {
    const auto wrong = factory.informer_for(identity, [&] { return source_with(change); });
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().kind == ErrorKind::usage);
    CHECK(wrong.error().message.find("but the identity is pods in namespace \"shop\"") !=
          std::string::npos);
    CHECK(factory.informer_for(source_with(change)));
  }
}

}  // namespace
}  // namespace kinf
