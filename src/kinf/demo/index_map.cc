// SPDX-License-Identifier: Apache-2.0
// Stage index-map: shows that an index is a map from value to a set of keys. There is one map per
// index. The key function returns the keys.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kinf/cache/indexer.h"
#include "kinf/demo/places.h"
#include "kinf/demo/stage.h"

namespace kinf {
namespace {

ObjectPtr labelled_pod(std::string_view ns, std::string_view name, std::string_view app) {
  return object_from(fmt::format(
      R"({{"metadata":{{"namespace":"{}","name":"{}","labels":{{"app":"{}"}}}}}})", ns, name, app));
}

/// Formats the index as Go prints a map[string]map[string]sets.String.
std::string map_text(const Indexer& indexer, const std::string& index) {
  std::vector<std::string> values = indexer.list_index_func_values(index);
  std::ranges::sort(values);
  for (std::string& value : values) {
    const auto keys = indexer.index_keys(index, value).value();
    value = fmt::format("{}:map[{}:{{}}]", value, fmt::join(keys, ":{} "));
  }
  return fmt::format("map[{}:map[{}]]", index, fmt::join(values, " "));
}

}  // namespace

Result<> demo_index_map(Demo& demo) {
  IndexerOptions options;
  options.key_function = [](const Object& object) -> Result<std::string> {
    return fmt::format("{}---{}", object.ns(), object.name());
  };
  options.indexers["app"] = app_label;
  Indexer indexer(std::move(options));
  if (auto done = indexer.add(labelled_pod("ns1", "pod1", "l1")); !done) return done;
  if (auto done = indexer.add(labelled_pod("ns2", "pod2", "l2")); !done) return done;
  demo.print(map_text(indexer, "app"));
  demo.explain(kIndexPut,
               fmt::format("the index app maps {} values to the keys of {} objects",
                           indexer.list_index_func_values("app").size(), indexer.size()));
  const auto keys = indexer.index_keys("app", "l1");
  demo.print(fmt::format("[{}] {}", fmt::join(keys.value_or(std::vector<std::string>()), " "),
                         keys ? "<nil>" : keys.error().message));
  demo.explain(kIndexKeys, fmt::format("one lookup of l1 found {} key, without a look at the {} "
                                       "objects",
                                       keys ? keys->size() : 0, indexer.size()));
  return {};
}

}  // namespace kinf
