// SPDX-License-Identifier: Apache-2.0
// The validated parameters of a list or watch request, continue tokens, and the pages of a list.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kinf/http/http_message.h"
#include "kinf/sandbox/api/api_errors.h"
#include "kinf/sandbox/api/object_filter.h"
#include "kinf/sandbox/api/response_form.h"
#include "kinf/sandbox/store/resource_store.h"

namespace kinf::sandbox {

struct ContinueToken {
  std::int64_t version = 0;  ///< resourceVersion of the list; -1 means the current one
  std::string start;         ///< the list continues with the first key at or after this one
};

std::string to_text(const ContinueToken& token);
ApiResult<ContinueToken> parse_continue_token(std::string encoded);

enum class VersionMatch { unset, exact, not_older_than };

struct ListRequest {
  std::optional<std::uint64_t> version;  ///< resourceVersion; empty if the request has none
  VersionMatch match = VersionMatch::unset;
  std::size_t limit = 0;  ///< maximum number of objects in a page; 0 means no limit
  std::optional<ContinueToken> token;
  bool bookmarks = false;
  bool send_initial_events = false;
  std::int64_t timeout_seconds = 0;  ///< timeout of a watch; 0 or less means the default
};

/// Parses and validates the query as the API server does. Fails with 400 or 422 and the server's
/// messages.
ApiResult<ListRequest> parse_list_request(const HttpRequest& request, bool is_watch);

struct Page {
  std::vector<StoredPtr> objects;
  ListMetadata metadata;
};

/// Returns one page. Fails with 410 if the history of the requested version was dropped, and with
/// 504 if the version does not exist yet.
ApiResult<Page> list_page(const ResourceStore& store, const ApiType& type,
                          const ListRequest& request, const ObjectFilter& filter);

/// Returns the 410 error for an expired continue token. The error includes a new token for the rest
/// of the list at the current version.
ApiStatus expired_token(const ContinueToken& token);

}  // namespace kinf::sandbox
