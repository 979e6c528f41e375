// SPDX-License-Identifier: Apache-2.0
// ClusterWorld: the controllers over a store, on the test's thread and a clock that the test moves.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "fakes/fake_clock.h"
#include "kinf/sandbox/controllers/controllers.h"
#include "kinf/sandbox/controllers/nodes.h"
#include "kinf/sandbox/controllers/owner_loop.h"
#include "kinf/sandbox/controllers/templates.h"

namespace kinf::sandbox {

inline DeleteOptions with(Propagation propagation) {
  DeleteOptions options;
  options.propagation = propagation;
  return options;
}

struct ClusterWorld {
  explicit ClusterWorld(int nodes = 1, Controllers::Options options = {})
      : controllers(store, objects, types, clock, options) {
    if (options.enabled) objects.expect_garbage_collector();
    add({{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "default"}}}});
    for (int i = 1; i <= nodes; ++i) add(sandbox_node(i, objects.timestamp()));
  }

  StoredPtr add(Json object) {
    const ApiResult<StoredPtr> stored = objects.load(std::move(object));
    REQUIRE(stored.has_value());
    return *stored;
  }
  /// Creates an object as kubectl does, and lets the controllers see it.
  StoredPtr create(Json object) {
    const ApiTypePtr type =
        types.find_kind(text(field(object, "apiVersion")), text(field(object, "kind")));
    const ApiResult<StoredPtr> stored = objects.create(*type, "default", std::move(object), false);
    REQUIRE(stored.has_value());
    settle();
    return *stored;
  }
  static Json pod(const std::string& name, const Json& members = Json::object()) {
    Json spec = {{"containers", Json::array({{{"name", "main"}, {"image", "image:1"}}})}};
    spec.update(members);
    return {{"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", {{"name", name}}}, {"spec", spec}};
  }
  static Json with_command(const Json& command) {
    return {{"containers",
             Json::array({{{"name", "main"}, {"image", "image:1"}, {"command", command}}})}};
  }

  const ApiType& type(const std::string& storage_key) const {
    for (const ApiTypePtr& each : types.all()) {
      if (each->storage_key() == storage_key) return *each;
    }
    FAIL("no type " << storage_key);
    return *types.all().front();
  }
  Json get(const std::string& storage_key, const std::string& name,
           const std::string& ns = "default") const {
    const StoredPtr found = store.get(storage_key, {ns, name});
    return found == nullptr ? Json() : found->json;
  }
  Json pod_named(const std::string& name) const { return get("pods", name); }
  std::vector<Json> all(const std::string& storage_key) const {
    std::vector<Json> result;
    for (const StoredPtr& each : store.list(storage_key).objects) result.push_back(each->json);
    return result;
  }
  void change(const std::string& storage_key, const std::string& name,
              const std::function<void(Json&)>& edit) {
    const auto edited = [&](const Json& current) -> ApiResult<Json> {
      Json result = current;
      edit(result);
      return result;
    };
    const std::string ns = type(storage_key).namespaced ? "default" : "";
    REQUIRE(objects.modify(type(storage_key), {ns, name}, Part::everything, edited, false));
    settle();
  }
  void remove(const std::string& storage_key, const std::string& name,
              const DeleteOptions& options = {}) {
    const std::string ns = type(storage_key).namespaced ? "default" : "";
    REQUIRE(objects.remove(type(storage_key), {ns, name}, options));
    settle();
  }

  /// Creates a Deployment or ReplicaSet with the label app=NAME.
  StoredPtr create_set(const std::string& kind, const std::string& name, int replicas,
                       const Json& spec = Json::object()) {
    const Json labels = {{"app", name}};
    Json members = {{"replicas", replicas},
                    {"selector", {{"matchLabels", labels}}},
                    {"template", {{"metadata", {{"labels", labels}}}, {"spec", pod("")["spec"]}}}};
    members.update(spec);
    return create({{"apiVersion", "apps/v1"},
                   {"kind", kind},
                   {"metadata", {{"name", name}}},
                   {"spec", members}});
  }
  /// Steps until nothing changes. Controllers that never agree fail the test.
  void settle() {
    for (int i = 0; controllers.step(); ++i) REQUIRE(i < 1000);
  }
  /// Moves the clock from one due time to the next.
  void pass(Clock::Duration time) {
    const Clock::Mono end = clock.now() + time;
    settle();
    while (controllers.next() <= end) {
      clock.advance(std::max(Clock::Duration::zero(), controllers.next() - clock.now()));
      settle();
    }
    clock.advance(end - clock.now());
  }
  /// What watchers of a type have seen of an object since `version`, one line per event.
  std::vector<std::string> history(const std::string& storage_key, const std::string& name,
                                   const std::function<std::string(const Json&)>& line) {
    std::vector<std::string> lines;
    const ChangeBatch batch = store.changes_after(storage_key, 0);
    for (const StoredChange& change : batch.changes) {
      if (change.object->key.name != name) continue;
      const char* word = change.type == StoredChangeType::added      ? "ADDED "
                         : change.type == StoredChangeType::modified ? "MODIFIED "
                                                                     : "DELETED ";
      lines.push_back(word + line(change.object->json));
    }
    return lines;
  }
  /// The reasons of the Events about an object, in the order of their creation.
  std::vector<std::string> reasons(const std::string& name) const {
    std::vector<std::pair<std::uint64_t, std::string>> found;
    for (const StoredPtr& each : store.list("events").objects) {
      if (text(field(each->json, "involvedObject", "name")) == name) {
        found.emplace_back(std::stoull(each->key.name.substr(name.size() + 1), nullptr, 16),
                           text(field(each->json, "reason")));
      }
    }
    std::ranges::sort(found);
    std::vector<std::string> result;
    for (auto& [number, reason] : found) result.push_back(std::move(reason));
    return result;
  }

  test::FakeClock clock;
  ApiTypes types;
  ResourceStore store{clock};
  ObjectService objects{store, types, clock, 1};
  Controllers controllers;
};

}  // namespace kinf::sandbox
