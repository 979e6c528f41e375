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

Result<ApiRequest> probe(const ResourceType& type, const std::string& ns) {
  Result<std::string> path = resource_path(type.gvr, ns);
  if (!path) return std::unexpected(std::move(path).error());
  ListOptions options;
  options.limit = 1;
  ApiRequest request;
  request.path = *std::move(path);
  request.query = list_query(options);
  request.accept = kMetadataListTypes;
  request.verb = "list";
  request.resource = type.gvr.group_resource();
  return request;
}

/// Returns whether the server permits the request.
Result<bool> is_permitted(ApiClient& client, const ResourceType& type, const std::string& ns,
                          const std::stop_token& stop) {
  Result<ApiRequest> request = probe(type, ns);
  if (!request) return std::unexpected(std::move(request).error());
  const Result<ApiAnswer> answer = client.get(*std::move(request), stop);
  if (answer) return true;
  if (answer.error().kind == ErrorKind::forbidden) return false;
  return std::unexpected(answer.error());
}

class Collector final : public ListSink {
 public:
  void item(ObjectPtr object) override { names.emplace_back(object->name()); }
  std::vector<std::string> names;
};

/// Lists the names of all objects of `source`, page by page.
Result<std::vector<std::string>> list_names(ListerWatcher& source, const std::stop_token& stop) {
  Collector collector;
  const Result<void> listed = list_all(source, collector, stop);
  if (!listed) return std::unexpected(listed.error());
  return std::move(collector.names);
}

}  // namespace

Result<bool> NamespaceAccess::may_list_everywhere(const ResourceType& type) {
  if (!connection_.checks_access()) return true;
  const Result<std::unique_ptr<ApiClient>> client = connection_.new_client();
  if (!client) return std::unexpected(client.error());
  return connection_.patiently(
      [&] { return is_permitted(**client, type, "", connection_.stop_token()); });
}

Result<std::vector<std::string>> NamespaceAccess::names(const std::string& labels) {
  const auto known = names_.find(labels);
  if (known != names_.end()) return known->second;
  HttpSource source = namespace_source(labels);
  const Result<std::unique_ptr<HttpListerWatcher>> watcher = connection_.source(std::move(source));
  if (!watcher) return std::unexpected(watcher.error());
  Result<std::vector<std::string>> found =
      connection_.patiently([&] { return list_names(**watcher, connection_.stop_token()); });
  if (!found) {
    Error error = std::move(found).error();
    if (error.kind == ErrorKind::forbidden) {
      error.hint = "you may not list namespaces; name them: -n NAME[,NAME...]";
    }
    return std::unexpected(std::move(error));
  }
  std::ranges::sort(*found);
  names_.emplace(labels, *found);
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
      if (!client) return std::unexpected(std::move(client).error());
      clients.push_back(*std::move(client));
    }
    std::vector<std::jthread> threads;
    for (const auto& client : clients) {
      threads.emplace_back([&, stop = connection_.stop_token()] {
        for (std::size_t i = next++; i < namespaces.size(); i = next++) {
          answers[i] = is_permitted(*client, type, namespaces[i], stop);
          if (!*answers[i]) next = namespaces.size();  // an error: skip the others
        }
      });
    }
    for (std::jthread& thread : threads) thread.join();
  }
  std::vector<std::string> result;
  for (std::size_t i = 0; i < namespaces.size(); ++i) {
    if (!answers[i]) continue;
    if (!*answers[i]) return std::unexpected(answers[i]->error());
    if (**answers[i]) result.push_back(namespaces[i]);
  }
  return result;
}

}  // namespace kinf
