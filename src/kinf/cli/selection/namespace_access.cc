// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/selection/namespace_access.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

#include "kinf/cli/connection/connection.h"
#include "kinf/cli/runtime/blocking_calls.h"
#include "kinf/cli/selection/namespace_labels.h"
#include "kinf/client/api_client.h"
#include "kinf/client/http_lister_watcher.h"
#include "kinf/client/paths.h"

namespace kinf {
namespace {

/// Returns whether the server permits the user to list `type` in `ns`; empty means all namespaces.
Result<bool> is_permitted(ApiClient& client, const ResourceType& type, const std::string& ns,
                          const std::stop_token& stop) {
  ListOptions options;
  options.limit = 1;
  const Result<ApiAnswer> answer =
      get_list(client, type.gvr, ns, options, kMetadataListTypes, stop);
  if (answer) return true;
  if (answer.error().kind == ErrorKind::forbidden) return false;
  return fail(answer);
}

/// Returns the names of all objects of `source`, sorted.
Result<std::vector<std::string>> list_names(ListerWatcher& source, const std::stop_token& stop) {
  const Result<std::vector<ObjectPtr>> listed = list_all(source, stop);
  if (!listed) return fail(listed);
  std::vector<std::string> names;
  for (const ObjectPtr& object : *listed) names.emplace_back(object->name());
  std::ranges::sort(names);
  return names;
}

}  // namespace

Result<bool> NamespaceAccess::may_list_everywhere(const ResourceType& type) {
  if (!connection_.checks_access()) return true;
  const Result<std::unique_ptr<ApiClient>> client = connection_.new_client();
  if (!client) return fail(client);
  return connection_.patiently(
      [&] { return is_permitted(**client, type, "", connection_.stop_token()); });
}

Result<std::vector<std::string>> NamespaceAccess::names(const std::string& labels) {
  const auto known = names_.find(labels);
  if (known != names_.end()) return known->second;
  const auto watcher = connection_.source(namespace_source(labels));
  if (!watcher) return fail(watcher);
  Result<std::vector<std::string>> found =
      connection_.patiently([&] { return list_names(**watcher, connection_.stop_token()); });
  if (!found && found.error().kind == ErrorKind::forbidden) {
    return fail(found).with_hint("you may not list namespaces; name them: -n NAME[,NAME...]");
  }
  if (found) names_.emplace(labels, *found);
  return found;
}

Result<std::vector<std::string>> NamespaceAccess::readable(
    const ResourceType& type, const std::vector<std::string>& namespaces) {
  std::vector<std::optional<Result<bool>>> answers(namespaces.size());
  std::atomic<std::size_t> next = 0;
  {
    std::vector<std::unique_ptr<ApiClient>> clients;
    for (std::size_t i = 0; i < std::min(kThreads, namespaces.size()); ++i) {
      Result<std::unique_ptr<ApiClient>> client = connection_.new_client();
      if (!client) return fail(client);
      clients.push_back(*std::move(client));
    }
    std::vector<std::jthread> threads;
    for (const auto& client : clients) {
      threads.emplace_back([&, stop = connection_.stop_token()] {
        for (std::size_t i = next++; i < namespaces.size(); i = next++) {
          answers[i] = is_permitted(*client, type, namespaces[i], stop);
          if (!*answers[i]) next = namespaces.size();  // after an error, skip the others
        }
      });
    }
    for (std::jthread& thread : threads) thread.join();
  }
  std::vector<std::string> result;
  for (std::size_t i = 0; i < namespaces.size(); ++i) {
    if (!answers[i]) continue;
    if (!*answers[i]) return fail(answers[i]->error());
    if (**answers[i]) result.push_back(namespaces[i]);
  }
  return result;
}

}  // namespace kinf
