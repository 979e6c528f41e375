// SPDX-License-Identifier: Apache-2.0
// The stages that use no informer: listwatch, reflector and reflector-known.

#include <fmt/format.h>

#include "kinf/base/number_text.h"
#include "kinf/cache/indexer.h"
#include "kinf/demo/stages/places.h"
#include "kinf/demo/stages/stage.h"
#include "kinf/informer/reflector.h"
#include "kinf/informer/version_tracker.h"

namespace kinf {

// Stage listwatch: sends the two requests on which everything else is based. The list returns the
// objects and a resourceVersion. The watch, sent without a version, returns the objects again as
// ADDED, then every change. (An informer watches from the version of its list instead.)
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

Result<void> demo_listwatch(Demo& demo) {
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
      if (!event->object) continue;  // a bookmark has no object
      demo.print(fmt::format("{} : {} , Status: {}", verb_of(event->type), event->object->name(),
                             phase_of(*event->object)));
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

// Stage versions: the resourceVersion in a list says how old the answer may be.
namespace {

class VersionsSeen final : public ListSink {
 public:
  void item(ObjectPtr object) override {
    ++count;
    if (oldest.empty()) oldest = object->resource_version();
  }
  int count = 0;
  std::string oldest;  ///< the version of the first object
};

ListOptions version_option(std::string version, std::string match = "") {
  ListOptions options;
  options.resource_version = std::move(version);
  options.resource_version_match = std::move(match);
  return options;
}

/// Lists the pods, and prints what came. Returns the versions; the first one is that of the list.
Result<std::pair<std::string, std::string>> print_version(Demo& demo, ListerWatcher& pods,
                                                          std::string_view asks,
                                                          const ListOptions& options) {
  VersionsSeen seen;
  const auto list = pods.list(options, seen);
  std::optional<Result<ListPage>> page;
  while (!(page = list->poll()) && !demo.stop().stop_requested()) {
    pods.wait(Clock::kNever, demo.stop());
  }
  if (!page) return fail(ErrorKind::stopped, "stopped");
  if (!*page) return std::unexpected(page->error());
  const std::string& version = (*page)->resource_version;
  demo.print(fmt::format("{}: {}, version {}", asks, counted(seen.count, "pod"), version));
  return std::pair(version, seen.oldest);
}

}  // namespace

Result<void> demo_versions(Demo& demo) {
  auto source = demo.source("pods");
  if (!source) return std::unexpected(source.error());
  ListerWatcher& pods = **source;
  const auto newest = print_version(demo, pods, "newest (no resourceVersion)", {});
  if (!newest) return std::unexpected(newest.error());
  demo.explain(kNewest,
               "the newest state: the server makes sure that no write is missing, in etcd "
               "or by waiting until its memory is as new");
  const auto any = print_version(demo, pods, "any (resourceVersion=0)", version_option("0"));
  if (!any) return std::unexpected(any.error());
  demo.explain(kAny,
               "any state: what the server has in memory, however old; the cheapest, and what "
               "client-go asks for first");
  const auto& [version, oldest] = *newest;
  const ListOptions from = version_option(version, "NotOlderThan");
  const auto later = print_version(demo, pods, fmt::format("from version {}", version), from);
  if (!later) return std::unexpected(later.error());
  demo.explain(kFromVersion,
               "any state that is not older than this version: a client that has "
               "seen it never goes back in time");
  const ListOptions exact = version_option(oldest, "Exact");
  const auto then = print_version(demo, pods, fmt::format("exactly version {}", oldest), exact);
  if (!then) return std::unexpected(then.error());
  demo.explain(kList, "the state at that version, as long as the server remembers it; then 410");
  return {};
}

namespace {

/// The callbacks of reflect_pods(). They differ between the two reflector stages.
struct ReflectorSteps {
  /// Called for each delta, after it was printed.
  std::function<Result<void>(const Delta&)> apply;
  /// Called after watch events that the queue has ignored, with the resourceVersion of the last
  /// one. May be empty.
  std::function<void(const std::string& version)> ignored;
};

/// Runs the loop of both reflector stages: a reflector fills the queue, and the loop pops the queue
/// and prints every delta. Returns when the scenario has ended, and on stop.
Result<void> reflect_pods(Demo& demo, Queue& queue, const ReflectorSteps& steps) {
  auto source = demo.source("pods");
  if (!source) return std::unexpected(source.error());
  ReflectorHost host;
  InformerCounters counters;
  const InformerOptions options = informer_options(demo);
  Reflector reflector(**source, queue, demo.clock(), options, host, counters, nullptr);
  const auto handle = [&](Popped& popped) -> Result<void> {
    for (const Delta& delta : popped.deltas) {
      demo.print(fmt::format("{} : {} : {}", to_string(delta.type), delta.object->name(),
                             phase_of(*delta.object)));
      if (auto applied = steps.apply(delta); !applied) return applied;
    }
    return {};
  };
  const std::stop_token stop = demo.stop();
  while (!stop.stop_requested() && !demo.is_over(reflector.last_sync_resource_version())) {
    const std::uint64_t events = counters.watch_events;
    const StepResult step = reflector.step(stop);
    const std::string version = reflector.last_sync_resource_version();
    if (queue.depth() > 0) {
      demo.explain(kReflectorList, fmt::format("the reflector has filled the queue: {} keys, up to "
                                               "resourceVersion {}",
                                               queue.depth(), version));
    } else if (counters.watch_events > events && steps.ignored) {
      steps.ignored(version);
    }
    if (auto popped = pop_all(queue, handle); !popped) return popped;
    if (!step.moved) (*source)->wait(step.wake, stop);
  }
  reflector.finish();
  return {};
}

}  // namespace

// Stage reflector: a reflector fills a DeltaFifo that has no store of known objects. The queue
// forgets popped objects, so it ignores the deletion of the pod nettool, which was already popped.
Result<void> demo_reflector(Demo& demo) {
  const std::unique_ptr<Queue> made = make_queue(demo);
  Queue& queue = *made;
  ReflectorSteps steps;
  steps.apply = [&](const Delta& delta) -> Result<void> {
    if (delta.type == DeltaType::deleted) {
      demo.explain(kInOrderPop,
                   "this queue drops nothing, so the deletion came out without a store");
    } else if (delta.type == DeltaType::updated) {
      demo.explain(kQueuePop,
                   fmt::format("popped {} at resourceVersion {}; the queue has forgotten "
                               "it and holds {} keys",
                               delta.key, delta.object->resource_version(), queue.depth()));
    }
    return {};
  };
  steps.ignored = [&](const std::string& version) {
    demo.explain(kQueueDeletion,
                 fmt::format("the server sent a deletion (resourceVersion {}), and the queue "
                             "ignored it: it holds {} keys and has no store that knows the object",
                             version, queue.depth()));
  };
  return reflect_pods(demo, queue, steps);
}

// Stage reflector-known: like the stage reflector, but an Indexer stores the popped objects. The
// queue knows the stored objects, so it accepts and returns their deletions.
Result<void> demo_reflector_known(Demo& demo) {
  Indexer indexer;
  const std::unique_ptr<Queue> made = make_queue(demo, &indexer);
  Queue& queue = *made;
  ReflectorSteps steps;
  steps.apply = [&](const Delta& delta) -> Result<void> {
    if (delta.type == DeltaType::deleted) {
      if (demo.queue() == QueueKind::delta) {
        demo.explain(kQueueKnown,
                     fmt::format("the queue held no delta of {}, but the indexer, with {} objects, "
                                 "knew it: so its deletion came out",
                                 delta.key, indexer.size()));
      }
      return indexer.remove(delta.object);
    }
    const Result<void> done = indexer.update(delta.object);
    demo.explain(kIndexerUpdate,
                 fmt::format("wrote {} at resourceVersion {} to the indexer, which now holds {}",
                             delta.key, delta.object->resource_version(), indexer.size()));
    return done;
  };
  return reflect_pods(demo, queue, steps);
}

}  // namespace kinf
