// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/list_decoder.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "fakes/fixture.h"
#include "kinf/api/api_status.h"
#include "kinf/api/object.h"

namespace kinf {
namespace {

using test::fixture;

struct Items : ListSink {
  void item(ObjectPtr object) override { objects.push_back(std::move(object)); }
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const ObjectPtr& object : objects) result.push_back(object->key());
    return result;
  }
  std::vector<ObjectPtr> objects;
};

Result<ListPage> decode(std::string_view body, Items& items, DecodeOptions options = {},
                        std::size_t piece = std::string_view::npos) {
  ListDecoder decoder(std::move(options), items);
  for (std::size_t at = 0; at < body.size(); at += std::min(piece, body.size())) {
    if (auto fed = decoder.feed(body.substr(at, piece)); !fed) {
      return std::unexpected(std::move(fed).error());
    }
  }
  return decoder.finish();
}

std::string message_of(std::string_view body) {
  Items items;
  const auto page = decode(body, items);
  REQUIRE_FALSE(page);
  CHECK(page.error().kind == ErrorKind::protocol);
  return page.error().message;
}

TEST_CASE("a page gives its items, version and continue token, however its bytes are cut") {
  const std::string body = fixture("list/pods-limit2-page1.json");
  for (const std::size_t piece :
       {std::string_view::npos, std::size_t{1000}, std::size_t{7}, std::size_t{1}}) {
    CAPTURE(piece);
    Items items;
    const auto page = decode(body, items, {}, piece);
    REQUIRE(page);
    CHECK(items.names() == std::vector<std::string>{"shop/web-000000", "shop/web-000001"});
    CHECK(page->resource_version == "229");
    CHECK(page->continue_token.starts_with("eyJ2IjoibWV0YS5rOHMuaW8vdjEi"));
    CHECK(items.objects[0]->manager() == "Go-http-client (status)");
    CHECK(items.objects[0]->label("app") == "robusta");
    Scratch scratch;
    CHECK_FALSE(items.objects[0]->json(scratch).contains("managedFields"));
    CHECK(items.objects[0]->json(scratch).contains("\"spec\":{"));
  }
}

TEST_CASE("recorded lists of metadata, of custom resources and without items are read") {
  Items metadata;
  CHECK(decode(fixture("list/pods-partialmeta.json"), metadata));
  CHECK(metadata.objects.size() == 5);
  Items widgets;
  CHECK(decode(fixture("list/widgets.json"), widgets));
  REQUIRE(widgets.objects.size() == 3);
  CHECK(widgets.objects[0]->kind() == "Widget");
  Items none;
  const auto page = decode(fixture("list/pods-empty.json"), none);
  REQUIRE(page);
  CHECK(none.objects.empty());
  CHECK_FALSE(page->resource_version.empty());
}

TEST_CASE("items may come before the metadata, be null, or be left out of a list") {
  Items items;
  const auto page = decode(
      "\r\n{ \"items\" : [ {\"metadata\":{\"name\":\"a\"}} ,\n{\"metadata\":{\"name\":\"b\"}} ],"
      "\"metadata\":{\"resourceVersion\":\"7\",\"continue\":\"c\"},\"kind\":\"PodList\"}\r\n",
      items);
  REQUIRE(page);
  CHECK(items.names() == std::vector<std::string>{"a", "b"});
  CHECK(page->resource_version == "7");
  CHECK(page->continue_token == "c");
  Items none;
  CHECK(decode(R"({"kind":"PodList","metadata":{"resourceVersion":"7"},"items":null})", none));
  CHECK(decode(R"({"kind":"PodList","metadata":{"resourceVersion":"7"}})", none));
  CHECK(none.objects.empty());
}

TEST_CASE("rows of a Table become objects with cells and share one set of columns") {
  Items items;
  REQUIRE(decode(fixture("list/pods-table.json"), items));
  REQUIRE(items.objects.size() == 5);
  const TableColumns* columns = items.objects[0]->columns();
  REQUIRE(columns);
  REQUIRE(columns->columns.size() == 9);
  CHECK(columns->columns[0].name == "Name");
  CHECK(columns->columns[0].format == "name");
  CHECK(columns->columns[5].priority == 1);
  CHECK(items.objects[4]->columns() == columns);
  CHECK(items.objects[0]->cells().starts_with("[\"web-000000\","));
}

TEST_CASE("A8: a Table has at most 200 columns, however many the server sends") {
  std::string columns;
  std::string cells;
  for (int i = 0; i < 20'000; ++i) {
    columns += fmt::format(R"({}{{"name":"C{}","type":"string"}})", i == 0 ? "" : ",", i);
    cells += i == 0 ? "1" : ",1";
  }
  Items items;
  REQUIRE(decode(R"({"kind":"Table","columnDefinitions":[)" + columns + R"(],"rows":[{"cells":[)" +
                     cells + R"(],"object":{"metadata":{"name":"a"}}}]})",
                 items));
  REQUIRE(items.objects.size() == 1);
  REQUIRE(items.objects[0]->columns());
  CHECK(items.objects[0]->columns()->columns.size() == 200);
  CHECK(items.objects[0]->columns()->columns.back().name == "C199");
}

TEST_CASE("columns after the rows are filled in, and equal ones of the page before are shared") {
  constexpr std::string_view kColumns = R"([{"name":"Name","type":"string","priority":0}])";
  const std::string row = R"({"cells":["a"],"object":{"metadata":{"name":"a"}}})";
  const std::string behind = R"({"kind":"Table","rows":[)" + row + R"(],"columnDefinitions":)" +
                             std::string(kColumns) + "}";
  Items items;
  ListDecoder first({}, items);
  REQUIRE(first.feed(behind));
  REQUIRE(first.finish());
  REQUIRE(items.objects.at(0)->columns());
  CHECK(items.objects[0]->columns()->columns.at(0).name == "Name");

  DecodeOptions options;
  options.columns = first.columns();
  const std::string before = R"({"kind":"Table","columnDefinitions":)" + std::string(kColumns) +
                             R"(,"rows":[)" + row + "]}";
  REQUIRE(decode(before, items, options));
  CHECK(items.objects.at(1)->columns() == items.objects[0]->columns());
  REQUIRE(decode(R"({"kind":"Table","rows":[)" + row + "]}", items, options));
  CHECK(*items.objects.at(2)->columns() == *items.objects[0]->columns());
}

TEST_CASE("L7: items of a typed list have the type that the same objects have in a watch") {
  const std::string body =
      R"({"kind":"PodList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"a"}}]})";
  Items items;
  REQUIRE(decode(body, items));
  CHECK(items.objects.at(0)->kind() == "Pod");
  CHECK(items.objects.at(0)->api_version() == "v1");
  Scratch scratch;
  CHECK(items.objects.at(0)->json(scratch) ==
        R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}})");
  Items mixed;
  REQUIRE(decode(R"({"kind":"List","items":[{"metadata":{"name":"a"}}]})", mixed));
  CHECK(mixed.objects.at(0)->kind().empty());
}

TEST_CASE("the continue token is known once the metadata was read, before the first item ends") {
  const std::string_view metadata =
      R"({"kind":"PodList","metadata":{"resourceVersion":"7","continue":"next"},"items":[{"meta)";
  Items items;
  ListDecoder decoder({}, items);
  CHECK(decoder.continue_token() == std::nullopt);
  REQUIRE(decoder.feed(metadata.substr(0, 60)));
  CHECK(decoder.continue_token() == std::nullopt);
  REQUIRE(decoder.feed(metadata.substr(60)));
  CHECK(decoder.continue_token() == "next");
  CHECK(items.objects.empty());

  ListDecoder last({}, items);
  REQUIRE(last.feed(R"({"metadata":{"resourceVersion":"7"},"items":[)"));
  CHECK(last.continue_token() == "");
  ListDecoder status({}, items);
  REQUIRE(status.feed(R"({"kind":"Status","metadata":{"continue":"next"},"code":410})"));
  CHECK(status.continue_token() == std::nullopt);
}

TEST_CASE("a Status instead of a list is returned as its error") {
  Items items;
  const auto page = decode(fixture("error/410-list-continue.json"), items);
  REQUIRE_FALSE(page);
  CHECK(page.error().kind == ErrorKind::expired);
  CHECK_FALSE(page.error().status->continue_token.empty());
}

TEST_CASE("a damaged page is an error that says where") {
  CHECK(message_of(R"({"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b","labels":3}}]})")
            .starts_with("item 1: object b: cannot read metadata.labels: "));
  CHECK(message_of(
            R"({"kind":"Table","columnDefinitions":[],"rows":[{"cells":[],"object":null}]})") ==
        "item 0: a Table row has no object");
  CHECK(message_of(R"({"rows":[{"cells":[],"object":{"metadata":{"name":"a"}}}]})") ==
        "the Table has no column definitions");
  CHECK(message_of(R"({"items":[{"metadata":{"name":"a"}})") ==
        "the list ends unexpectedly after 1 items");
  CHECK(message_of("") == "the response is empty; expected a list");
  CHECK(message_of("[]") == "the list is not a JSON object");
  CHECK(message_of("404 page not found") == "the list is not a JSON object");
  CHECK(message_of(R"({"kind":"Pod","metadata":{"name":"a"}})") ==
        "expected a list, got kind \"Pod\"");
  CHECK(message_of(R"({"items":{}})") == "items is not an array");
  CHECK(message_of(R"({"items":7})") == "items is not an array");
  CHECK(message_of(R"({"items":[],"items":[]})") == "the list contains its items twice");
  CHECK(message_of(R"({"items":[{"metadata":{"name":"a"}} {"metadata":{"name":"b"}}]})") ==
        "item 1: invalid JSON at byte 36: found '{', expected a comma or the end");
  CHECK(message_of(R"({"items":[7]})") == "item 0: object: not a JSON object");
  CHECK(message_of(R"({"items":[]}{"items":[]})") ==
        "the response to a list contains more than one JSON value");
}

TEST_CASE("A6: bytes after the list are an error, whatever they begin") {
  for (const char* rest : {"x", "\"abc", "{", "[1", "null", "}}garbage", "<html>", " 1"}) {
    CAPTURE(rest);
    CHECK_FALSE(message_of(R"({"items":[{"metadata":{"name":"a"}}]})" + std::string(rest)).empty());
  }
  Items items;
  CHECK(decode("{\"items\":[]} \r\n\t", items));
}

TEST_CASE("the size limit applies to each item, not to the whole list") {
  DecodeOptions options;
  options.max_bytes = 100;
  std::string body = R"({"kind":"PodList","items":[{"metadata":{"name":"a"}})";
  for (int i = 0; i < 100; ++i) body += R"(,{"metadata":{"name":"a"}})";
  Items items;
  CHECK(decode(body + "]}", items, options, 11));
  CHECK(items.objects.size() == 101);
  const auto page = decode(body + ",{\"" + std::string(500, 'x'), items, options, 11);
  REQUIRE_FALSE(page);
  CHECK(page.error().message == "item 101: a value is larger than 100 bytes");
}

TEST_CASE("deep nesting does not use the stack") {
  std::string body = R"({"items":[{"metadata":{"name":"a"},"spec":)" + std::string(1 << 20, '[') +
                     std::string(1 << 20, ']') + "}]}";
  Items items;
  CHECK(decode(body, items, {}, 1 << 16));
  CHECK(items.objects.size() == 1);
}

}  // namespace
}  // namespace kinf
