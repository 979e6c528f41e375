// SPDX-License-Identifier: Apache-2.0
// Pages of a list that are in flight at the same time.
#include <doctest/doctest.h>

#include <latch>

#include "kinf/api/api_status.h"
#include "kinf/informer/pager.h"
#include "wire/http_source_rig.h"

namespace kinf {
namespace {

using test::Items;
using test::ScriptedServer;
using test::SeenRequest;
using test::ServerConnection;
using test::source_at;

/// Runs a list whose pages are answered by `server`, with four pages in flight.
Result<PagedList> run_pager(HttpListerWatcher& source, Clock& clock) {
  PagerOptions options;
  options.page_size = 1;
  options.pages_in_flight = 4;
  DialPacer pacer(3, std::chrono::milliseconds(400));
  Pager pager(source, options, pacer, clock);
  pager.start({});
  for (;;) {
    if (auto list = pager.poll()) return *std::move(list);
    source.wait(pager.next_request(), {});
  }
}

std::string page_of(const std::string& name, const std::string& token) {
  return R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"5","continue":")" +
         token + R"("},"items":[{"metadata":{"name":")" + name + R"("}})";
}

TEST_CASE(
    "pages are in flight at the same time: the first ends after the last has been requested") {
  std::latch all_asked(3);
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest& request) {
    const std::size_t at = request.target.find("continue=");
    const int number = at == std::string::npos ? 0 : request.target[at + 9] - '0';
    connection.begin();
    const std::string next = number == 2 ? "" : std::to_string(number + 1);
    connection.chunk(page_of("web-" + std::to_string(number), next));
    all_asked.arrive_and_wait();
    connection.chunk("]}");
    connection.end();
    return true;
  });
  RealClock clock;
  const auto source = source_at(server, clock);
  const Result<PagedList> list = run_pager(*source, clock);
  REQUIRE(list);
  REQUIRE(list->items.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(list->items[i]->name() == "web-" + std::to_string(i));
  }
  CHECK(server.requests().at(1).target == "/api/v1/namespaces/shop/pods?continue=1&limit=1");
}

TEST_CASE("an early page that fails ends the list after the pages before it") {
  std::latch failed(1);
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest& request) {
    if (request.target.find("continue=") != std::string::npos) {
      failed.count_down();
      connection.answer(503, "application/json", "{}");
      return true;
    }
    connection.begin();
    connection.chunk(page_of("web-0", "1"));
    failed.wait();
    connection.chunk("]}");
    connection.end();
    return true;
  });
  RealClock clock;
  const auto source = source_at(server, clock);
  const Result<PagedList> list = run_pager(*source, clock);
  REQUIRE_FALSE(list);
  CHECK(list.error().status->code == 503);
}

TEST_CASE("the continue token is known while the page still comes in") {
  RealClock clock;
  std::latch seen(1);
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest&) {
    connection.begin();
    connection.chunk(R"({"kind":"PodList","metadata":{"resourceVersion":"7","continue":"c"},)");
    seen.wait();
    connection.chunk(R"("items":[]})");
    connection.end();
    return true;
  });
  const auto source = source_at(server, clock);
  Items items;
  const auto call = source->list({}, items);
  CHECK(call->continue_token() == std::nullopt);
  while (!call->continue_token()) {
    REQUIRE_FALSE(call->poll().has_value());
    if (!call->continue_token()) source->wait(Clock::kNever, {});
  }
  CHECK(call->continue_token() == "c");
  seen.count_down();
  std::optional<Result<ListPage>> page;
  while (!(page = call->poll())) source->wait(Clock::kNever, {});
  REQUIRE(*page);
  CHECK((*page)->continue_token == "c");
}

}  // namespace
}  // namespace kinf
