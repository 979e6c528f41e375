// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live_reflector.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "kinf/base/number_text.h"
#include "kinf/demo/live_text.h"

namespace kinf {
namespace {

InformerOptions reflector_options() {
  InformerOptions options;
  options.stall_timeout = {};  // a quiet server is normal here
  return options;
}

}  // namespace

LiveReflector::LiveReflector(bool has_store)
    : has_store_(has_store),
      queue_(queue_options()),
      server_(make_server("The reflector")),
      options_(reflector_options()),
      reflector_(*server_, queue_, clock_, options_, host_, counters_,
                 static_cast<InformerObserver*>(this)) {}

LiveReflector::~LiveReflector() { reflector_.finish(); }

DeltaFifoOptions LiveReflector::queue_options() const {
  DeltaFifoOptions options;
  if (has_store_) options.known_objects = &store_;
  return options;
}

void LiveReflector::on_error(const InformerFailure& failure) {
  request_at_ = clock_.now() + failure.retry_in;
  say(PicturePart::reflector,
      fmt::format("The reflector tries again in {} (back-off).", in_seconds(failure.retry_in)));
}

bool LiveReflector::work() {
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

void LiveReflector::describe_push(std::uint64_t events) {
  std::uint64_t queued = 0;
  for (const Deltas& deltas : queue_.snapshot()) queued += deltas.size();
  if (queued > 0) say(PicturePart::queue, "The reflector puts this into the queue.");
  if (queued >= events) return;
  say(PicturePart::queue,
      fmt::format("The queue ignores {}: it holds no change of the pod, and {}.",
                  counted(events - queued, "deletion"),
                  has_store_ ? "the store does not have it" : "has no store to look in"));
}

void LiveReflector::pop() {
  const Result<bool> popped =
      queue_.try_pop([this](Popped& entry) -> Result<> { return take(entry.deltas); });
  if (!popped) say(PicturePart::queue, popped.error().message);
}

Result<> LiveReflector::take(const Deltas& popped) {
  const std::string text =
      fmt::format("{}: {}", popped.front().key, fmt::join(short_texts(popped), ", "));
  popped_.insert(popped_.begin(), text);
  move(PicturePart::handler2);
  say(PicturePart::queue, fmt::format("Your code pops {}. The queue forgets the pod.", text));
  if (!has_store_) return {};
  for (const Delta& delta : popped) {
    const bool is_deletion = delta.type == DeltaType::deleted;
    const Result<> done = is_deletion ? store_.remove(delta.object) : store_.update(delta.object);
    if (!done) return done;
    say(PicturePart::store,
        fmt::format("Your code {} the store.", is_deletion ? "removes it from" : "writes it to"));
  }
  return {};
}

void LiveReflector::draw(PipelinePicture& picture) const {
  picture.flow = has_store_ ? PictureFlow::known : PictureFlow::reflector;
  picture.reflector = server_->client(reflector_.last_sync_resource_version(), request_at_);
  picture.queue = queue_rows(queue_.snapshot());
  picture.store = store_rows(store_);
  picture.handler2.title = fmt::format("What comes out: {}", counted(popped_.size(), "pop"));
  picture.handler2.purpose = "your code pops the queue; newest first";
  picture.handler2.activity = popped_.empty() ? "nothing yet" : popped_.front();
  if (popped_.size() > 1) picture.handler2.lines.assign(popped_.begin() + 1, popped_.end());
}

}  // namespace kinf
