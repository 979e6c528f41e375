// SPDX-License-Identifier: Apache-2.0
// Blocking forms of the calls of a ListerWatcher, for commands that send single requests.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/api/lister_watcher.h"
#include "kinf/client/api_client.h"

namespace kinf {

/// Lists one page, and appends its objects to `objects`. Blocks until it is complete or has failed.
/// Errors: stopped; those of the list.
Result<ListPage> list_page(ListerWatcher& source, const ListOptions& options,
                           std::vector<ObjectPtr>& objects, const std::stop_token& stop);

/// Returns the objects of all pages. Blocks until they are complete or one has failed. Errors: as
/// above.
Result<std::vector<ObjectPtr>> list_all(ListerWatcher& source, const std::stop_token& stop);

/// Sends one list request, for an answer in the media types `accept`. Blocks until the server has
/// answered.
Result<ApiAnswer> get_list(ApiClient& client, const GroupVersionResource& gvr,
                           const std::string& ns, const ListOptions& options,
                           std::string_view accept, const std::stop_token& stop);

/// Opens a watch and closes it. Blocks until the server has accepted or refused it. Errors:
/// stopped; those of the watch.
Result<void> try_watch(ListerWatcher& source, const ListOptions& options,
                       const std::stop_token& stop);

}  // namespace kinf
