// SPDX-License-Identifier: Apache-2.0
// Blocking forms of the calls of a ListerWatcher, for commands that send single requests.
#pragma once

#include <stop_token>

#include "kinf/api/lister_watcher.h"

namespace kinf {

/// Lists one page. Blocks until it is complete or has failed. Errors: stopped; those of the list.
Result<ListPage> list_page(ListerWatcher& source, const ListOptions& options, ListSink& sink,
                           const std::stop_token& stop);

/// Lists all pages. Blocks until they are complete or one has failed. Errors: as above.
Result<void> list_all(ListerWatcher& source, ListSink& sink, const std::stop_token& stop);

/// Opens a watch and closes it. Blocks until the server has accepted or refused it. Errors:
/// stopped; those of the watch.
Result<void> try_watch(ListerWatcher& source, const ListOptions& options,
                       const std::stop_token& stop);

}  // namespace kinf
