// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/index/index_query.h"

#include <doctest/doctest.h>

#include "unit/cli/index/index_rig.h"

namespace kinf {
namespace {

using test::app_pod;
using test::IndexRig;

std::vector<ObjectPtr> sample_pods() {
  return {app_pod("b", "web-2", "web"), app_pod("a", "web-1", "web"), app_pod("a", "db-1", "db"),
          app_pod("a", "api-1", "api"), app_pod("b", "plain", "")};
}

TEST_CASE("a lookup finds the objects whose values match all specs, sorted by key") {
  struct Case {
    std::vector<std::string> by;
    std::string keys;
  };
  for (const Case& one :
       {Case{{"app=web"}, "a/web-1 b/web-2"}, Case{{"app=none"}, ""},
        Case{{"app=web,db"}, "a/db-1 a/web-1 b/web-2"}, Case{{"app=?b"}, "a/db-1"},
        Case{{"app=*"}, "a/api-1 a/db-1 a/web-1 b/web-2"},
        Case{{"app=web", "@namespace=b"}, "b/web-2"},
        Case{{"app=web,db", "@namespace=a,c"}, "a/db-1 a/web-1"},
        Case{{"app=db", "@namespace=b"}, ""}, Case{{"app=web", "@namespace"}, "a/web-1 b/web-2"},
        Case{{}, "a/api-1 a/db-1 a/web-1 b/plain b/web-2"},
        Case{{"app"}, "a/api-1 a/db-1 a/web-1 b/plain b/web-2"}}) {
    CAPTURE(one.by);
    IndexRig rig(one.by);
    rig.add_informer(sample_pods());
    const Result<IndexAnswer> answer = IndexQuery(rig.session, rig.command, nullptr).answer();
    REQUIRE(answer.has_value());
    CHECK(rig.keys_of(answer->objects) == one.keys);
  }
}

TEST_CASE("an answer has the version of the cache and the query") {
  IndexRig rig({"app=web"}, {"a"});
  rig.command.objects = true;
  rig.command.output.show_secrets = true;
  rig.command.key_format = KeyFormat::parse("{ns}---{name}").value();
  rig.add_informer(sample_pods(), "4711");
  const IndexAnswer answer = IndexQuery(rig.session, rig.command, nullptr).answer().value();
  CHECK(answer.resource_version == "4711");
  CHECK(answer.resource == rig.session.plan.types.front().get());
  CHECK(answer.ns == "a");
  CHECK(answer.with_objects);
  CHECK(answer.show_secrets);
  REQUIRE(answer.specs.size() == 1);
  CHECK(answer.specs.front().name() == "label:app");
  CHECK(answer.key_format.key(*answer.objects.front()) == "a---web-1");
}

TEST_CASE("a query has a namespace only if it is for one namespace") {
  IndexRig one({}, {"a"});
  CHECK(IndexQuery(one.session, one.command, nullptr).question().ns == "a");
  IndexRig several({}, {"a", "b"});
  CHECK_FALSE(IndexQuery(several.session, several.command, nullptr).question().ns.has_value());
  IndexRig all({});
  CHECK_FALSE(IndexQuery(all.session, all.command, nullptr).question().ns.has_value());
  IndexRig cluster({}, {"a"});
  cluster.session.plan.types.front()->namespaced = false;
  CHECK_FALSE(IndexQuery(cluster.session, cluster.command, nullptr).question().ns.has_value());
}

TEST_CASE("an answer combines the objects of several informers") {
  IndexRig rig({"app=web"}, {"a", "b"});
  rig.add_informer({app_pod("b", "z", "web"), app_pod("b", "y", "db")});
  rig.add_informer({app_pod("a", "x", "web")});
  CHECK(rig.keys_of(IndexQuery(rig.session, rig.command, nullptr).answer()->objects) == "a/x b/z");
}

TEST_CASE("the values of groups come from the indices") {
  IndexRig rig({"app", "@namespace"});
  rig.add_informer(sample_pods());
  IndexQuery query(rig.session, rig.command, nullptr);
  const IndexAnswer answer = query.answer().value();
  const ValuesOf values_of = query.values_of();
  std::string text;
  for (const ObjectPtr& object : answer.objects) {
    text += std::string(object->name()) + ":";
    for (const IndexSpec& spec : answer.specs) {
      for (const std::string& value : values_of(spec, *object)) text += " " + value;
    }
    text += "\n";
  }
  CHECK(text == "api-1: api a\ndb-1: db a\nweb-1: web a\nplain: b\nweb-2: web b\n");
}

TEST_CASE("a key with two values has the values of an object once") {
  IndexRig rig({"app=w*", "app=*b", "@namespace"});
  rig.add_informer({app_pod("a", "x", "web"), app_pod("a", "y", "db")});
  IndexQuery query(rig.session, rig.command, nullptr);
  const IndexAnswer answer = query.answer().value();
  const auto groups = group_objects(answer.objects, answer.specs, query.values_of()).value();
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].objects.size() == 1);
}

TEST_CASE("a dump has every value of every index with its sorted keys") {
  IndexRig rig({"app", "@namespace"});
  rig.add_informer(sample_pods());
  rig.add_informer({app_pod("a", "a-web", "web")});
  const IndexDump dump = IndexQuery(rig.session, rig.command, nullptr).dump();
  using Keys = std::vector<std::string>;
  REQUIRE(dump.size() == 2);
  CHECK(dump.at("label:app").size() == 3);
  CHECK(dump.at("label:app").at("web") == Keys{"a/a-web", "a/web-1", "b/web-2"});
  CHECK(dump.at("@namespace").at("b") == Keys{"b/plain", "b/web-2"});
}

TEST_CASE("without --by a dump has the namespace index, in the requested key format") {
  IndexRig rig({});
  rig.command.key_format = KeyFormat::parse("{name}@{ns}").value();
  rig.add_informer({app_pod("a", "x", ""), app_pod("b", "y", "")});
  const IndexDump dump = IndexQuery(rig.session, rig.command, nullptr).dump();
  REQUIRE(dump.size() == 1);
  CHECK(dump.at("@namespace").at("a") == std::vector<std::string>{"x@a"});
  CHECK(dump.at("@namespace").at("b") == std::vector<std::string>{"y@b"});
}

TEST_CASE("an index without any value is still in a dump") {
  IndexRig rig({"tier"});
  rig.add_informer(sample_pods());
  const IndexDump dump = IndexQuery(rig.session, rig.command, nullptr).dump();
  REQUIRE(dump.contains("label:tier"));
  CHECK(dump.at("label:tier").empty());
}

TEST_CASE("specs that follow owners use the owner tree") {
  ObjectFacts facts;
  facts.ns = "a";
  facts.name = "web-5d-x";
  facts.uid = "1";
  facts.resource_version = "1";
  facts.owners = {{"apps/v1", "ReplicaSet", "web-5d", "9", true}};
  IndexRig rig({"@root=replicaset.apps/web-*"});
  rig.add_informer({Object::create(facts), app_pod("a", "alone", "")});
  const OwnerTree owners(*rig.offline.connection, {}, {}, true, rig.offline.clock, [] {});
  IndexQuery query(rig.session, rig.command, &owners);
  CHECK(rig.keys_of(query.answer()->objects) == "a/web-5d-x");
  const IndexDump dump = query.dump();
  CHECK(dump.at("@root").at("replicaset.apps/web-5d") == std::vector<std::string>{"a/web-5d-x"});
  CHECK(dump.at("@root").size() == 1);
}

}  // namespace
}  // namespace kinf
