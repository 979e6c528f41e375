// SPDX-License-Identifier: Apache-2.0
// Stage http: a web server answers from an informer's index. Its requests do not reach the API
// server.
#include <fmt/format.h>
#include <httplib.h>

#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "kinf/base/log.h"
#include "kinf/demo/places.h"
#include "kinf/demo/stage.h"

namespace kinf {
Result<> demo_http(Demo& demo) {
  auto source = demo.source("pods");
  if (!source) return std::unexpected(source.error());
  InformerOptions options;
  options.indexers["app"] = app_label;
  SharedInformer informer(*std::move(source), demo.clock(), std::move(options));
  informer.start(demo.stop());
  if (auto synced = informer.wait_for_sync(Clock::kNever, demo.stop()); !synced) return synced;
  demo.explain(kApplyList, fmt::format("the informer has synced: its cache holds {} pods at "
                                       "resourceVersion {}, and the index app {} values",
                                       informer.indexer().size(),
                                       informer.indexer().last_store_sync_resource_version(),
                                       informer.indexer().list_index_func_values("app").size()));

  httplib::Server server;
  server.Get("/", [&](const httplib::Request&, httplib::Response& response) {
    const auto keys = informer.indexer().index_keys("app", "robusta-forwarder");
    response.set_content(nlohmann::json(*keys).dump() + "\n", "application/json");
    demo.explain(kIndexKeys,
                 fmt::format("the index answered with {} key; the API server has seen "
                             "{} list and {} watch, whatever is asked here",
                             keys->size(), informer.stats().lists, informer.stats().watches));
  });
  const std::string listen = demo.listen();
  const std::size_t colon = listen.rfind(':');
  if (colon == std::string::npos) return fail(ErrorKind::usage, "--listen must be HOST:PORT");
  const std::string host = colon == 0 ? "127.0.0.1" : listen.substr(0, colon);
  int port = std::atoi(listen.c_str() + colon + 1);
  if (port == 0)
    port = server.bind_to_any_port(host.c_str());
  else if (!server.bind_to_port(host.c_str(), port))
    port = -1;
  if (port < 0) return fail(ErrorKind::internal, "cannot listen on " + listen);
  std::promise<void> running;
  server.new_task_queue = [&] {
    running.set_value();  // listen_after_bind() calls this first
    return new httplib::ThreadPool(CPPHTTPLIB_THREAD_POOL_COUNT);
  };
  const std::jthread thread([&] { server.listen_after_bind(); });
  running.get_future().wait();  // stop() has no effect before this
  log::notice("listening on http://{}:{}", host, port);
  sleep_until(demo.clock(), Clock::kNever, demo.stop());
  server.stop();
  return {};
}

}  // namespace kinf
