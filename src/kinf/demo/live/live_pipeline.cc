// SPDX-License-Identifier: Apache-2.0
// LivePipeline: an informer with two handlers on one thread, for `kinf demo --live`. The informer,
// its factory, queue, cache, listeners and work queue are the classes of the library.
#include "kinf/demo/live/live_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "kinf/base/number_text.h"
#include "kinf/cache/queue.h"
#include "kinf/demo/live/live_handler.h"
#include "kinf/demo/stages/stage.h"
#include "kinf/informer/informer_observer.h"
#include "kinf/informer/shared_informer.h"
#include "kinf/informer/shared_informer_factory.h"

namespace kinf {
namespace {

constexpr const char* kPhaseIndex = "phase";
/// The resync period of the first handler. The period of the second handler is twice as long.
constexpr Clock::Duration kResync = std::chrono::seconds(10);

InformerOptions live_options(QueueKind queue) {
  InformerOptions options;
  options.queue = queue;
  options.stall_timeout = {};  // no stall timeout, because a quiet server is normal here
  options.seed = 1;            // the same delays in each run
  options.indexers[kPhaseIndex] = [](const Object& pod) -> Result<std::vector<std::string>> {
    return std::vector<std::string>{phase_of(pod)};
  };
  return options;
}

/// Returns the states of a pod in the store while its deltas are taken: `v1 -> v5 -> removed`.
std::string store_states(const Deltas& deltas, const std::string& before) {
  std::string text = before;
  for (const Delta& delta : deltas) {
    if (delta.type == DeltaType::replaced_all) return "all pods of the list, in one step";
    text += delta.type == DeltaType::deleted
                ? " -> removed"
                : fmt::format(" -> v{}", delta.object->resource_version());
  }
  return text;
}

/// Threads: not thread-safe.
class LivePipeline final : public LiveModel, private InformerObserver {
 public:
  /// `kind` must be a kind that has an informer.
  LivePipeline(LiveKind kind, QueueKind queue)
      : kind_(kind),
        queue_(queue),
        handler1_("Handler 1", clock_,
                  [this](std::string text) { say(PicturePart::handler1, std::move(text)); }),
        handler2_("Handler 2", clock_,
                  [this](std::string text) { say(PicturePart::handler2, std::move(text)); }),
        factory_(clock_, live_options(queue), static_cast<InformerObserver*>(this)),
        informer_(informer_of_pods()),
        server_(*servers_.front()) {
    const bool has_resyncs = kind == LiveKind::resyncs;
    handler1_.join(informer_, has_resyncs ? kResync : Clock::Duration());
    if (has_resyncs) handler1_.fail_first("pod-2");
    if (kind == LiveKind::worker || kind == LiveKind::controller) {
      add_worker();
    } else if (kind != LiveKind::late_handler) {
      handler2_.join(informer_, has_resyncs ? 2 * kResync : Clock::Duration());
    }
    (void)informer_.begin();  // cannot fail, because it is new
    informer_.step();         // starts the delivery to the handlers
  }
  ~LivePipeline() override { informer_.finish(); }

  void toggle_slow() override {
    if (worker_) return LiveModel::toggle_slow();
    report(PicturePart::handler2,
           handler2_.toggle_slow()
               ? fmt::format("Handler 2 is slow now: 3 s for each change. If more than {} changes "
                             "wait, those of one pod are merged.",
                             LiveHandler::kBacklog)
               : "Handler 2 is fast again, after the change that it works on.");
  }

 private:
  bool work() override {
    const std::vector<Deltas> before = informer_.queued_changes();
    const std::string stored = before.empty() ? "" : stored_version(before.front().front().key);
    const InformerStats stats = informer_.stats();
    // Show one thing at a time: the handlers receive changes only when the queue is empty.
    handler1_.begin_step(before.empty());
    handler2_.begin_step(before.empty());
    last_ = informer_.step();
    controller_.clear();
    if (!last_.moved) {
      if (last_.wake != Clock::kNever) request_at_ = last_.wake;
      return worker_ && worker_->step();
    }
    if (!before.empty()) {
      describe_pop(before.front(), stored, stats);
    } else if (!informer_.queued_changes().empty()) {
      move(PicturePart::reflector);
      move(PicturePart::queue);
      describe_push();
    } else if (has_moved(PicturePart::server)) {
      move(PicturePart::reflector);
    }
    return true;
  }
  Clock::Mono next_due() const override {
    const Clock::Mono worker = worker_ ? worker_->next_due() : Clock::kNever;
    return std::min({last_.wake, handler1_.next_due(), handler2_.next_due(), worker});
  }
  void draw(PipelinePicture& picture) const override {
    picture.reflector = server_.client(informer_.last_sync_resource_version(), request_at_);
    picture.queue = queue_rows(informer_.queued_changes());
    picture.store = store_rows(informer_.indexer());
    picture.index = index_rows(informer_.indexer(), kPhaseIndex);
    if (queue_ != QueueKind::delta) picture.queue_name = "in order, RealFIFO";
    picture.controller = controller_;
    picture.handler1 = handler1_.picture();
    picture.handler2 = worker_ ? worker_->picture() : handler2_.picture();
    if (worker_) picture.flow = PictureFlow::worker;
  }
  void add_handler() override {
    if (kind_ != LiveKind::late_handler) return;
    const bool is_same = &informer_of_pods() == &informer_;
    handler2_.join(informer_);
    report(
        PicturePart::handler2,
        fmt::format("Another part of the program asks the factory for pods, gets {} informer, and "
                    "registers handler 2.",
                    is_same ? "the same" : "another"));
  }

  void on_synced(const SyncedEvent& synced) override {
    say(PicturePart::store,
        fmt::format("The whole first list is in the store: the informer has synced with {} pods.",
                    synced.objects));
  }
  void on_relisted(const Relisted& relisted) override {
    say(PicturePart::store,
        fmt::format("The new list is compared with the store: {} pods, {} change{}.",
                    relisted.objects, relisted.changed, relisted.changed == 1 ? "" : "s"));
  }
  void on_error(const InformerFailure& failure) override {
    request_at_ = clock_.now() + failure.retry_in;
    say_retry(failure.retry_in);
  }
  void on_resync() override {
    say(PicturePart::queue,
        "A resync is due: each pod of the store is queued as Sync. No request is sent.");
  }

  /// Asks the factory for the informer of pods.
  SharedInformer& informer_of_pods() {
    const auto make = [this]() -> Result<std::unique_ptr<ListerWatcher>> {
      return make_server("The reflector");
    };
    return **factory_.informer_for({{"", "v1", "pods"}, "default", "", ""}, make);
  }
  void add_worker() {
    const bool writes = kind_ == LiveKind::controller;
    worker_ = std::make_unique<LiveWorker>(
        clock_,
        [this, writes](const std::string& key, int failures) {
          return writes ? write_label(key) : fail_for_pod_5(key, failures);
        },
        [this](std::string text) { say(PicturePart::handler2, std::move(text)); });
    handler1_.enqueue_with([this](const std::string& key) { worker_->add(key); });
  }
  LiveWorker::Outcome fail_for_pod_5(const std::string& key, int failures) const {
    const ObjectPtr pod = informer_.indexer().get_by_key(key);
    if (!pod) return {.text = "is gone from the store"};
    if (pod->name() == "pod-5" && failures < 2) {
      return {.is_done = false, .text = fmt::format("failure {}", failures + 1)};
    }
    return {.text = fmt::format("{} in the store, done", phase_of(*pod))};
  }
  LiveWorker::Outcome write_label(const std::string& key) {
    const ObjectPtr pod = informer_.indexer().get_by_key(key);
    if (!pod) return {.text = "is gone from the store"};
    if (has_checked_label(*pod)) return {.text = "has the label, nothing to do"};
    cluster_.label_pod(pod->name());
    server_.log_write(fmt::format("PATCH {}", pod->name()),
                      fmt::format("now v{}", cluster_.version()));
    move(PicturePart::server);
    return {.text = "has no label: it writes checked=yes to the server"};
  }
  void describe_push() {
    bool has_list = false;
    bool has_tombstone = false;
    for (const Deltas& deltas : informer_.queued_changes()) {
      const DeltaType type = deltas.back().type;
      if (type == DeltaType::sync || type == DeltaType::sync_all)
        return;  // already described by on_resync()
      has_list = has_list || type == DeltaType::replaced;
      has_tombstone = has_tombstone || deltas.back().is_tombstone;
    }
    say(PicturePart::queue, "The reflector puts this into the queue.");
    if (has_list) say(PicturePart::queue, "Replaced: the pod was in a list.");
    if (has_tombstone) {
      say(PicturePart::queue, "Deleted?: the store has the pod, but the list has not.");
    }
  }
  /// Returns the version of a pod in the store, such as `v1`, or `nothing`.
  std::string stored_version(const std::string& key) const {
    const ObjectPtr pod = informer_.indexer().get_by_key(key);
    return pod ? fmt::format("v{}", pod->resource_version()) : "nothing";
  }
  /// Describes a pop from the queue. `stored` is what the store had of the pod, and `before` has
  /// the informer's counters, before the pop.
  void describe_pop(const Deltas& popped, const std::string& stored, const InformerStats& before) {
    const InformerStats now = informer_.stats();
    move(PicturePart::queue);
    move(PicturePart::controller);
    move(PicturePart::store);
    std::string text = fmt::format("The informer takes {} from the queue ({}) ", entry_name(popped),
                                   fmt::join(short_texts(popped), ", "));
    if (popped.back().type == DeltaType::sync || popped.back().type == DeltaType::sync_all) {
      text += "and changes nothing. It waits for the handlers whose resync is due.";
    } else if (now.unchanged > before.unchanged) {
      text += "and finds it unchanged in the store, so no handler is called.";
    } else {
      controller_ =
          fmt::format("store {}: {}", name_of(entry_name(popped)), store_states(popped, stored));
      text += fmt::format("and changes the store and the index: {}. {} now for {}.",
                          store_states(popped, stored),
                          popped.size() == 1 ? "The change waits" : "Each change waits",
                          worker_ ? "the handler" : "both handlers");
    }
    say_first(std::move(text));
    if (now.folded == before.folded) return;
    say(PicturePart::store, fmt::format("A handler is behind: {} merged with a change that waits.",
                                        counted(now.folded - before.folded, "change")));
  }

  const LiveKind kind_;
  const QueueKind queue_;
  std::string controller_;  ///< what the controller did in the last step
  LiveHandler handler1_;
  LiveHandler handler2_;
  std::unique_ptr<LiveWorker> worker_;  ///< shown instead of handler2_; null if there is no worker
  SharedInformerFactory factory_;
  SharedInformer& informer_;
  LiveServer& server_;  ///< owned by the informer
  StepResult last_;
  Clock::Mono request_at_{};  ///< when the reflector sends its next request, if that is known
};

}  // namespace

std::unique_ptr<LiveModel> make_live_pipeline(LiveKind kind, QueueKind queue) {
  return std::make_unique<LivePipeline>(kind, queue);
}

}  // namespace kinf
