// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/thread_safe_store.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>

#include "fakes/object_builder.h"

namespace kinf {
namespace {

using test::make_labelled;
using test::make_object;
using Texts = std::vector<std::string>;

/// The comma-separated values of the label `on`.
Result<Texts> by_label(const Object& object) {
  Texts values;
  std::string_view rest = object.label("on").value_or("");
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    values.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return values;
}

Texts sorted(Texts texts) {
  std::sort(texts.begin(), texts.end());
  return texts;
}

TEST_CASE("A5: an index with several values per object follows every write") {
  ThreadSafeStore store({{"on", by_label}});
  const auto expect = [&](const char* step, const Texts& foo, const Texts& bar, const Texts& baz) {
    CAPTURE(step);
    CHECK(store.index_keys("on", "foo").value() == foo);
    CHECK(store.index_keys("on", "bar").value() == bar);
    CHECK(store.index_keys("on", "baz").value() == baz);
  };
  const auto put = [&](const char* key, const char* values) {
    CHECK(store.update(key, make_labelled(key, "on", values)));
  };
  put("k1", "foo");
  expect("one value", {"k1"}, {}, {});
  put("k2", "foo,bar");
  expect("two values", {"k1", "k2"}, {"k2"}, {});
  put("k1", "bar");
  expect("moved", {"k2"}, {"k1", "k2"}, {});
  put("k1", "foo,bar");
  expect("gained", {"k1", "k2"}, {"k1", "k2"}, {});
  put("k1", "bar,foo");
  expect("other order", {"k1", "k2"}, {"k1", "k2"}, {});
  put("k1", "baz,foo,baz");
  expect("one exchanged, one twice", {"k1", "k2"}, {"k2"}, {"k1"});
  put("k2", "");
  expect("none left", {"k1"}, {}, {"k1"});
  store.remove("k1");
  expect("deleted", {}, {}, {});
  put("k2", "foo,bar,baz");
  expect("back", {"k2"}, {"k2"}, {"k2"});
}

TEST_CASE("A6: a value without objects is removed from the index") {
  ThreadSafeStore store({{"on", by_label}});
  for (const char* value : {"one", "two", "three"}) {
    CHECK(store.add("k", make_labelled("k", "on", value)));
    CHECK(store.list_index_func_values("on") == Texts{value});
  }
  store.remove("k", *make_object("k"));
  CHECK(store.list_index_func_values("on").empty());
  store.with_read_lock([](const IndexTable& table) {
    CHECK(table.for_each_value("on", [](const std::string&, std::size_t) { CHECK(false); }));
  });
}

TEST_CASE("A7: a value with one object left stays") {
  ThreadSafeStore store({{"on", by_label}});
  CHECK(store.add("a", make_labelled("a", "on", "x")));
  CHECK(store.add("b", make_labelled("b", "on", "x")));
  store.remove("a");
  CHECK(store.index_keys("on", "x").value() == Texts{"b"});
}

TEST_CASE("A8: an index finds objects by shared values; an unknown index is an error") {
  ThreadSafeStore store({{"on", by_label}});
  CHECK(store.add("a", make_labelled("a", "on", "x,y")));
  CHECK(store.add("b", make_labelled("b", "on", "y")));
  CHECK(store.index("on", *make_labelled("c", "on", "x,y")).value().size() == 2);
  CHECK(store.by_index("on", "z").value().empty());
  CHECK(store.by_index("in", "x").error().message == "Index with name in does not exist");
  CHECK(store.index("in", *make_object("a")).error().kind == ErrorKind::usage);
  CHECK(sorted(store.list_index_func_values("on")) == Texts{"x", "y"});
}

TEST_CASE("A12: add_indexers adds all indices or none") {
  ThreadSafeStore store({{"b", by_label}, {"d", by_label}});
  CHECK(store.add("k", make_labelled("k", "on", "x")));
  const Result<void> refused =
      store.add_indexers({{"a", by_label}, {"b", by_label}, {"c", by_label}, {"d", by_label}});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "indexer conflict: map[b:{} d:{}]");
  const Indexers kept = store.get_indexers();
  CHECK(kept.size() == 2);
  CHECK(kept.contains("b"));
  CHECK(kept.contains("d"));
  CHECK(store.add_indexers({{"a", by_label}}));
  CHECK(store.index_keys("a", "x").value() == Texts{"k"});
}

TEST_CASE("A14: an object whose index function throws is stored, but not in that index") {
  const IndexFunction throws = [](const Object& object) -> Result<Texts> {
    if (object.label("bad")) throw std::runtime_error("cannot index");
    return Texts{"good"};
  };
  ThreadSafeStore store({{"picky", throws}, {"ns", namespace_index_function}});
  CHECK(store.add("a", make_object("a")));
  CHECK(store.add("a", make_labelled("a", "bad", "1")));
  CHECK(store.size() == 1);
  CHECK(store.list_index_func_values("picky").empty());
  CHECK(store.index_keys("ns", "default").value() == Texts{"a"});
  CHECK(store.index_errors() == 1);
  CHECK(store.add_indexers({{"late", throws}}));
  CHECK(store.index_errors() == 2);
}

TEST_CASE("with client_go a failing index function fails the whole write") {
  const IndexFunction fails = [](const Object& object) -> Result<Texts> {
    if (object.label("bad")) return fail(ErrorKind::internal, "no");
    return Texts{"good"};
  };
  ThreadSafeStore store({{"picky", fails}}, Behaviour::client_go);
  CHECK(store.add("a", make_object("a", "1")));
  const ObjectPtr bad = make_labelled("a", "bad", "1", "2");
  CHECK(store.update("a", bad).error().message ==
        R"(unable to calculate an index entry for key "a" on index "picky": no)");
  CHECK_FALSE(store.replace({{"b", make_object("b")}, {"a", bad}}, "9"));
  const std::vector<StoreWrite> writes = {{StoreWrite::Type::remove, "a", make_object("a", "3")},
                                          {StoreWrite::Type::add, "a", bad}};
  CHECK_FALSE(store.transaction(writes));
  CHECK(store.get_by_key("a")->resource_version() == "1");
  CHECK(store.last_store_sync_resource_version() == "1");
  CHECK(store.index_keys("picky", "good").value() == Texts{"a"});
}

TEST_CASE("A15: the store's resourceVersion follows every write that has one") {
  ThreadSafeStore store;
  const auto rv = [&] { return store.last_store_sync_resource_version(); };
  CHECK(rv().empty());
  CHECK(store.add("a", make_object("a", "10")));
  CHECK(rv() == "10");
  CHECK(store.update("a", make_object("a", "20")));
  CHECK(rv() == "20");
  store.remove("missing", *make_object("missing", "30"));
  CHECK(rv() == "30");
  store.remove("a");
  CHECK(rv() == "30");
  CHECK(store.replace({}, "50"));
  CHECK(rv() == "50");
  store.bookmark("40");
  CHECK(rv() == "40");
}

TEST_CASE("A16: a transaction is one write, and its last object gives the resourceVersion") {
  ThreadSafeStore store;
  const std::vector<StoreWrite> writes = {
      {StoreWrite::Type::add, "a", make_object("a", "40")},
      {StoreWrite::Type::add, "b", make_object("b", "30")},
      {StoreWrite::Type::remove, "a", make_object("a", "50")},
  };
  CHECK(store.transaction(writes));
  CHECK(store.last_store_sync_resource_version() == "50");
  CHECK(store.list_keys() == Texts{"b"});
}

TEST_CASE("an index function may read the store while a write calls it") {
  ThreadSafeStore* self = nullptr;
  const IndexFunction reads = [&](const Object&) -> Result<Texts> {
    return Texts{std::to_string(self->size())};
  };
  ThreadSafeStore store({{"size", reads}});
  self = &store;
  CHECK(store.add("a", make_object("a")));
  CHECK(store.add("b", make_object("b")));
  CHECK(store.add_indexers({{"again", reads}}));
  CHECK(sorted(store.list_index_func_values("size")) == Texts{"0", "1"});
  CHECK(store.index_keys("again", "2").value() == Texts{"a", "b"});
}

TEST_CASE("A25: readers see only complete states, and do not starve the writer") {
  constexpr int kObjects = 20;
  constexpr int kRounds = 60;
  ThreadSafeStore store({{"ns", namespace_index_function}});
  const auto write_round = [&](int round) {
    std::vector<std::pair<std::string, ObjectPtr>> items;
    std::vector<StoreWrite> writes;
    for (int i = 0; i < kObjects; ++i) {
      const std::string name = "pod-" + std::to_string(i);
      const ObjectPtr object = make_object(name, std::to_string(round));
      items.emplace_back(name, object);
      writes.push_back({StoreWrite::Type::update, name, object});
    }
    return round % 2 == 0 ? store.replace(std::move(items), std::to_string(round))
                          : store.transaction(writes);
  };
  CHECK(write_round(0));

  std::atomic<int> torn{0};
  const auto look = [&](const std::vector<ObjectPtr>& objects) {
    const bool whole = objects.size() == kObjects &&
                       std::all_of(objects.begin(), objects.end(), [&](const ObjectPtr& object) {
                         return object->resource_version() == objects[0]->resource_version();
                       });
    if (!whole) ++torn;
  };
  {
    std::vector<std::jthread> readers;
    for (int i = 0; i < 8; ++i) {
      readers.emplace_back([&](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
          look(store.list());
          look(store.by_index("ns", "default").value());
        }
      });
    }
    // With readers that starve the writer this loop would not end.
    for (int round = 1; round <= kRounds; ++round) CHECK(write_round(round));
  }
  CHECK(torn == 0);
  CHECK(store.last_store_sync_resource_version() == std::to_string(kRounds));
}

TEST_CASE("with_read_lock may read its store while a writer waits") {
  ThreadSafeStore store;
  CHECK(store.add("a", make_object("a")));
  std::jthread writer([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) CHECK(store.add("a", make_object("a")));
  });
  for (int i = 0; i < 2000; ++i) {
    store.with_read_lock([&](const IndexTable& table) {
      std::this_thread::yield();
      const ObjectPtr seen = table.find("a");
      CHECK(store.get_by_key("a") == seen);
      store.with_read_lock([&](const IndexTable& again) { CHECK(again.find("a") == seen); });
    });
  }
}

}  // namespace
}  // namespace kinf
