// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/selection/owner_tree.h"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>

#include "kinf/base/log.h"
#include "kinf/cli/flags/informer_flags.h"
#include "kinf/query/index_spec.h"
#include "unit/cli/connection/offline_connection.h"

namespace kinf {
namespace {

using Values = std::vector<std::string>;

ObjectPtr owned_by(std::vector<OwnerReference> owners) {
  ObjectFacts facts;
  facts.api_version = "v1";
  facts.kind = "Pod";
  facts.ns = "shop";
  facts.name = "web-5d-x";
  facts.uid = "1";
  facts.owners = std::move(owners);
  facts.labels = {{"app", "web"}};
  return Object::create(facts);
}

const OwnerReference kReplicaSet{"apps/v1", "ReplicaSet", "web-5d", "9", true};
const OwnerReference kNode{"v1", "Node", "n1", "8", false};

struct OwnerRig {
  explicit OwnerRig(bool denies_credentials = false)
      : offline({}, {}, denies_credentials),
        tree(std::make_unique<OwnerTree>(*offline.connection, std::vector<std::string>{"shop"},
                                         InformerFlags(), false, offline.clock,
                                         [this] { ++changes; })) {
    log::set_sink([this](std::string_view line) { lines.emplace_back(line); });
  }
  ~OwnerRig() {
    tree.reset();
    log::set_sink({});
  }
  Values values(const std::string& spec, const ObjectPtr& object) const {
    return tree->values(IndexSpec::parse(spec).value(), *object);
  }

  test::OfflineConnection offline;
  std::atomic<int> changes = 0;
  std::vector<std::string> lines;
  std::unique_ptr<OwnerTree> tree;
};

TEST_CASE("while no owners are followed, the direct owners are the ends of the branches") {
  const OwnerRig rig;
  const ObjectPtr pod = owned_by({kReplicaSet, kNode});
  CHECK(rig.values("@root", pod) == Values{"replicaset.apps/web-5d", "node/n1"});
  CHECK(rig.values("@owner=deployment.apps/web", pod) ==
        Values{"replicaset.apps/web-5d", "node/n1"});
}

TEST_CASE("an owner that is named twice is one value, and an object without owners has none") {
  const OwnerRig rig;
  CHECK(rig.values("@root", owned_by({kNode, kNode})) == Values{"node/n1"});
  CHECK(rig.values("@root", owned_by({})).empty());
}

TEST_CASE("specs that do not follow owners have the values of the object itself") {
  const OwnerRig rig;
  CHECK(rig.values("app", owned_by({kReplicaSet})) == Values{"web"});
  CHECK(rig.values("@owner", owned_by({kReplicaSet})) == Values{"replicaset.apps/web-5d"});
}

TEST_CASE("an object is known when the types of all its owners are followed") {
  const OwnerRig rig;
  CHECK(rig.tree->is_known(*owned_by({})));
  CHECK_FALSE(rig.tree->is_known(*owned_by({kReplicaSet})));
}

TEST_CASE("objects without owners need no informer") {
  OwnerRig rig;
  CHECK(rig.tree->follow({owned_by({})}, rig.offline.clock.now(), {}).has_value());
  CHECK(rig.tree->follow({}, rig.offline.clock.now(), {}).has_value());
}

TEST_CASE("following ends at the deadline, and names the type whose list is missing") {
  OwnerRig rig;
  const Result<void> followed =
      rig.tree->follow({owned_by({kReplicaSet})}, rig.offline.clock.now(), {});
  REQUIRE_FALSE(followed.has_value());
  CHECK(followed.error().kind == ErrorKind::unavailable);
  CHECK(followed.error().message.find("ReplicaSet.apps") != std::string::npos);
  CHECK(rig.tree->is_known(*owned_by({kReplicaSet})));
  CHECK_FALSE(rig.tree->is_known(*owned_by({kReplicaSet, kNode})));
}

TEST_CASE("following ends on stop") {
  OwnerRig rig;
  std::stop_source stop;
  stop.request_stop();
  const Result<void> followed =
      rig.tree->follow({owned_by({kNode})}, Clock::kNever, stop.get_token());
  REQUIRE_FALSE(followed.has_value());
  CHECK(followed.error().kind == ErrorKind::stopped);
}

TEST_CASE("a branch ends at an owner whose type the user cannot list, which is logged once") {
  OwnerRig rig(true);
  const ObjectPtr pod = owned_by({kReplicaSet});
  CHECK(rig.tree->follow({pod}, Clock::kNever, {}).has_value());
  CHECK(rig.tree->is_known(*pod));
  CHECK(rig.values("@root", pod) == Values{"replicaset.apps/web-5d"});
  CHECK(rig.tree->follow({pod}, Clock::kNever, {}).has_value());
  CHECK(rig.changes == 0);
  rig.tree.reset();  // ends the threads that log
  REQUIRE(rig.lines.size() == 1);
  CHECK(rig.lines.front().starts_with("cannot follow owners beyond ReplicaSet.apps: "));
}

}  // namespace
}  // namespace kinf
