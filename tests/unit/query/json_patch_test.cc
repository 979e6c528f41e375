// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/json_patch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "fakes/fixture.h"

namespace kinf {
namespace {

using Ordered = nlohmann::ordered_json;

nlohmann::json as_json(const std::vector<PatchOperation>& patch) {
  nlohmann::json result = nlohmann::json::array();
  for (const PatchOperation& operation : patch) {
    nlohmann::json entry = {{"op", operation_word(operation.kind)}, {"path", operation.pointer}};
    if (!operation.from.empty()) entry["from"] = operation.from;
    if (!operation.value.empty()) entry["value"] = nlohmann::json::parse(operation.value);
    result.push_back(std::move(entry));
  }
  return result;
}

std::string patch_text(std::string_view old_json, std::string_view new_json) {
  const Result<ObjectDiff> found = diff(old_json, new_json);
  REQUIRE(found);
  return as_json(json_patch(*found)).dump();
}

/// The documents of every kind there is a recorded or written one of.
std::vector<Ordered> documents() {
  std::vector<Ordered> result;
  std::map<std::string, int> kinds;
  const auto collect = [&](const auto& self, const Ordered& value) -> void {
    if (value.is_object() && value.contains("metadata") && value["metadata"].contains("name")) {
      const std::string kind = value.value("kind", "");
      if (++kinds[kind] <= 25) result.push_back(value);
      return;
    }
    if (!value.is_structured()) return;
    for (const Ordered& inside : value) self(self, inside);
  };
  for (const char* name : {"list/pods.json", "list/widgets.json", "../../vectors/printer.json"}) {
    collect(collect, Ordered::parse(test::fixture(name)));
  }
  CHECK(kinds.size() >= 10);
  return result;
}

/// Changes a document here and there. Threads: one owner.
class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  Ordered changed(Ordered document) {
    for (std::size_t i = below(6) + 1; i > 0; --i) change(pick(document));
    if (below(4) == 0) shuffle_lists(document);
    return document;
  }
  std::size_t below(std::size_t limit) { return random_() % limit; }
  /// Puts every list into another order.
  void shuffle_lists(Ordered& value) {
    if (value.is_array()) shuffle(value);
    if (!value.is_structured()) return;
    for (Ordered& inside : value) shuffle_lists(inside);
  }

 private:
  /// A value somewhere below `value`, or that.
  Ordered& pick(Ordered& value) {
    if (!value.is_structured() || value.empty() || below(5) == 0) return value;
    auto at = value.begin();
    std::advance(at, below(value.size()));
    return pick(*at);
  }
  void shuffle(Ordered& list) {
    std::vector<Ordered> items(list.begin(), list.end());
    std::ranges::shuffle(items, random_);
    list = items;
  }
  Ordered leaf() {
    switch (below(7)) {
      case 0: return nullptr;
      case 1: return below(2) == 0;
      case 2: return static_cast<int>(below(1000)) - 500;
      case 3: return Ordered::object();
      case 4: return Ordered::parse(R"([{"name":"n","type":"t","port":1},"x"])");
      default: return "text \"~/\\\n" + std::to_string(below(10));
    }
  }
  void change(Ordered& value) {
    if (value.is_object()) {
      const std::size_t member = value.empty() ? 0 : below(value.size());
      auto at = value.begin();
      std::advance(at, member);
      if (!value.empty() && below(2) == 0) {
        value.erase(at);
      } else {
        value["a~b/c.d" + std::to_string(below(4))] = leaf();
      }
    } else if (value.is_array()) {
      if (below(3) == 0) shuffle(value);
      if (!value.empty() && below(2) == 0)
        value.erase(value.begin() + static_cast<long>(below(value.size())));
      if (!value.empty() && below(2) == 0) {
        Ordered copy = value[below(value.size())];
        if (copy.is_object()) {
          for (const char* key : {"name", "type", "uid", "mountPath"}) {
            if (copy.contains(key)) copy[key] = "new-" + std::to_string(below(5));
          }
        }
        value.insert(value.begin() + static_cast<long>(below(value.size())), std::move(copy));
      }
    } else {
      value = leaf();
    }
  }

  std::mt19937 random_;
};

TEST_CASE("a patch puts lists into order before it changes their items") {
  CHECK(patch_text(R"({"env":[{"name":"A","value":"1"},{"name":"B"},{"name":"C"}]})",
                   R"({"env":[{"name":"C"},{"name":"D"},{"name":"A","value":"2"}]})") ==
        nlohmann::json::parse(R"([{"op":"remove","path":"/env/1"},
            {"op":"move","from":"/env/1","path":"/env/0"},
            {"op":"add","path":"/env/1","value":{"name":"D"}},
            {"op":"replace","path":"/env/2/value","value":"2"}])")
            .dump());
  CHECK(patch_text(R"({"a/b":{"c~d":1},"e":2})", R"({"a/b":{"c~d":2},"f":3})") ==
        nlohmann::json::parse(R"([{"op":"replace","path":"/a~1b/c~0d","value":2},
            {"op":"remove","path":"/e"},{"op":"add","path":"/f","value":3}])")
            .dump());
  CHECK(patch_text(R"({"a":1})", R"([1])") == R"([{"op":"replace","path":"","value":[1]}])");
}

TEST_CASE("old and patch give new, and each path is named once, for 1,000 random pairs") {
  const std::vector<Ordered> originals = documents();
  std::size_t operations = 0;
  std::size_t moves = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    CAPTURE(seed);
    Mutator mutator(seed);
    const Ordered& original = originals[mutator.below(originals.size())];
    const std::string old_json = original.dump();
    const std::string new_json = mutator.changed(original).dump(mutator.below(2) == 0 ? -1 : 2);
    const Result<ObjectDiff> found = diff(old_json, new_json);
    REQUIRE(found);
    const nlohmann::json patch = as_json(json_patch(*found));
    const nlohmann::json patched = nlohmann::json::parse(old_json).patch(patch);
    REQUIRE(patched.dump() == nlohmann::json::parse(new_json).dump());
    std::set<std::string> paths;
    for (const Difference& change : found->changes) {
      REQUIRE(paths.insert(path_text(change.path)).second);
    }
    operations += patch.size();
    for (const auto& operation : patch) moves += operation["op"] == "move" ? 1 : 0;
  }
  CHECK(operations > 2000);
  CHECK(moves > 20);
}

TEST_CASE("lists with merge keys show no change in another order, for 300 random documents") {
  const Ordered pod = Ordered::parse(
      R"({"metadata":{"finalizers":["a","b","c"],"ownerReferences":[{"uid":"1"},{"uid":"2"}]},
          "spec":{"containers":[{"name":"a","env":[{"name":"X"},{"name":"Y"},{"name":"Z"}],
            "ports":[{"containerPort":1,"protocol":"TCP"},{"containerPort":1,"protocol":"UDP"}],
            "volumeMounts":[{"mountPath":"/a"},{"mountPath":"/b"}]},{"name":"b"},{"name":"c"}],
            "volumes":[{"name":"v"},{"name":"w"}],"initContainers":[{"name":"i"},{"name":"j"}],
            "tolerations":[{"key":"k","effect":"e"},{"key":"k","effect":"f"}]},
          "status":{"conditions":[{"type":"A"},{"type":"B"},{"type":"C"}],
            "containerStatuses":[{"name":"a"},{"name":"b"},{"name":"c"}]}})");
  const std::string old_json = pod.dump();
  for (unsigned seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Ordered shuffled = pod;
    Mutator(seed).shuffle_lists(shuffled);
    const std::string new_json = shuffled.dump();
    const Result<ObjectDiff> found = diff(old_json, new_json);
    REQUIRE(found);
    REQUIRE(found->changes.empty());
    const nlohmann::json patch = as_json(json_patch(*found));
    REQUIRE(nlohmann::json::parse(old_json).patch(patch) == nlohmann::json::parse(new_json));
  }
}

}  // namespace
}  // namespace kinf
