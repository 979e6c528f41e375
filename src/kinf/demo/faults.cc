// SPDX-License-Identifier: Apache-2.0
// Stage faults: what an informer does when a page has expired, a watch is answered with 410 Gone,
// and a watch closes at once. Each request is printed, and how it ended.
#include <fmt/format.h>

#include <atomic>

#include "kinf/demo/places.h"
#include "kinf/demo/traced_source.h"

namespace kinf {
namespace {

/// Prints what the informer reports about itself, and counts the watches.
class Reports final : public InformerObserver {
 public:
  explicit Reports(Demo& demo) : demo_(demo) {}
  void on_synced(const SyncedEvent& synced) override {
    demo_.print(fmt::format("synced: {} objects", synced.objects));
    demo_.explain(
        kPageExpired,
        fmt::format("the second page had expired, so the informer asked for the whole list "
                    "without a limit: {} objects",
                    synced.objects));
  }
  void on_relisted(const Relisted& relisted) override {
    demo_.print(fmt::format("listed again: {}, {} had changed", relisted.reason, relisted.changed));
    demo_.explain(
        kWatchFailed,
        fmt::format("after 410 only a list can help: {} objects, compared with the cache; "
                    "the handlers hear of {} differences",
                    relisted.objects, relisted.changed));
  }
  void on_error(const InformerFailure& failure) override { demo_.print(failure.error.message); }
  void on_watch_opened() override {
    ++opened_;
    demo_.on_idle();
  }
  void on_watch_closed(const WatchEnded& ended) override {
    ++closed_;
    demo_.explain(kShortWatch, fmt::format("the watch brought nothing, so the informer pauses and "
                                           "resumes after resourceVersion {}, without a list",
                                           ended.resource_version));
    demo_.on_idle();
  }
  int opened() const { return opened_; }
  int closed() const { return closed_; }

 private:
  Demo& demo_;
  std::atomic<int> opened_ = 0;
  std::atomic<int> closed_ = 0;
};

}  // namespace

Result<> demo_faults(Demo& demo) {
  auto source = demo.source("pods");
  if (!source) return std::unexpected(source.error());
  for (const char* const fault : {"expire-continue", "gone"}) {
    if (auto done = demo.inject(fault); !done) return done;
  }
  Reports reports(demo);
  InformerOptions options;
  options.page_size = 2;
  options.pages_in_flight = 1;
  options.watch_list = WatchListMode::off;
  SharedInformer informer(std::make_unique<TracedSource>(demo, *std::move(source)), demo.clock(),
                          options, &reports);
  informer.start(demo.stop());
  demo.wait_until([&] { return informer.stats().relists == 1 && reports.opened() >= 2; });
  const int before = reports.opened();
  if (auto done = demo.inject("cut"); !done) return done;
  demo.wait_until([&] { return reports.opened() > before; });
  informer.stop();
  return {};
}

}  // namespace kinf
