// SPDX-License-Identifier: Apache-2.0
// Stage listwatch: sends the two requests on which everything else is based. The list returns the
// objects and a resourceVersion; the watch returns every change after that version.
#include <fmt/format.h>

#include <array>

#include "kinf/cli/demo/stage.h"

namespace kinf {
namespace {

class PrintNames final : public ListSink {
 public:
  explicit PrintNames(Demo& demo) : demo_(demo) {}
  void item(ObjectPtr object) override { demo_.print(std::string(object->name())); }

 private:
  Demo& demo_;
};

constexpr std::array<std::string_view, 3> kWords = {"ADDED", "MODIFIED", "DELETED"};

}  // namespace

Result<> demo_listwatch(Demo& demo) {
  auto source = demo.source("pods");
  if (!source) return std::unexpected(source.error());
  ListerWatcher& pods = **source;
  PrintNames names(demo);
  const auto list = pods.list({}, names);
  std::optional<Result<ListPage>> page;
  while (!(page = list->poll()) && !demo.stop().stop_requested())
    pods.wait(Clock::kNever, demo.stop());
  if (!page || !*page) return page ? std::unexpected(page->error()) : Result<>();
  demo.explain("the watch starts at the resourceVersion of the list",
               "src/kinf/client/http_lister_watcher.cc");
  ListOptions options;
  options.resource_version = (*page)->resource_version;
  options.allow_watch_bookmarks = true;
  const auto watch = pods.watch(options);
  while (!demo.is_over(options.resource_version) && !demo.stop().stop_requested()) {
    const WatchPoll poll = watch->poll();
    if (const auto* event = std::get_if<WatchEvent>(&poll)) {
      options.resource_version = event->resource_version;
      if (!event->object) continue;  // a bookmark
      demo.print(fmt::format("{} : {} , Status: {}", kWords[static_cast<std::size_t>(event->type)],
                             event->object->name(), phase_of(*event->object)));
      demo.explain("a broken watch would resume from this resourceVersion",
                   "src/kinf/api/watch_decoder.cc");
    } else if (const auto* error = std::get_if<Error>(&poll)) {
      return std::unexpected(*error);
    } else if (std::holds_alternative<WatchClosed>(poll)) {
      return {};
    } else if (std::holds_alternative<WatchPending>(poll)) {
      pods.wait(Clock::kNever, demo.stop());
    }
  }
  return {};
}

}  // namespace kinf
