// SPDX-License-Identifier: Apache-2.0
// The stages about failures: expired-page, and four ways in which a watch ends: broken-watch,
// short-watch, gone and stalled-watch. Each prints the requests that the informer sends.

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <utility>

#include "kinf/demo/stages/places.h"
#include "kinf/demo/stages/stage.h"
#include "kinf/demo/stages/traced_source.h"

namespace kinf {

namespace {

/// Prints the lists that the informer reports, and counts the watches that were opened.
class Reports final : public InformerObserver {
 public:
  explicit Reports(Demo& demo) : demo_(demo) {}
  void on_synced(const SyncedEvent& synced) override {
    demo_.print(fmt::format("synced: {} objects", synced.objects));
    has_synced_ = true;
    demo_.on_idle();
  }
  void on_relisted(const Relisted& relisted) override {
    demo_.print(fmt::format("listed again: {}, {} had changed", relisted.reason, relisted.changed));
    has_relisted_ = true;
    demo_.on_idle();
  }
  void on_watch_opened() override {
    ++opened_;
    demo_.on_idle();
  }
  void on_idle() override { demo_.on_idle(); }
  int opened() const { return opened_; }
  bool has_synced() const { return has_synced_; }
  bool has_relisted() const { return has_relisted_; }

 private:
  Demo& demo_;
  std::atomic<int> opened_ = 0;
  std::atomic<bool> has_synced_ = false;
  std::atomic<bool> has_relisted_ = false;
};

InformerOptions plain_requests(Demo& demo) {
  InformerOptions options = informer_options(demo);
  options.page_size = 0;
  options.watch_list = WatchListMode::off;
  options.seed = 1;  // the same delays in each run
  return options;
}

}  // namespace

Result<void> demo_expired_page(Demo& demo) {
  auto source = demo.source("pods");
  if (!source) return std::unexpected(source.error());
  if (auto done = demo.inject("expire-continue"); !done) return done;
  Reports reports(demo);
  InformerOptions options = plain_requests(demo);
  options.page_size = 2;
  options.pages_in_flight = 1;
  SharedInformer informer(std::make_unique<TracedSource>(demo, *std::move(source)), demo.clock(),
                          options, &reports);
  if (auto started = informer.start(demo.stop()); !started) return started;
  demo.wait_until([&] { return reports.has_synced() && reports.opened() == 1; });
  demo.explain(kPageExpired,
               fmt::format("the second page had expired, so the informer asked for the whole list "
                           "without a limit: {} objects",
                           informer.indexer().size()));
  informer.stop();
  return {};
}

// The stages about the end of a watch. A pod changes before the next request, so that the stage
// shows how the informer gets what it has missed.
namespace {

/// How a stage ends its watch, and what the informer does then.
struct WatchEnd {
  std::string_view fault;
  bool has_event = false;  ///< the watch brings an event before it ends
  bool lists = false;      ///< the informer lists again
  Clock::Duration stall_timeout = std::chrono::seconds(90);
  Place place{};
  std::string_view meaning{};
};

/// Changes a pod of the scenario. Any thread may call it.
Result<void> change_pod(Demo& demo, std::string_view label) {
  static const ObjectPtr kPod =
      object_from(R"({"metadata":{"name":"wiremock-84d49c989c-zg4ls","namespace":"default"}})");
  return demo.patch_pod(*kPod, fmt::format(R"({{"metadata":{{"labels":{{"{}":"yes"}}}}}})", label));
}

Result<void> end_watch(Demo& demo, const WatchEnd& end) {
  auto source = demo.source("pods");
  if (!source) return std::unexpected(source.error());
  std::atomic<bool> has_ended = false;
  Result<void> changed;
  const auto ended = [&] {
    if (!has_ended.exchange(true)) changed = change_pod(demo, "missed");
  };
  Reports reports(demo);
  InformerOptions options = plain_requests(demo);
  options.stall_timeout = end.stall_timeout;
  const bool is_first_watch = end.fault == "gone";
  if (is_first_watch) {
    if (auto done = demo.inject(end.fault); !done) return done;
  }
  SharedInformer informer(std::make_unique<TracedSource>(demo, *std::move(source), ended),
                          demo.clock(), options, &reports);
  if (auto started = informer.start(demo.stop()); !started) return started;
  demo.wait_until([&] { return reports.opened() > 0; });
  if (end.has_event) {
    if (auto done = change_pod(demo, "seen"); !done) return done;
    demo.wait_until([&] { return informer.stats().watch_events == 1; });
  }
  if (!is_first_watch) {
    if (auto done = demo.inject(end.fault); !done) return done;
  }
  const std::uint64_t events = (end.has_event ? 1 : 0) + (end.lists ? 0 : 1);
  demo.wait_until([&] {
    return reports.opened() == 2 && reports.has_synced() && reports.has_relisted() == end.lists &&
           informer.stats().watch_events == events;
  });
  informer.stop();
  const InformerStats stats = informer.stats();
  demo.explain(end.place, fmt::format("{}: {} lists and {} watches in all", end.meaning,
                                      stats.lists, stats.watches));
  return changed;
}

}  // namespace

Result<void> demo_broken_watch(Demo& demo) {
  return end_watch(demo, {.fault = "cut:after=0s",
                          .has_event = true,
                          .place = kWatchClosed,
                          .meaning = "the watch had brought an event, so the next one goes on "
                                     "after its version, without a list"});
}

Result<void> demo_short_watch(Demo& demo) {
  return end_watch(demo, {.fault = "cut:after=0s",
                          .lists = true,
                          .place = kShortWatch,
                          .meaning = "the watch lived for less than a second and brought nothing, "
                                     "so the informer paused and listed again"});
}

Result<void> demo_gone(Demo& demo) {
  return end_watch(demo, {.fault = "gone",
                          .lists = true,
                          .place = kWatchFailed,
                          .meaning = "after 410 only a list can help; it was compared with the "
                                     "cache, and the handlers hear of the differences"});
}

Result<void> demo_stalled_watch(Demo& demo) {
  return end_watch(demo, {.fault = "stall:after=0s",
                          .stall_timeout = std::chrono::seconds(1),  // so that the stage is short
                          .place = kStalled,
                          .meaning = "the connection was open but silent, so the informer opened "
                                     "the watch again on a new one, without a list"});
}

}  // namespace kinf
