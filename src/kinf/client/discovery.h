// SPDX-License-Identifier: Apache-2.0
// Discovery: which resource types a server has, and which of them a word of the user means. Asks
// no more than the word needs and keeps what it has learnt, on disk if it is given a cache.
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

struct ApiResource {
  ResourceType type;
  std::vector<std::string> short_names;
  std::vector<std::string> verbs;
  std::vector<std::string> categories;

  bool has_verb(std::string_view verb) const;
};

/// The types of one API server.
/// Threads: one owner at a time.
class Discovery {
 public:
  /// `client` must outlive it, and so must `cache`, if there is one.
  explicit Discovery(ApiClient& client, const DiscoveryCache* cache = nullptr)
      : client_(&client), cache_(cache) {}

  /// The type that `word` names, as kubectl resolves it: plural, singular, short name or kind
  /// (whatever the case), alone or as TYPE.GROUP or TYPE.VERSION.GROUP. Of several the core group
  /// wins, then the server's own order of groups and versions. Blocks on at most a few requests;
  /// one for a core type, none if the cache knows it. A usage error for an unknown word, with a
  /// hint at similar ones; nothing is unknown only because the cache does not know it.
  Result<ApiResource> resolve(std::string_view word, const std::stop_token& stop);

  /// Every type in its preferred version, in the server's order, core first.
  Result<std::vector<ApiResource>> all(const std::stop_token& stop);

 private:
  Result<ApiResource> resolve_known(std::string_view word, const std::stop_token& stop);
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
  bool read_cache_ = true;   ///< it has not been found wanting
  bool used_cache_ = false;  ///< something that is known now came from there
  std::optional<std::vector<ApiResource>> core_;
  std::optional<std::vector<ApiResource>> groups_;  ///< all but the core
};

}  // namespace kinf
