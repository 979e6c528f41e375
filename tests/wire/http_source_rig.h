// SPDX-License-Identifier: Apache-2.0
// Runs lists and watches of an HttpListerWatcher against a ScriptedServer.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinf/client/client_config.h"
#include "kinf/client/http_lister_watcher.h"
#include "wire/scripted_server.h"

namespace kinf::test {

const ResourceType& pod_resource();

HttpSource pods_of(std::string ns);

std::unique_ptr<HttpListerWatcher> source_at(const ScriptedServer& server, Clock& clock,
                                             HttpSource source = pods_of("shop"),
                                             ClientConfig config = {});

class Items final : public ListSink {
 public:
  void item(ObjectPtr object) override { objects.push_back(std::move(object)); }
  std::vector<ObjectPtr> objects;
};

/// Blocks until the page is complete.
Result<ListPage> run_list(HttpListerWatcher& source, Items& items, const ListOptions& options = {});

/// The same for a call that was made.
Result<ListPage> run_call(HttpListerWatcher& source, ListCall& call);

/// Everything that a watch returned until it ended.
struct WatchResult {
  bool opened = false;
  bool closed = false;
  std::vector<std::string> events;  ///< `MODIFIED nettool 231`
  std::optional<Error> error;
};

/// Blocks until something other than "nothing yet" comes.
WatchPoll next_of(HttpListerWatcher& source, WatchCall& call);

/// Returns the event as in WatchResult.
std::string describe(const WatchEvent& event);

/// Blocks until the watch ends.
WatchResult run_watch(HttpListerWatcher& source, const ListOptions& options = {});

/// The events of the fixture watch/story.ndjson, as in WatchResult.
const std::vector<std::string>& story_events();

}  // namespace kinf::test
