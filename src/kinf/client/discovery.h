// SPDX-License-Identifier: Apache-2.0
// Discovery: which resource types a server has, and which of them a word of the user means. Asks
// no more than the word needs and keeps what it has learnt; holds no cache on disk.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/base/error.h"
#include "kinf/client/api_client.h"

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
  /// `client` must outlive it.
  explicit Discovery(ApiClient& client) : client_(&client) {}

  /// The type that `word` names, as kubectl resolves it: plural, singular, short name or kind
  /// (whatever the case), alone or as TYPE.GROUP or TYPE.VERSION.GROUP. Of several the core group
  /// wins, then the server's own order of groups and versions. Blocks on at most a few requests;
  /// one for a core type. A usage error for an unknown word, with a hint at similar ones.
  Result<ApiResource> resolve(std::string_view word, const std::stop_token& stop);

  /// Every type in its preferred version, in the server's order, core first.
  Result<std::vector<ApiResource>> all(const std::stop_token& stop);

 private:
  Result<void> load_core(const std::stop_token& stop);
  Result<void> load_groups(const std::stop_token& stop);
  Result<void> load_legacy_groups(std::string_view group_list, const std::stop_token& stop);
  Result<std::vector<ApiResource>> load_group_version(const std::string& group,
                                                      const std::string& version,
                                                      const std::stop_token& stop);

  ApiClient* client_;
  std::optional<std::vector<ApiResource>> core_;
  std::optional<std::vector<ApiResource>> groups_;  ///< all but the core
};

}  // namespace kinf
