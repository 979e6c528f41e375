// SPDX-License-Identifier: Apache-2.0
// The stages about indexes: index-map and http.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include <algorithm>

#include "kinf/base/log.h"
#include "kinf/cache/indexer.h"
#include "kinf/demo/stages/places.h"
#include "kinf/demo/stages/stage.h"
#include "kinf/http/http_server.h"

namespace kinf {

// Stage index-map: shows that an index is a map from a value to a set of object keys. There is one
// map per index. The key function returns the key of an object.
namespace {

ObjectPtr labelled_pod(std::string_view ns, std::string_view name, std::string_view app) {
  return object_from(fmt::format(
      R"({{"metadata":{{"namespace":"{}","name":"{}","labels":{{"app":"{}"}}}}}})", ns, name, app));
}

/// Formats the index as Go prints a map[string]map[string]sets.String.
std::string map_text(const Indexer& indexer, const std::string& index) {
  std::vector<std::string> values = indexer.list_index_func_values(index);
  std::ranges::sort(values);
  for (std::string& value : values) {
    const auto keys = indexer.index_keys(index, value).value();
    value = fmt::format("{}:map[{}:{{}}]", value, fmt::join(keys, ":{} "));
  }
  return fmt::format("map[{}:map[{}]]", index, fmt::join(values, " "));
}

}  // namespace

Result<void> demo_index_map(Demo& demo) {
  IndexerOptions options;
  options.key_function = [](const Object& object) -> Result<std::string> {
    return fmt::format("{}---{}", object.ns(), object.name());
  };
  options.indexers["app"] = app_label;
  Indexer indexer(std::move(options));
  if (auto done = indexer.add(labelled_pod("ns1", "pod1", "l1")); !done) return done;
  if (auto done = indexer.add(labelled_pod("ns2", "pod2", "l2")); !done) return done;
  demo.print(map_text(indexer, "app"));
  demo.explain(kIndexPut,
               fmt::format("the index app maps {} values to the keys of {} objects",
                           indexer.list_index_func_values("app").size(), indexer.size()));
  const auto keys = indexer.index_keys("app", "l1");
  demo.print(fmt::format("[{}] {}", fmt::join(keys.value_or(std::vector<std::string>()), " "),
                         keys ? "<nil>" : keys.error().message));
  demo.explain(kIndexKeys, fmt::format("one lookup of l1 found {} key, without a look at the {} "
                                       "objects",
                                       keys ? keys->size() : 0, indexer.size()));
  return {};
}

// Stage http: a web server answers from an informer's index. Requests to this web server do not
// reach the API server.
Result<void> demo_http(Demo& demo) {
  auto source = demo.source("pods");
  if (!source) return std::unexpected(source.error());
  InformerOptions options = informer_options(demo);
  options.indexers["app"] = app_label;
  SharedInformer informer(*std::move(source), demo.clock(), std::move(options));
  if (auto started = informer.start(demo.stop()); !started) return started;
  if (auto synced = informer.wait_for_sync(Clock::kNever, demo.stop()); !synced) return synced;
  demo.explain(kApplyList, fmt::format("the informer has synced: its cache holds {} pods at "
                                       "resourceVersion {}, and the index app {} values",
                                       informer.indexer().size(),
                                       informer.indexer().last_store_sync_resource_version(),
                                       informer.indexer().list_index_func_values("app").size()));

  const auto answer = [&](const HttpRequest& request) {
    HttpResponse response;
    if (request.method != "GET" || request.path != "/") {
      response.code = 404;
      return response;
    }
    const auto keys = informer.indexer().index_keys("app", "robusta-forwarder");
    demo.explain(kIndexKeys,
                 fmt::format("the index answered with {} key; the API server has seen "
                             "{} list and {} watch, whatever is asked here",
                             keys->size(), informer.stats().lists, informer.stats().watches));
    response.body = nlohmann::json(*keys).dump() + "\n";
    return response;
  };
  HttpServer server(answer, {.hosts = HostNames::any});
  const std::string listen = demo.listen();
  const std::size_t colon = listen.rfind(':');
  if (colon == std::string::npos) return fail(ErrorKind::usage, "--listen must be HOST:PORT");
  std::string host = listen.substr(0, colon);
  if (host.empty() || host == "localhost") host = "127.0.0.1";
  const Result<int> port = server.start(host, std::atoi(listen.c_str() + colon + 1));
  if (!port) return fail(ErrorKind::internal, "cannot listen on " + listen);
  log::notice("listening on http://{}:{}", host, *port);
  sleep_until(demo.clock(), Clock::kNever, demo.stop());
  server.stop();
  return {};
}

}  // namespace kinf
