// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/runtime/blocking_calls.h"

namespace kinf {

Result<ListPage> list_page(ListerWatcher& source, const ListOptions& options, ListSink& sink,
                           const std::stop_token& stop) {
  const std::unique_ptr<ListCall> call = source.list(options, sink);
  std::optional<Result<ListPage>> page = call->poll();
  while (!page) {
    if (stop.stop_requested()) return fail(ErrorKind::stopped, "stopped");
    source.wait(Clock::kNever, stop);
    page = call->poll();
  }
  return *std::move(page);
}

Result<void> list_all(ListerWatcher& source, ListSink& sink, const std::stop_token& stop) {
  ListOptions options;
  options.limit = 500;
  while (true) {
    Result<ListPage> page = list_page(source, options, sink, stop);
    if (!page) return std::unexpected(std::move(page).error());
    options.continue_token = page->continue_token;
    if (options.continue_token.empty()) return {};
  }
}

Result<void> try_watch(ListerWatcher& source, const ListOptions& options,
                       const std::stop_token& stop) {
  const std::unique_ptr<WatchCall> call = source.watch(options);
  while (!stop.stop_requested()) {
    WatchPoll poll = call->poll();
    if (Error* const error = std::get_if<Error>(&poll)) return std::unexpected(std::move(*error));
    if (!std::holds_alternative<WatchPending>(poll)) return {};
    source.wait(Clock::kNever, stop);
  }
  return fail(ErrorKind::stopped, "stopped");
}

}  // namespace kinf
