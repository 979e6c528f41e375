// SPDX-License-Identifier: Apache-2.0
// Stage faults: what an informer does when a page has expired, a watch is answered with 410 Gone,
// and a watch closes at once. Prints each request and how it ended.

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <utility>

#include "kinf/demo/stages/places.h"
#include "kinf/demo/stages/stage.h"

namespace kinf {

namespace {

/// Returns the parameters of a request as text.
std::string parameters_of(const ListOptions& options) {
  std::string text;
  if (options.limit > 0) text += fmt::format(" limit={}", options.limit);
  if (!options.continue_token.empty()) text += " continue=...";
  if (!options.resource_version.empty()) text += " resourceVersion=" + options.resource_version;
  return text;
}

class TracedList final : public ListCall {
 public:
  TracedList(Demo& demo, std::unique_ptr<ListCall> inner) : demo_(demo), inner_(std::move(inner)) {}
  std::optional<Result<ListPage>> poll() override {
    std::optional<Result<ListPage>> page = inner_->poll();
    if (!page) return page;
    if (!*page) {
      const std::string& message = page->error().message;
      demo_.print("  " + message.substr(0, message.find(". ")));
    } else {
      demo_.print(fmt::format("  resourceVersion {}{}", (*page)->resource_version,
                              (*page)->continue_token.empty() ? "" : ", more pages"));
    }
    return page;
  }
  std::optional<std::string_view> continue_token() const override {
    return inner_->continue_token();
  }
  Clock::Mono last_byte() const override { return inner_->last_byte(); }

 private:
  Demo& demo_;
  const std::unique_ptr<ListCall> inner_;
};

class TracedWatch final : public WatchCall {
 public:
  TracedWatch(Demo& demo, std::unique_ptr<WatchCall> inner)
      : demo_(demo), inner_(std::move(inner)) {}
  WatchPoll poll() override {
    WatchPoll result = inner_->poll();
    const auto* const event = std::get_if<WatchEvent>(&result);
    if (event != nullptr && event->type == WatchEventType::error && event->error) {
      demo_.print("  " + event->error->message);
    } else if (const auto* error = std::get_if<Error>(&result)) {
      demo_.print("  " + error->message);
    } else if (std::holds_alternative<WatchClosed>(result)) {
      demo_.print("  the watch was closed");
    }
    return result;
  }
  Clock::Mono last_byte() const override { return inner_->last_byte(); }

 private:
  Demo& demo_;
  const std::unique_ptr<WatchCall> inner_;
};

/// Wraps a ListerWatcher, and prints each of its requests and how it ends. An example of a source
/// that wraps another source. Threads: see ListerWatcher.
class TracedSource final : public ListerWatcher {
 public:
  /// `demo` must outlive this object.
  TracedSource(Demo& demo, std::unique_ptr<ListerWatcher> inner)
      : demo_(demo), inner_(std::move(inner)) {}

  std::unique_ptr<ListCall> list(const ListOptions& options, ListSink& sink) override {
    demo_.print("list" + parameters_of(options));
    return std::make_unique<TracedList>(demo_, inner_->list(options, sink));
  }
  std::unique_ptr<WatchCall> watch(const ListOptions& options) override {
    demo_.print("watch" + parameters_of(options));
    return std::make_unique<TracedWatch>(demo_, inner_->watch(options));
  }
  void wait(Clock::Mono deadline, const std::stop_token& stop) override {
    inner_->wait(deadline, stop);
  }
  void wake() override { inner_->wake(); }
  void reset_connections() override { inner_->reset_connections(); }
  bool supports_watch_list() const override { return inner_->supports_watch_list(); }
  void give_up_watch_list() override { inner_->give_up_watch_list(); }
  bool prefers_watch_list() const override { return inner_->prefers_watch_list(); }
  NewestFromMemory newest_from_memory() const override { return inner_->newest_from_memory(); }
  std::string description() const override { return inner_->description(); }

 private:
  Demo& demo_;
  const std::unique_ptr<ListerWatcher> inner_;
};

/// Prints what the informer reports about itself, and counts the watches that were opened.
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
    demo_.explain(kShortWatch, fmt::format("the watch brought nothing, so the informer pauses and "
                                           "resumes after resourceVersion {}, without a list",
                                           ended.resource_version));
    demo_.on_idle();
  }
  int opened() const { return opened_; }

 private:
  Demo& demo_;
  std::atomic<int> opened_ = 0;
};

}  // namespace

Result<void> demo_faults(Demo& demo) {
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
  options.seed = 1;  // the same delays in each run
  SharedInformer informer(std::make_unique<TracedSource>(demo, *std::move(source)), demo.clock(),
                          options, &reports);
  if (auto started = informer.start(demo.stop()); !started) return started;
  demo.wait_until([&] { return informer.stats().relists == 1 && reports.opened() >= 2; });
  const int before = reports.opened();
  if (auto done = demo.inject("cut"); !done) return done;
  demo.wait_until([&] { return reports.opened() > before; });
  informer.stop();
  return {};
}

}  // namespace kinf
