// SPDX-License-Identifier: Apache-2.0
// Blocking versions of the calls of a ListerWatcher, for commands that send single requests.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/api/lister_watcher.h"

namespace kinf {

class ApiClient;   // client/api_client.h
struct ApiAnswer;  // client/api_client.h

/// Lists one page, and appends its objects to `objects`. Blocks until the page is complete or the
/// list has failed. Errors: stopped; errors of the list call.
Result<ListPage> list_page(ListerWatcher& source, const ListOptions& options,
                           std::vector<ObjectPtr>& objects, const std::stop_token& stop);

/// Lists all pages and returns their objects. Blocks until all pages are complete or one has
/// failed. Errors: as for list_page().
Result<std::vector<ObjectPtr>> list_all(ListerWatcher& source, const std::stop_token& stop);

/// Sends one list request. `accept` names the media types for the answer. Blocks until the server
/// has answered.
Result<ApiAnswer> get_list(ApiClient& client, const GroupVersionResource& gvr,
                           const std::string& ns, const ListOptions& options,
                           std::string_view accept, const std::stop_token& stop);

/// Opens a watch and closes it again. Blocks until the server has accepted or refused the watch.
/// Errors: stopped; errors of the watch call.
Result<void> try_watch(ListerWatcher& source, const ListOptions& options,
                       const std::stop_token& stop);

}  // namespace kinf
