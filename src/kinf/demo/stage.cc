// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/stage.h"

#include <fmt/format.h>

#include <array>

#include "kinf/api/object_decoder.h"
#include "kinf/api/object_path.h"

namespace kinf {

void Demo::follow(const SharedInformer& informer) {
  wait_until([&] {
    const InformerStats stats = informer.stats();
    return is_over(informer.indexer().last_store_sync_resource_version()) && stats.queued == 0 &&
           stats.backlog == 0;
  });
}

std::string phase_of(const Object& object) {
  return object_field(object, std::array<std::string_view, 2>{"status", "phase"}).value_or("");
}

ObjectPtr object_from(std::string_view json) {
  return ObjectDecoder(DecodeOptions()).decode(json).value();
}

ObjectPtr small_pod(std::string_view name, int version) {
  return object_from(fmt::format(
      R"({{"metadata":{{"name":"{0}","uid":"{0}","resourceVersion":"{1}"}}}})", name, version));
}

Result<std::vector<std::string>> app_label(const Object& object) {
  const auto app = object.label("app");
  if (!app) return std::vector<std::string>();
  return std::vector<std::string>{std::string(*app)};
}

Result<> pop_all(Queue& queue, const PopHandler& handle) {
  Result<bool> popped = true;
  while (popped && *popped) popped = queue.try_pop(handle);
  return popped ? Result<>() : std::unexpected(popped.error());
}

}  // namespace kinf
