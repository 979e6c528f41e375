// SPDX-License-Identifier: Apache-2.0
// Discovery: finds the resource types of a server, and resolves the type names that users enter.
// Requests only the documents needed for a name, and caches them in memory, and on disk if there is
// a DiscoveryCache.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/client/server_version.h"

namespace [[gnu::visibility("default")]] kinf {

class ApiClient;      // client/api_client.h
struct ApiAnswer;     // client/api_client.h
struct ApiRequest;    // client/api_client.h
struct GroupVersion;  // client/discovery_document.h
struct TypeName;      // client/type_names.h

// DiscoveryCache: stores discovery documents on disk, so that the next run of kinf can resolve a
// type name without a request. Does not parse the documents.

/// Stores discovery documents on disk. Each document is a file that only its owner can read, and
/// that is replaced atomically. If the folder cannot be read or written, find() returns nullopt and
/// keep() does nothing.
/// Threads: use it from one thread at a time. Other processes may use the same folder. find() and
/// keep() block on the disk.
class DiscoveryCache {
 public:
  /// A stored document is valid for this long.
  static constexpr std::chrono::minutes kLifetime{10};

  /// Uses `folder` for documents of one user on one server. Does not access the disk. `clock` must
  /// outlive the cache.
  DiscoveryCache(std::string_view folder, std::string server, std::string user, Clock& clock);

  /// Returns the document of `path` (`/api/v1`). Returns nullopt if there is none for this server
  /// and user, or if it is older than kLifetime.
  std::optional<std::string> find(std::string_view path) const;
  /// Stores the document of `path`. Creates the folder if needed.
  void keep(std::string_view path, std::string_view document) const;

 private:
  std::string file_of(std::string_view path) const;
  std::string head(std::string_view path) const;

  std::string folder_;
  std::string server_;
  std::string user_;
  Clock& clock_;
};

/// A resource type, as returned by discovery.
struct ApiResource {
  ResourceType type;
  std::vector<std::string> short_names;
  std::vector<std::string> verbs;
  std::vector<std::string> categories;

  /// Returns whether the type supports `verb` (`list`, `watch`, …).
  bool has_verb(std::string_view verb) const;
};

/// Finds and caches the types of one API server.
/// Threads: use it from one thread at a time. Any thread may request `stop`.
class Discovery {
 public:
  /// How long a type that the server does not have is not looked up again.
  static constexpr std::chrono::seconds kMissLifetime{1};

  /// `client` and `cache` (may be null) must outlive this object.
  explicit Discovery(ApiClient& client, const DiscoveryCache* cache = nullptr)
      : client_(&client), cache_(cache) {}

  /// Resolves a type name like kubectl: a plural, singular, short name or kind, in upper or lower
  /// case, alone or as TYPE.GROUP or TYPE.VERSION.GROUP. If several types match, prefers the core
  /// group, then the server's order of groups and versions. Blocks on a few requests: one for a
  /// core type, none if the documents are cached. If a name is not found in documents that are
  /// older than kMissLifetime or were cached on disk, asks the server again: the type may have been
  /// created meanwhile. Errors: usage, for an unknown name, with similar names as a hint; stopped;
  /// the errors of the requests.
  Result<ApiResource> resolve(std::string_view name, const std::stop_token& stop);

  /// The name that expand() takes for all namespaced types.
  static constexpr std::string_view kAllTypes = "*";

  /// Like resolve(), but for kAllTypes returns the namespaced types that can be listed and watched,
  /// custom ones included, and Events once. If no type is called `name`, returns the types of the
  /// category `name`, such as `all`, that can be listed and watched, in the order of all(). Unlike
  /// in kubectl, a type takes precedence over a category, because categories need the documents of
  /// all groups.
  Result<std::vector<ApiResource>> expand(std::string_view name, const std::stop_token& stop);

  /// Returns all types in their preferred versions, in the server's order, the core group first.
  /// Blocks on two requests. On old servers, blocks on one request per group version.
  Result<std::vector<ApiResource>> all(const std::stop_token& stop);

  /// Returns the server's version, which is requested together with the first document. Empty
  /// before that request, and if the server does not report its version.
  const std::optional<ServerVersion>& server_version() const { return version_; }

  /// Drops all known types, which may be out of date, and stops reading the cache.
  void forget();

 private:
  Result<std::vector<ApiResource>> all_in_namespaces(const std::stop_token& stop);
  Result<std::vector<ApiResource>> category(std::string_view name, const std::stop_token& stop);
  Result<std::vector<ApiResource>> all_where(const std::function<bool(const ApiResource&)>& wanted,
                                             const std::stop_token& stop);
  /// Returns whether `error` may come from documents that are out of date.
  bool may_be_outdated(const Error& error) const;
  const ApiResource* find_loaded(const TypeName& name) const;
  Result<ApiResource> resolve_known(std::string_view name, const std::stop_token& stop);
  Result<std::string> document(ApiRequest request, const std::stop_token& stop);
  std::optional<std::string> cached(std::string_view path);
  Result<ApiAnswer> get(ApiRequest request, const std::stop_token& stop);
  std::pair<Result<ApiAnswer>, Result<ApiAnswer>> get_with_version(ApiRequest request,
                                                                   const std::stop_token& stop);
  Result<void> load_core(const std::stop_token& stop);
  Result<void> load_groups(const std::stop_token& stop);
  Result<void> load_legacy_groups(std::vector<GroupVersion> versions, const std::stop_token& stop);
  Result<std::vector<ApiResource>> load_group_version(const std::string& group,
                                                      const std::string& version,
                                                      const std::stop_token& stop);

  ApiClient* client_;
  const DiscoveryCache* cache_;
  bool read_cache_ = true;   ///< false once the cache is known to be out of date
  bool used_cache_ = false;  ///< whether `core_` or `groups_` came from the cache
  /// When the older of `core_` and `groups_` was loaded. Empty if neither is.
  std::optional<Clock::Mono> loaded_at_;
  bool asked_version_ = false;
  bool is_unreachable_ = false;  ///< the last requests got no response
  std::optional<ServerVersion> version_;
  std::optional<std::vector<ApiResource>> core_;
  std::optional<std::vector<ApiResource>> groups_;  ///< all except the core group
};

}  // namespace kinf
