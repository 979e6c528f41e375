// SPDX-License-Identifier: Apache-2.0
// LiveReflector: a reflector and a DeltaFifo, without an informer. For `kinf demo --live`.
#include "kinf/demo/live/live_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kinf/base/number_text.h"
#include "kinf/cache/delta_fifo.h"
#include "kinf/cache/indexer.h"
#include "kinf/informer/reflector.h"
#include "kinf/informer/user_call.h"

namespace kinf {
namespace {

InformerOptions reflector_options() {
  InformerOptions options;
  options.stall_timeout = {};  // no stall timeout, because a quiet server is normal here
  options.seed = 1;            // the same delays in each run
  return options;
}

/// Threads: not thread-safe.
class LiveReflector final : public LiveModel, private InformerObserver {
 public:
  /// If `has_store` is true, popped pods are stored, and the queue looks up known pods in that
  /// store.
  explicit LiveReflector(bool has_store)
      : has_store_(has_store),
        queue_(queue_options()),
        server_(make_server("The reflector")),
        options_(reflector_options()),
        reflector_(*server_, queue_, clock_, options_, host_, counters_,
                   static_cast<InformerObserver*>(this)) {}
  ~LiveReflector() override { reflector_.finish(); }

 private:
  bool work() override {
    if (queue_.depth() > 0) {
      pop();
      return true;
    }
    const std::uint64_t events = counters_.watch_events;
    last_ = reflector_.step({});
    if (!last_.moved) return false;
    if (has_moved(PicturePart::server)) move(PicturePart::reflector);
    describe_push(counters_.watch_events - events);
    return true;
  }
  Clock::Mono next_due() const override { return last_.wake; }
  void draw(PipelinePicture& picture) const override {
    picture.flow = has_store_ ? PictureFlow::known : PictureFlow::reflector;
    picture.reflector = server_->client(reflector_.last_sync_resource_version(), request_at_);
    picture.queue = queue_rows(queue_.snapshot());
    picture.store = store_rows(store_);
    picture.handler2.title = fmt::format("What comes out: {}", counted(popped_.size(), "pop"));
    picture.handler2.purpose = "your code pops the queue; newest first";
    picture.handler2.activity = popped_.empty() ? "nothing yet" : popped_.front();
    if (popped_.size() > 1) picture.handler2.lines.assign(popped_.begin() + 1, popped_.end());
  }
  void on_error(const InformerFailure& failure) override {
    request_at_ = clock_.now() + failure.retry_in;
    say_retry(failure.retry_in);
  }

  DeltaFifoOptions queue_options() const {
    DeltaFifoOptions options;
    if (has_store_) options.known_objects = &store_;
    return options;
  }
  void pop() {
    const Result<bool> popped =
        queue_.try_pop([this](Popped& entry) -> Result<void> { return take(entry.deltas); });
    if (!popped) say(PicturePart::queue, popped.error().message);
  }
  Result<void> take(const Deltas& popped) {
    const std::string text =
        fmt::format("{}: {}", popped.front().key, fmt::join(short_texts(popped), ", "));
    popped_.insert(popped_.begin(), text);
    move(PicturePart::handler2);
    say(PicturePart::queue, fmt::format("Your code pops {}. The queue forgets the pod.", text));
    if (!has_store_) return {};
    for (const Delta& delta : popped) {
      const bool is_deletion = delta.type == DeltaType::deleted;
      const Result<void> done =
          is_deletion ? store_.remove(delta.object) : store_.update(delta.object);
      if (!done) return done;
      say(PicturePart::store,
          fmt::format("Your code {} the store.", is_deletion ? "removes it from" : "writes it to"));
    }
    return {};
  }
  /// `events` is the number of events that have just arrived.
  void describe_push(std::uint64_t events) {
    std::uint64_t queued = 0;
    for (const Deltas& deltas : queue_.snapshot()) queued += deltas.size();
    if (queued > 0) say(PicturePart::queue, "The reflector puts this into the queue.");
    if (queued >= events) return;
    say(PicturePart::queue,
        fmt::format("The queue ignores {}: it holds no change of the pod, and {}.",
                    counted(events - queued, "deletion"),
                    has_store_ ? "the store does not have it" : "has no store to look in"));
  }

  const bool has_store_;
  Indexer store_;
  DeltaFifo queue_;
  const std::unique_ptr<LiveServer> server_;
  const InformerOptions options_;
  ReflectorHost host_;
  InformerCounters counters_;
  Reflector reflector_;
  StepResult last_;
  Clock::Mono request_at_{};
  std::vector<std::string> popped_;  ///< texts of the popped keys, newest first
};

}  // namespace

std::unique_ptr<LiveModel> make_live_reflector(bool has_store) {
  return std::make_unique<LiveReflector>(has_store);
}

}  // namespace kinf
