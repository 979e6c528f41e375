// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/completion/server_world.h"

#include <algorithm>

#include "kinf/cli/connection/connection.h"
#include "kinf/cli/runtime/blocking_calls.h"
#include "kinf/cli/runtime/environment.h"
#include "kinf/client/discovery.h"
#include "kinf/client/http_lister_watcher.h"
#include "kinf/client/kubeconfig.h"

namespace kinf {
namespace {

template <class Entry>
std::vector<std::string> names_of(const std::map<std::string, Entry>& entries) {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries) names.push_back(name);
  return names;
}

/// Returns `flags` with only the first of several contexts. Completion asks only that cluster.
GlobalFlags with_one_context(GlobalFlags flags) {
  std::string& context = flags.config.overrides.context;
  context.resize(std::min(context.find(','), context.size()));
  return flags;
}

}  // namespace

ServerWorld::ServerWorld(GlobalFlags flags, std::vector<Alias> aliases,
                         const Environment& environment, Clock& clock, std::stop_token stop)
    : flags_(with_one_context(std::move(flags))),
      aliases_(std::move(aliases)),
      environment_(environment),
      clock_(clock),
      stop_(std::move(stop)) {}

ServerWorld::~ServerWorld() = default;

Kubeconfig ServerWorld::kubeconfig() const {
  ConfigFlags flags = flags_.config;
  flags.overrides = {};
  Result<Kubeconfig> config = choose_kubeconfig(environment_.config, flags);
  return config ? *std::move(config) : Kubeconfig();
}

std::vector<std::string> ServerWorld::contexts() { return names_of(kubeconfig().contexts); }
std::vector<std::string> ServerWorld::clusters() { return names_of(kubeconfig().clusters); }
std::vector<std::string> ServerWorld::users() { return names_of(kubeconfig().users); }

Connection* ServerWorld::connection() {
  if (!std::exchange(is_opened_, true) && flags_.replay.from.empty()) {
    auto opened = Connection::open(flags_, {.play_scenario = false}, environment_, clock_, stop_);
    if (opened) connection_ = *std::move(opened);
  }
  return connection_.get();
}

std::vector<ApiResource> ServerWorld::types() {
  if (connection() == nullptr) return {};
  Result<std::vector<ApiResource>> types = connection_->all_types();
  return types ? *std::move(types) : std::vector<ApiResource>();
}

std::vector<std::string> ServerWorld::namespaces() {
  if (connection() == nullptr) return {};
  const Result<ResourceType> type = connection_->resolve("namespaces");
  if (!type) return {};
  std::vector<std::string> names;
  for (const ObjectPtr& object : list(*type, "", ObjectPart::metadata)) {
    names.emplace_back(object->name());
  }
  return names;
}

std::vector<ObjectPtr> ServerWorld::objects(const std::vector<std::string>& types,
                                            ObjectPart part) {
  if (connection() == nullptr) return {};
  const std::string& ns = connection_->config().default_namespace;
  const bool has_one = !flags_.all_namespaces && ns.find_first_of(",*?!") == std::string::npos;
  std::vector<ObjectPtr> all;
  for (const std::string& word : types) {
    const Result<std::vector<ResourceType>> found = connection_->expand(word);
    if (!found) continue;
    for (const ResourceType& type : *found) {
      std::vector<ObjectPtr> some = list(type, type.namespaced && has_one ? ns : "", part);
      all.insert(all.end(), some.begin(), some.end());
    }
  }
  return all;
}

std::vector<ObjectPtr> ServerWorld::list(const ResourceType& type, const std::string& ns,
                                         ObjectPart part) {
  const bool is_whole = part == ObjectPart::whole;
  const auto watcher = connection_->source(
      {.type = type,
       .ns = ns,
       .representation = is_whole ? Representation::object : Representation::metadata});
  if (!watcher) return {};
  ListOptions options;
  options.limit = is_whole ? 20 : 500;
  std::vector<ObjectPtr> objects;
  if (!list_page(**watcher, options, objects, stop_)) return {};
  std::ranges::sort(objects, {}, [](const ObjectPtr& object) { return object->name(); });
  return objects;
}

}  // namespace kinf
