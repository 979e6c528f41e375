// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/store_reader.h"

#include <doctest/doctest.h>

#include "fakes/object_builder.h"
#include "kinf/cache/indexer.h"

namespace kinf {
namespace {

using test::make_labelled;
using test::make_object;

TEST_CASE("A26: the empty selector lists all objects, nothing() lists none") {
  Indexer indexer;
  for (int i = 0; i < 100; ++i) {
    CHECK(indexer.add(make_labelled("pod-" + std::to_string(i), "app", i < 10 ? "web" : "db")));
  }
  const Lister lister(indexer, "pods");
  CHECK(lister.list(LabelSelector()).size() == 100);
  CHECK(lister.list(LabelSelector::nothing()).empty());
  CHECK(lister.list("default", LabelSelector::nothing()).empty());
  CHECK(lister.list(LabelSelector::parse("app=web").value()).size() == 10);
  CHECK(lister.list(LabelSelector::parse("app=cache").value()).empty());
}

TEST_CASE("a namespace is listed the same with and without an index for it") {
  IndexerOptions with_index;
  with_index.indexers.emplace(kNamespaceIndex, namespace_index_function);
  for (const IndexerOptions& options : {IndexerOptions(), with_index}) {
    Indexer indexer(options);
    CHECK(indexer.add(make_object("a")));
    test::ObjectSpec other;
    other.ns = "stage";
    other.name = "b";
    CHECK(indexer.add(make_object(other)));
    const Lister lister(indexer, "pods");
    REQUIRE(lister.list("stage", LabelSelector()).size() == 1);
    CHECK(lister.list("stage", LabelSelector())[0]->name() == "b");
    CHECK(lister.list("", LabelSelector()).size() == 2);
    CHECK(lister.list("nowhere", LabelSelector()).empty());
  }
}

TEST_CASE("the error for a missing object has the text of the API server") {
  Indexer indexer;
  CHECK(indexer.add(make_object("a")));
  const Lister lister(indexer, "pods");
  CHECK(lister.get("default", "a").value()->name() == "a");
  CHECK(lister.get("default/a").value()->name() == "a");
  const Result<ObjectPtr> missing = lister.get("default", "b");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().kind == ErrorKind::not_found);
  CHECK(missing.error().message == R"(pods "b" not found)");
}

}  // namespace
}  // namespace kinf
