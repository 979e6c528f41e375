// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/inspect/cache_verification.h"

#include "kinf/cli/connection/connection.h"
#include "kinf/cli/runtime/blocking_calls.h"
#include "kinf/cli/selection/namespace_labels.h"
#include "kinf/client/http_lister_watcher.h"
#include "kinf/informer/shared_informer.h"

namespace kinf {
namespace {

Result<CacheDifferences> compare_with_server(const SharedInformer& informer, ListerWatcher& server,
                                             const std::stop_token& stop) {
  const Result<std::vector<ObjectPtr>> served = list_all(server, stop);
  if (!served) return fail(served);
  return compare_objects(informer.indexer().list(), *served);
}

}  // namespace

CacheDifferences compare_objects(const std::vector<ObjectPtr>& cached,
                                 const std::vector<ObjectPtr>& served) {
  CacheDifferences pairs;
  for (const ObjectPtr& one : cached) pairs[one->key()].cached = one->resource_version();
  for (const ObjectPtr& one : served) pairs[one->key()].served = one->resource_version();
  std::erase_if(pairs, [](const auto& pair) { return pair.second.cached == pair.second.served; });
  return pairs;
}

CacheDifferences lasting(const CacheDifferences& earlier, const CacheDifferences& later) {
  CacheDifferences same;
  for (const auto& [key, versions] : later) {
    const auto before = earlier.find(key);
    if (before != earlier.end() && before->second == versions) same.emplace(key, versions);
  }
  return same;
}

Result<CacheVerification> verify_cache(Connection& connection, const ResourceType& type,
                                       const std::string& ns) {
  constexpr auto kSyncLimit = std::chrono::minutes(1);
  constexpr auto kPause = std::chrono::seconds(1);
  constexpr int kRounds = 3;
  Clock& clock = connection.clock();
  const std::stop_token stop = connection.stop_token();
  Result<std::unique_ptr<HttpListerWatcher>> watched = connection.source(metadata_source(type, ns));
  if (!watched) return fail(watched);
  const auto server = connection.source(metadata_source(type, ns));
  if (!server) return fail(server);
  SharedInformer informer(*std::move(watched), clock);
  if (Result<void> started = informer.start(); !started) return fail(started);
  const Result<void> synced = informer.wait_for_sync(clock.now() + kSyncLimit, stop);
  if (!synced) return fail(synced);
  Result<CacheDifferences> differences = compare_with_server(informer, **server, stop);
  for (int round = 0; differences && !differences->empty() && round < kRounds; ++round) {
    if (!sleep_until(clock, clock.now() + kPause, stop)) return fail(ErrorKind::stopped, "stopped");
    Result<CacheDifferences> later = compare_with_server(informer, **server, stop);
    if (!later) return fail(later);
    differences = lasting(*differences, *later);
  }
  if (!differences) return fail(differences);
  return CacheVerification{informer.indexer().list().size(), *std::move(differences)};
}

}  // namespace kinf
