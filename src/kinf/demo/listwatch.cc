// SPDX-License-Identifier: Apache-2.0
// Stage listwatch: sends the two requests on which everything else is based. The list returns the
// objects and a resourceVersion. The watch, sent without a version, returns the objects again as
// ADDED, then every change. (An informer watches from the version of its list instead.)
#include <fmt/format.h>

#include <array>

#include "kinf/demo/places.h"
#include "kinf/demo/stage.h"
#include "kinf/informer/version_tracker.h"

namespace kinf {
namespace {

class PrintNames final : public ListSink {
 public:
  explicit PrintNames(Demo& demo) : demo_(demo) {}
  void item(ObjectPtr object) override {
    ++count_;
    demo_.print(std::string(object->name()));
  }
  int count() const { return count_; }

 private:
  Demo& demo_;
  int count_ = 0;
};

constexpr std::array<std::string_view, 3> kWords = {"ADDED", "MODIFIED", "DELETED"};

/// Lists the pods. Returns the resourceVersion of the list, or an empty string on stop.
Result<std::string> print_list(Demo& demo, ListerWatcher& pods) {
  PrintNames names(demo);
  const auto list = pods.list({}, names);
  std::optional<Result<ListPage>> page;
  while (!(page = list->poll()) && !demo.stop().stop_requested())
    pods.wait(Clock::kNever, demo.stop());
  if (!page) return std::string();
  if (!*page) return std::unexpected(page->error());
  demo.explain(kList, fmt::format("the list has {} objects and the resourceVersion {}",
                                  names.count(), (*page)->resource_version));
  return (*page)->resource_version;
}

}  // namespace

Result<> demo_listwatch(Demo& demo) {
  auto source = demo.source("pods");
  if (!source) return std::unexpected(source.error());
  ListerWatcher& pods = **source;
  Result<std::string> version = print_list(demo, pods);
  if (!version) return std::unexpected(version.error());
  const std::string listed = *version;
  ListOptions options;
  options.allow_watch_bookmarks = true;
  const auto watch = pods.watch(options);
  while (!demo.is_over(*version) && !demo.stop().stop_requested()) {
    const WatchPoll poll = watch->poll();
    if (const auto* event = std::get_if<WatchEvent>(&poll)) {
      version = event->resource_version;
      if (!event->object) continue;  // a bookmark
      demo.print(fmt::format("{} : {} , Status: {}", kWords[static_cast<std::size_t>(event->type)],
                             event->object->name(), phase_of(*event->object)));
      demo.explain(kWatch,
                   "without a resourceVersion the watch begins with ADDED for every object");
      if (!is_older_version(listed, *version)) continue;
      demo.explain(kWatchEvent,
                   fmt::format("this event has resourceVersion {}, the list had {}; a watch that "
                               "breaks would resume after {}",
                               *version, listed, *version));
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
