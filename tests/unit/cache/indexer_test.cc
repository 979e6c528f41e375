// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/indexer.h"

#include <doctest/doctest.h>

#include "fakes/object_builder.h"

namespace kinf {
namespace {

using test::make_labelled;
using test::make_object;
using Texts = std::vector<std::string>;

/// Fails for objects with the label `bad`.
Result<std::string> picky_key(const Object& object) {
  if (object.label("bad")) return fail(ErrorKind::internal, "no key");
  return object.key();
}

TEST_CASE("A1: an added object is found, a deleted one is not") {
  Indexer indexer;
  const ObjectPtr first = make_object("a", "1");
  CHECK(indexer.add(first));
  CHECK(indexer.get(*first).value() == first);
  const ObjectPtr second = make_object("a", "2");
  CHECK(indexer.update(second));
  CHECK(indexer.get_by_key("default/a") == second);
  CHECK(indexer.list() == std::vector<ObjectPtr>{second});
  CHECK(indexer.list_keys() == Texts{"default/a"});
  CHECK(indexer.remove(second));
  CHECK_FALSE(indexer.get(*second).value());
  CHECK(indexer.size() == 0);
}

TEST_CASE("A2: replace leaves exactly the list, or changes nothing") {
  Indexer indexer({.key_function = picky_key, .transform = {}, .indexers = {}});
  CHECK(indexer.add(make_object("c")));
  CHECK(indexer.replace({make_object("a"), make_object("b")}, "5"));
  CHECK_FALSE(indexer.get_by_key("default/c"));
  CHECK(indexer.size() == 2);
  CHECK_FALSE(indexer.replace({make_object("d"), make_labelled("e", "bad", "1")}, "6"));
  CHECK(indexer.size() == 2);
  CHECK(indexer.get_by_key("default/a"));
  CHECK(indexer.last_store_sync_resource_version() == "5");
}

TEST_CASE("A4: a transform changes the stored object, not its key") {
  const Transform rename = [](const ObjectPtr& object) -> Result<ObjectPtr> {
    if (object->label("bad")) return fail(ErrorKind::internal, "cannot");
    return make_object("renamed", std::string(object->resource_version()));
  };
  Indexer indexer({.key_function = {}, .transform = rename, .indexers = {}});
  CHECK(indexer.add(make_object("a", "1")));
  CHECK(indexer.get_by_key("default/a")->name() == "renamed");
  const Result<void> refused = indexer.update(make_labelled("a", "bad", "1", "2"));
  CHECK(refused.error().message == "transforming: cannot");
  CHECK(indexer.get_by_key("default/a")->resource_version() == "1");
  CHECK_FALSE(indexer.replace({make_labelled("b", "bad", "1")}, "7"));
  CHECK(indexer.list_keys() == Texts{"default/a"});
}

TEST_CASE("a tombstone deletes by its own key and leaves the resourceVersion") {
  Indexer indexer;
  CHECK(indexer.add(make_object("a", "1")));
  CHECK(indexer.remove(DeletedObject{"default/a", make_object("other", "9")}));
  CHECK(indexer.size() == 0);
  CHECK(indexer.last_store_sync_resource_version() == "1");
}

TEST_CASE("A10: the keys of an index value are sorted and find the objects") {
  Indexer indexer({.key_function = {},
                   .transform = {},
                   .indexers = {{kNamespaceIndex, namespace_index_function}}});
  for (const char* name : {"c", "a", "b"}) CHECK(indexer.add(make_object(name)));
  const Texts keys = indexer.index_keys(kNamespaceIndex, "default").value();
  CHECK(keys == Texts{"default/a", "default/b", "default/c"});
  for (const std::string& key : keys) CHECK(indexer.get_by_key(key)->key() == key);
}

TEST_CASE("A11: an index added to a full cache is complete at once") {
  Indexer indexer({.key_function = {},
                   .transform = {},
                   .indexers = {{kNamespaceIndex, namespace_index_function}}});
  CHECK(indexer.add(make_object("a")));
  CHECK(indexer.add_indexers({{"name", [](const Object& object) -> Result<Texts> {
                                 return Texts{std::string(object.name())};
                               }}}));
  CHECK(indexer.index_keys("name", "a").value() == Texts{"default/a"});
  CHECK(indexer.index_keys(kNamespaceIndex, "default").value().size() == 1);
}

TEST_CASE("A17: a transaction applies the writes with a key and reports the others") {
  Indexer indexer({.key_function = picky_key, .transform = {}, .indexers = {}});
  const std::vector<StoreWrite> writes = {
      {StoreWrite::Type::add, "", make_object("a")},
      {StoreWrite::Type::add, "", make_labelled("b", "bad", "1")},
      {StoreWrite::Type::add, "", make_object("c")},
      {StoreWrite::Type::remove, "", make_labelled("d", "bad", "1")},
  };
  const TransactionReport report = indexer.transaction(writes);
  CHECK_FALSE(report.ok());
  CHECK(report.successful == std::vector<std::size_t>{0, 2});
  CHECK(indexer.size() == 2);
  CHECK(report.error().message ==
        "failed to execute (2/4) transactions failed due to: "
        "[couldn't create key for object default/b: no key "
        "couldn't create key for object default/d: no key]");
}

}  // namespace
}  // namespace kinf
