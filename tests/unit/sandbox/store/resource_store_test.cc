// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/store/resource_store.h"

#include <doctest/doctest.h>

#include "fakes/fake_clock.h"

using namespace kinf;
using namespace kinf::sandbox;

namespace {

Json named(const std::string& name) { return {{"metadata", {{"name", name}}}}; }

ObjectKey key(const std::string& name) { return {"default", name}; }

struct Store {
  explicit Store(std::size_t window = 100) : store(clock, window) {}
  ChangeBatch changes_after(std::uint64_t version) { return store.changes_after("pods", version); }
  std::vector<std::string> names_at(std::uint64_t version) {
    const auto snapshot = store.list_at("pods", version);
    REQUIRE(snapshot.has_value());
    std::vector<std::string> names;
    for (const StoredPtr& object : snapshot->objects) names.push_back(object->key.name);
    return names;
  }
  test::FakeClock clock;
  ResourceStore store;
};

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("every write gets the next version, over all types") {
  Store s;
  const auto a = s.store.create("pods", key("a"), named("a"));
  const auto b = s.store.create("nodes", key("b"), named("b"));
  CHECK(b->version == a->version + 1);
  CHECK(a->json["metadata"]["resourceVersion"] == std::to_string(a->version));
  CHECK(s.store.version() == b->version);
}

TEST_CASE("a write that is based on an old version does nothing") {
  Store s;
  const auto a = s.store.create("pods", key("a"), named("a"));
  CHECK(s.store.update("pods", key("a"), named("a"), a->version));
  CHECK_FALSE(s.store.update("pods", key("a"), named("a"), a->version));
  CHECK_FALSE(s.store.remove("pods", key("a"), named("a"), a->version));
  CHECK_FALSE(s.store.create("pods", key("a"), named("a")));
}

TEST_CASE("a state of the past can be listed while its changes are remembered") {
  Store s;
  const auto a = s.store.create("pods", key("a"), named("a"));
  const auto b = s.store.create("pods", key("b"), named("b"));
  const auto gone = s.store.remove("pods", key("a"), a->json, a->version);
  CHECK(s.names_at(a->version) == Names{"a"});
  CHECK(s.names_at(b->version) == Names{"a", "b"});
  CHECK(s.names_at(gone->version) == Names{"b"});
  CHECK(s.store.list_at("pods", gone->version + 1).error() == VersionProblem::future);
}

TEST_CASE("versions before the window are expired") {
  Store s(2);
  const auto a = s.store.create("pods", key("a"), named("a"));
  for (const char* name : {"b", "c", "d"}) s.store.create("pods", key(name), named(name));
  CHECK(s.changes_after(a->version).expired);
  CHECK(s.changes_after(a->version + 1).changes.size() == 2);
  CHECK(s.store.list_at("pods", a->version).error() == VersionProblem::expired);
}

TEST_CASE("a watcher gets only changes of its type, in order") {
  Store s;
  const auto a = s.store.create("pods", key("a"), named("a"));
  s.store.create("nodes", key("n"), named("n"));
  s.store.update("pods", key("a"), named("a"), a->version);
  const ChangeBatch batch = s.changes_after(0);
  REQUIRE(batch.changes.size() == 2);
  CHECK(batch.changes[0].type == StoredChangeType::added);
  CHECK(batch.changes[1].type == StoredChangeType::modified);
  CHECK(batch.changes[1].old == a);
  CHECK(batch.version == s.store.version());
}

TEST_CASE("a listener hears of changes of its type, rounds of bookmarks and compactions") {
  struct Counter final : ChangeListener {
    void changed() override { ++calls; }
    int calls = 0;
  };
  Store s;
  Counter pods;
  s.store.subscribe("pods", pods);
  s.store.create("pods", key("a"), named("a"));
  CHECK(pods.calls == 1);
  s.store.create("nodes", key("n"), named("n"));
  CHECK(pods.calls == 1);
  s.store.request_bookmarks();
  CHECK(pods.calls == 2);
  CHECK(s.changes_after(1).bookmark_rounds == 1);
  s.store.compact();
  CHECK(pods.calls == 3);
  s.store.unsubscribe("pods", pods);
  s.store.create("pods", key("b"), named("b"));
  CHECK(pods.calls == 3);
}

TEST_CASE("the types that changed after a version are known") {
  Store s;
  REQUIRE(s.store.create("pods", key("a"), named("a")));
  const std::uint64_t before = s.store.version();
  CHECK(s.store.changed_types(before).empty());
  REQUIRE(s.store.create("nodes", key("n"), named("n")));
  CHECK(s.store.changed_types(before) == Names{"nodes"});
  s.store.compact();
  CHECK(s.store.changed_types(0) == Names{"nodes", "pods"});
}

TEST_CASE("a compaction expires every version before it") {
  Store s;
  const auto a = s.store.create("pods", key("a"), named("a"));
  s.store.create("pods", key("b"), named("b"));
  s.store.compact();
  CHECK(s.changes_after(a->version).expired);
  CHECK_FALSE(s.changes_after(s.store.version()).expired);
}

TEST_CASE("a batch holds at most 256 changes, and its version says where the next one begins") {
  Store s(1000);
  for (int i = 0; i < 300; ++i) {
    const std::string name = "p" + std::to_string(i);
    s.store.create("pods", key(name), named(name));
  }
  const ChangeBatch first = s.changes_after(0);
  CHECK(first.changes.size() == 256);
  CHECK(first.has_more);
  CHECK(first.version == first.changes.back().version);
  const ChangeBatch second = s.changes_after(first.version);
  CHECK(second.changes.size() == 44);
  CHECK_FALSE(second.has_more);
  CHECK(second.version == s.store.version());
}

TEST_CASE("a watcher moves to the newest version when only other types change") {
  Store s;
  s.store.create("nodes", key("n"), named("n"));
  const ChangeBatch batch = s.changes_after(1);
  CHECK(batch.changes.empty());
  CHECK(batch.version == s.store.version());
}

TEST_CASE("the last state of a removed object carries the version of its removal") {
  Store s;
  const auto a = s.store.create("pods", key("a"), named("a"));
  Json last = a->json;
  last["marked"] = true;
  const auto gone = s.store.remove("pods", key("a"), last, a->version);
  REQUIRE(gone != nullptr);
  CHECK(gone->json["marked"] == true);
  CHECK(gone->json["metadata"]["resourceVersion"] == std::to_string(gone->version));
  CHECK(s.store.get("pods", key("a")) == nullptr);
  const ChangeBatch batch = s.changes_after(a->version);
  REQUIRE(batch.changes.size() == 1);
  CHECK(batch.changes[0].type == StoredChangeType::deleted);
  CHECK(batch.changes[0].old == a);
}

namespace {

/// Records what the store writes to its log.
struct RecordingLog final : ChangeLog {
  bool append(std::string_view type, const StoredChange& change) override {
    if (is_full) return false;
    lines.push_back(std::string(type) + " " + std::to_string(change.version));
    return true;
  }
  bool is_long() const override { return lines.size() >= 3; }
  void rewrite(std::uint64_t version, const std::vector<LoggedObject>& objects) override {
    rewritten_at = version;
    rewritten = objects.size();
    lines.clear();
  }
  void report_problem() override {
    ++reports;
    if (store != nullptr) (void)store->version();  // would block if the store held its lock
  }

  std::vector<std::string> lines;
  std::uint64_t rewritten_at = 0;
  std::size_t rewritten = 0;
  int reports = 0;
  bool is_full = false;
  ResourceStore* store = nullptr;
};

}  // namespace

TEST_CASE("a change that the log cannot save is not made") {
  Store s;
  RecordingLog log;
  s.store.restore(5, {}, &log);
  const auto a = s.store.create("pods", key("a"), named("a"));
  log.is_full = true;
  CHECK(s.store.create("pods", key("b"), named("b")) == nullptr);
  CHECK(s.store.update("pods", key("a"), named("a"), a->version) == nullptr);
  CHECK(s.store.remove("pods", key("a"), a->json, a->version) == nullptr);
  CHECK_FALSE(s.store.saves());
  CHECK(s.store.version() == 6);
  CHECK(s.store.list("pods").objects == std::vector{a});
  CHECK(s.changes_after(6).changes.empty());
  log.is_full = false;
  CHECK(s.store.create("pods", key("b"), named("b"))->version == 7);
  CHECK(s.store.saves());
}

TEST_CASE("restored types count as changed") {
  Store s;
  auto old = std::make_shared<StoredObject>();
  old->key = key("old");
  s.store.restore(40, {{"pods", old}}, nullptr);
  CHECK(s.store.changed_types(0) == Names{"pods"});
}

TEST_CASE("a restored store goes on from its version and logs each change that is made") {
  Store s;
  RecordingLog log;
  log.store = &s.store;
  auto old = std::make_shared<StoredObject>();
  old->key = key("old");
  old->version = 40;
  s.store.restore(41, {{"pods", old}}, &log);
  CHECK(s.store.get("pods", key("old")) == old);
  CHECK(s.store.create("pods", key("a"), named("a"))->version == 42);
  CHECK_FALSE(s.store.create("pods", key("a"), named("a")));
  s.store.create("nodes", key("n"), named("n"));
  CHECK(log.lines == Names{"pods 42", "nodes 43"});
  CHECK(log.reports == 2);
  CHECK(s.changes_after(40).expired);
}

TEST_CASE("a log that has grown too long is rewritten with the objects of all types") {
  Store s;
  RecordingLog log;
  s.store.restore(1, {}, &log);
  const auto a = s.store.create("pods", key("a"), named("a"));
  s.store.create("nodes", key("n"), named("n"));
  s.store.remove("pods", key("a"), a->json, a->version);
  CHECK(log.rewritten_at == 4);
  CHECK(log.rewritten == 1);
  CHECK(log.lines.empty());
}
