// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/runtime/blocking_calls.h"

#include "kinf/client/api_client.h"
#include "kinf/client/paths.h"

namespace kinf {

namespace {

class Collector final : public ListSink {
 public:
  explicit Collector(std::vector<ObjectPtr>& objects) : objects_(objects) {}
  void item(ObjectPtr object) override { objects_.push_back(std::move(object)); }

 private:
  std::vector<ObjectPtr>& objects_;
};

}  // namespace

Result<ListPage> list_page(ListerWatcher& source, const ListOptions& options,
                           std::vector<ObjectPtr>& objects, const std::stop_token& stop) {
  Collector sink(objects);
  const std::unique_ptr<ListCall> call = source.list(options, sink);
  std::optional<Result<ListPage>> page = call->poll();
  while (!page) {
    if (stop.stop_requested()) return fail(ErrorKind::stopped, "stopped");
    source.wait(Clock::kNever, stop);
    page = call->poll();
  }
  return *std::move(page);
}

Result<std::vector<ObjectPtr>> list_all(ListerWatcher& source, const std::stop_token& stop) {
  std::vector<ObjectPtr> objects;
  ListOptions options;
  options.limit = 500;
  while (true) {
    const Result<ListPage> page = list_page(source, options, objects, stop);
    if (!page) return fail(page);
    options.continue_token = page->continue_token;
    if (options.continue_token.empty()) return objects;
  }
}

Result<ApiAnswer> get_list(ApiClient& client, const GroupVersionResource& gvr,
                           const std::string& ns, const ListOptions& options,
                           std::string_view accept, const std::stop_token& stop) {
  Result<std::string> path = resource_path(gvr, ns);
  if (!path) return fail(path);
  ApiRequest request;
  request.path = *std::move(path);
  request.query = list_query(options);
  request.accept = accept;
  request.verb = "list";
  request.resource = gvr.group_resource();
  request.shows_warnings = false;
  return client.get(std::move(request), stop);
}

Result<void> try_watch(ListerWatcher& source, const ListOptions& options,
                       const std::stop_token& stop) {
  const std::unique_ptr<WatchCall> call = source.watch(options);
  while (!stop.stop_requested()) {
    WatchPoll poll = call->poll();
    if (Error* const error = std::get_if<Error>(&poll)) return fail(std::move(*error));
    if (!std::holds_alternative<WatchPending>(poll)) return {};
    source.wait(Clock::kNever, stop);
  }
  return fail(ErrorKind::stopped, "stopped");
}

}  // namespace kinf
