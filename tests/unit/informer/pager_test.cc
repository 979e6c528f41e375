// SPDX-License-Identifier: Apache-2.0
// Pages that are requested ahead of time. The golden vectors cover one page after the other.

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

#include "fakes/fake_clock.h"
#include "fakes/manual_source.h"
#include "fakes/object_builder.h"
#include "fakes/status_error.h"
#include "kinf/api/api_status.h"
#include "kinf/informer/pager.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using test::make_object;
using test::status_error;
using Texts = std::vector<std::string>;

/// A list of pages of two objects on a source whose pages the test answers in any order.
struct Paging {
  explicit Paging(int in_flight, std::int64_t largest_page = 0) {
    PagerOptions options;
    options.page_size = 2;
    options.pages_in_flight = in_flight;
    options.largest_page = largest_page;
    pager.emplace(source, options, pacer, clock);
    pacer.dialled(clock.now());
    pager->start({});
  }

  /// The beginning of page `number`: its continue token, before any item.
  void begin(std::size_t number, const std::string& token) {
    REQUIRE(source.choose(number));
    source.begin_list({}, token);
    poll();
  }
  /// The rest of page `number`.
  void answer(std::size_t number, const std::string& token, const Texts& names) {
    REQUIRE(source.choose(number));
    std::vector<ObjectPtr> items;
    for (const std::string& name : names) items.push_back(make_object(name, "1"));
    source.answer_list(std::move(items), "5" + std::to_string(number), token);
    poll();
  }
  void fail(std::size_t number, const Error& error) {
    REQUIRE(source.choose(number));
    source.answer_error(error);
    poll();
  }
  void poll() {
    if (!outcome) outcome = pager->poll();
  }
  /// The continue tokens of all requests.
  Texts asked() const {
    Texts tokens;
    for (const test::AskedRequest& one : source.asked()) {
      tokens.push_back(one.options.continue_token);
    }
    return tokens;
  }
  std::vector<std::int64_t> limits() const {
    std::vector<std::int64_t> limits;
    for (const test::AskedRequest& one : source.asked()) limits.push_back(one.options.limit);
    return limits;
  }
  Texts names() const {
    Texts names;
    for (const ObjectPtr& object : (*outcome)->items) names.emplace_back(object->name());
    return names;
  }
  bool is_open(std::size_t number) { return source.choose(number); }

  test::FakeClock clock;
  test::ManualSource source{clock};
  DialPacer pacer{3, 400ms};
  std::optional<Pager> pager;
  std::optional<Result<PagedList>> outcome;
};

TEST_CASE("a page is requested as soon as its continue token is known") {
  Paging paging(4);
  paging.begin(0, "c1");
  CHECK(paging.asked() == Texts{"", "c1"});
  paging.begin(1, "c2");
  CHECK(paging.asked() == Texts{"", "c1", "c2"});
  CHECK(paging.source.asked().back().options.limit == 2);
}

TEST_CASE("each page is twice as large as the one before, up to the largest size") {
  Paging paging(4, 6);
  paging.begin(0, "c1");
  paging.begin(1, "c2");
  paging.begin(2, "c3");
  CHECK(paging.limits() == std::vector<std::int64_t>{2, 4, 6, 6});
  paging.answer(0, "c1", {"a", "b"});
  paging.fail(1, status_error(410, "Expired"));
  CHECK(paging.limits().back() == 0);
}

TEST_CASE("pages that are larger than the largest size keep their size") {
  Paging paging(4, 1);
  paging.begin(0, "c1");
  CHECK(paging.limits() == std::vector<std::int64_t>{2, 2});
}

TEST_CASE("no more pages are in flight than allowed, and one if the limit is 1") {
  Paging two(2);
  two.begin(0, "c1");
  two.begin(1, "c2");
  CHECK(two.asked() == Texts{"", "c1"});
  two.answer(1, "c2", {"c", "d"});  // complete, but the list needs page 0 first
  CHECK(two.asked() == Texts{"", "c1"});
  two.answer(0, "c1", {"a", "b"});
  CHECK(two.asked() == Texts{"", "c1", "c2"});

  Paging one(1);
  one.begin(0, "c1");
  CHECK(one.asked() == Texts{""});
  one.answer(0, "c1", {"a", "b"});
  CHECK(one.asked() == Texts{"", "c1"});
}

TEST_CASE("the items are in list order, in whatever order the pages are complete") {
  Paging paging(4);
  paging.begin(0, "c1");
  paging.begin(1, "c2");
  paging.answer(2, "", {"e"});
  paging.answer(1, "c2", {"c", "d"});
  CHECK_FALSE(paging.outcome);
  paging.answer(0, "c1", {"a", "b"});
  REQUIRE(paging.outcome);
  REQUIRE(*paging.outcome);
  CHECK(paging.names() == Texts{"a", "b", "c", "d", "e"});
  CHECK((*paging.outcome)->resource_version == "50");
  CHECK((*paging.outcome)->paginated);
}

TEST_CASE("an error of a page counts when the pages before it are complete") {
  Paging paging(4);
  paging.begin(0, "c1");
  paging.begin(1, "c2");
  paging.begin(2, "c3");
  paging.fail(1, status_error(500, "InternalError"));
  CHECK_FALSE(paging.outcome);
  CHECK(paging.is_open(2));
  paging.answer(0, "c1", {"a", "b"});
  REQUIRE(paging.outcome);
  CHECK_FALSE(*paging.outcome);
  CHECK(paging.outcome->error().status->code == 500);
  CHECK_FALSE(paging.is_open(2));
  CHECK_FALSE(paging.is_open(3));
}

TEST_CASE("an error of an earlier page hides that of a later one") {
  Paging paging(4);
  paging.begin(0, "c1");
  paging.fail(1, status_error(500, "InternalError"));
  paging.fail(0, status_error(503, "ServiceUnavailable"));
  REQUIRE(paging.outcome);
  CHECK(paging.outcome->error().status->code == 503);
  CHECK(paging.asked() == Texts{"", "c1"});
}

TEST_CASE("D5: an expired page that was requested early leads to one full list, at its turn") {
  Paging paging(4);
  paging.begin(0, "c1");
  paging.begin(1, "c2");
  paging.fail(1, status_error(410, "Expired"));
  CHECK(paging.asked() == Texts{"", "c1", "c2"});
  paging.answer(0, "c1", {"a", "b"});
  CHECK(paging.asked() == Texts{"", "c1", "c2", ""});
  CHECK(paging.source.asked().back().options.limit == 0);
  CHECK_FALSE(paging.is_open(2));
  paging.answer(3, "", {"a", "b", "c"});
  REQUIRE(paging.outcome);
  CHECK(paging.names() == Texts{"a", "b", "c"});
  CHECK((*paging.outcome)->resource_version == "53");
}

TEST_CASE("a page ends with another token than it began with: only the last one counts") {
  Paging paging(4);
  paging.begin(0, "c1");
  paging.answer(0, "c9", {"a", "b"});
  CHECK_FALSE(paging.is_open(1));
  CHECK(paging.asked() == Texts{"", "c1", "c9"});
  paging.answer(2, "", {"c"});
  CHECK(paging.names() == Texts{"a", "b", "c"});
}

TEST_CASE("destroying the pager cancels all pages in flight") {
  Paging paging(4);
  paging.begin(0, "c1");
  paging.begin(1, "c2");
  paging.pager.reset();
  for (std::size_t number : {0U, 1U, 2U}) CHECK_FALSE(paging.is_open(number));
}

TEST_CASE("a continue token that does not change is an error that names it") {
  for (const int in_flight : {1, 4}) {
    Paging paging(in_flight);
    paging.answer(0, "same", {"a", "b"});
    paging.answer(1, "same", {"c", "d"});
    REQUIRE(paging.outcome);
    REQUIRE_FALSE(*paging.outcome);
    CHECK(paging.outcome->error().kind == ErrorKind::protocol);
    CHECK(paging.outcome->error().message ==
          "the server returned the continue token \"same\" again, so the list has no end");
    CHECK(paging.asked() == Texts{"", "same"});
  }
}

TEST_CASE("continue tokens in a circle are an error too, and the early pages end") {
  Paging paging(2);
  paging.begin(0, "x");
  paging.answer(0, "x", {"a", "b"});
  paging.answer(1, "y", {"c", "d"});
  paging.answer(2, "x", {"e", "f"});
  REQUIRE(paging.outcome);
  CHECK(paging.outcome->error().message.find("\"x\" again") != std::string::npos);
}

/// Answers each request at once with a new token and the items of `page(number)`. Returns how many
/// requests the pager sends within `length`.
template <class Page>
std::size_t requests_within(Clock::Duration length, int in_flight, Page page) {
  Paging paging(in_flight);
  const Clock::Mono end = paging.clock.now() + length;
  std::size_t answered = 0;
  while (true) {
    while (answered < paging.source.asked().size()) {
      paging.answer(answered, "c" + std::to_string(answered + 1), page(answered));
      ++answered;
      REQUIRE(answered < 100'000);
    }
    const Clock::Mono next = paging.pager->next_request();
    if (next >= end) return answered;
    paging.clock.advance(std::max<Clock::Duration>(next - paging.clock.now(), 1ns));
    paging.poll();
  }
}

TEST_CASE("pages without end that bring no item are requested at most five times a second") {
  const auto nothing = [](std::size_t) { return Texts{}; };
  CHECK(requests_within(1s, 1, nothing) <= 5);
  CHECK(requests_within(1s, 4, nothing) <= 5);
  CHECK(requests_within(20s, 4, nothing) <= 55);
  CHECK(requests_within(20s, 4, nothing) >= 20);
}

TEST_CASE("pages without end that bring the same item are requested at most five times a second") {
  const auto same = [](std::size_t) { return Texts{"a"}; };
  CHECK(requests_within(1s, 4, same) <= 6);
  CHECK(requests_within(20s, 4, same) <= 56);
}

TEST_CASE("pages that are not full but bring a new item are soon requested three times a second") {
  const auto one = [](std::size_t number) { return Texts{"p" + std::to_string(number)}; };
  CHECK(requests_within(1s, 4, one) <= 12);
  CHECK(requests_within(10s, 4, one) <= 40);
  CHECK(requests_within(10s, 4, one) >= 30);
}

TEST_CASE("full pages that bring new items are not delayed") {
  Paging paging(1);
  for (std::size_t number = 0; number < 50; ++number) {
    const std::string text = std::to_string(number);
    paging.answer(number, "c" + text, {"a" + text, "b" + text});
    REQUIRE(paging.source.asked().size() == number + 2);
  }
}

}  // namespace

namespace {

using namespace std::chrono_literals;

TEST_CASE("a pacer allows a burst, then one request per interval, and recovers") {
  DialPacer pacer(3, 400ms);
  Clock::Mono now{1h};
  for (int i = 0; i < 3; ++i) {
    CHECK(pacer.earliest(now) == now);
    pacer.dialled(now);
  }
  CHECK(pacer.earliest(now) == now + 400ms);
  now += 400ms;
  pacer.dialled(now);
  CHECK(pacer.earliest(now) == now + 400ms);
  now += 1200ms;
  for (int i = 0; i < 3; ++i) {
    CHECK(pacer.earliest(now) == now);
    pacer.dialled(now);
  }
  CHECK(pacer.earliest(now) > now);
}

}  // namespace

}  // namespace kinf
