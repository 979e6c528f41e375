// SPDX-License-Identifier: Apache-2.0
// Discovery: the resource types of a server, and which of them a name given by the user means.
// Requests only what the name needs, and keeps the answers, on disk if it has a cache.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/base/error.h"
#include "kinf/client/api_client.h"
#include "kinf/client/discovery_cache.h"

namespace kinf {

/// A resource type as discovery describes it.
struct ApiResource {
  ResourceType type;
  std::vector<std::string> short_names;
  std::vector<std::string> verbs;
  std::vector<std::string> categories;

  /// Whether the type supports `verb`: `list`, `watch`, ….
  bool has_verb(std::string_view verb) const;
};

/// The types of one API server.
/// Threads: one owner at a time. Requesting `stop` ends a call from any thread.
class Discovery {
 public:
  /// `client`, and `cache` unless null, must outlive this.
  explicit Discovery(ApiClient& client, const DiscoveryCache* cache = nullptr)
      : client_(&client), cache_(cache) {}

  /// Returns the type that `name` means, as kubectl resolves it: plural, singular, short name or
  /// kind (in any case), alone or as TYPE.GROUP or TYPE.VERSION.GROUP. Of several, the core group
  /// wins, then the server's own order of groups and versions. Blocks on a few requests: one for a
  /// core type, none if the cache has it. Errors: usage, for an unknown name, with similar names as
  /// a hint; stopped; those of the requests. Asks the server before it says that a name is unknown.
  Result<ApiResource> resolve(std::string_view name, const std::stop_token& stop);

  /// Returns every type in its preferred version, in the server's order, core first. Blocks on two
  /// requests, or on one for each group version of an old server.
  Result<std::vector<ApiResource>> all(const std::stop_token& stop);

 private:
  Result<ApiResource> resolve_known(std::string_view name, const std::stop_token& stop);
  Result<std::string> document(ApiRequest request, const std::stop_token& stop);
  void forget();
  Result<void> load_core(const std::stop_token& stop);
  Result<void> load_groups(const std::stop_token& stop);
  Result<void> load_legacy_groups(std::string_view group_list, const std::stop_token& stop);
  Result<std::vector<ApiResource>> load_group_version(const std::string& group,
                                                      const std::string& version,
                                                      const std::stop_token& stop);

  ApiClient* client_;
  const DiscoveryCache* cache_;
  bool read_cache_ = true;   ///< until it turns out to be out of date
  bool used_cache_ = false;  ///< `core_` or `groups_` came from the cache
  std::optional<std::vector<ApiResource>> core_;
  std::optional<std::vector<ApiResource>> groups_;  ///< all except the core group
};

}  // namespace kinf
