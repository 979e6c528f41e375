// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recorder.h"

#include <algorithm>
#include <utility>

namespace kinf {
namespace {

constexpr std::chrono::milliseconds kCommitDelay{200};
constexpr std::chrono::seconds kHeartbeat{5};
/// A wall clock that is set by less is only corrected.
constexpr std::chrono::seconds kJump{2};

}  // namespace

class Recorder::Handler final : public EventHandler {
 public:
  Handler(Recorder& recorder, std::size_t scope, EventHandler* inner)
      : recorder_(recorder), scope_(scope), inner_(inner) {}

  void on_add(const Change& change) override { record(change); }
  void on_update(const Change& change) override { record(change); }
  void on_delete(const Change& change) override { record(change); }
  void on_known(const Change& known) override {
    Change change = known;
    change.origin.arrived = recorder_.clock_.wall();
    MutexLock lock(recorder_.order_);
    recorder_.push({scope_, Known{std::move(change)}});
    if (inner_ != nullptr) inner_->on_known(known);
  }
  void on_synced(const SyncedEvent& event) override {
    MutexLock lock(recorder_.order_);
    recorder_.push({scope_, Synced{event, recorder_.clock_.wall()}});
    if (inner_ != nullptr) inner_->on_synced(event);
  }
  void on_idle() override {
    if (inner_ != nullptr) inner_->on_idle();
  }

 private:
  void record(const Change& change) {
    MutexLock lock(recorder_.order_);
    recorder_.push({scope_, change});
    if (inner_ != nullptr) inner_->handle(change);
  }

  Recorder& recorder_;
  const std::size_t scope_;
  EventHandler* const inner_;
};

Recorder::Recorder(std::unique_ptr<RecordingWriter> writer, Clock& clock,
                   std::function<void(const Error&)> failed)
    : DiskWriter(clock, std::move(failed)),
      writer_(std::move(writer)),
      last_mono_(clock.now()),
      last_wall_(clock.wall()),
      due_(clock.now() + kHeartbeat) {}

EventHandler& Recorder::handler(std::size_t scope, EventHandler* inner) {
  return keep(std::make_unique<Handler>(*this, scope, inner));
}

RecordingTotals Recorder::totals() const {
  MutexLock lock(mu_);
  return totals_;
}

void Recorder::push(Item item) {
  MutexLock lock(mu_);
  // The recorder's thread takes the queue or fails, so this wait ends without a stop token.
  while (queue_.size() >= kQueueRoom && !has_failed_ && !is_ending_) {
    clock_.wait_until(changed_, mu_, Clock::kNever, {});
  }
  if (has_failed_ || is_ending_) return;
  queue_.push_back(std::move(item));
  // Wake the thread only for the first change, not for those that follow within kCommitDelay.
  if (queue_.size() == 1) due_ = std::min(due_, clock_.now() + kCommitDelay);
  if (queue_.size() == 1 || queue_.size() == kManyQueued) changed_.notify_all();
}

Result<std::size_t> Recorder::add_scope(RecordedScope scope) {
  if (has_started()) {
    push({scopes_, std::move(scope)});
  } else if (const auto added = writer_->add_scope(scope); !added) {
    return added;
  }
  return scopes_++;
}

Result<void> Recorder::end_types(const std::function<bool(const GroupVersionResource&)>& exists) {
  const Result<std::size_t> added = writer_->end_types(exists, clock_.wall());
  if (!added) return fail(added);
  scopes_ += *added;
  return {};
}

void Recorder::gathered(const std::function<void()>& end) {
  MutexLock lock(order_);
  push({0, Gathered{}});
  end();
}

void Recorder::relisted(std::size_t scope, RecordedRelist list) {
  {
    MutexLock lock(mu_);
    // The version from before the list must not be noted after it.
    std::erase_if(heard_, [&](const Heard& heard) { return heard.scope == scope; });
  }
  push({scope, std::move(list)});
}

void Recorder::heard(std::size_t scope, Clock::Wall time, std::string version) {
  MutexLock lock(mu_);
  const auto found = std::ranges::find(heard_, scope, &Heard::scope);
  if (found == heard_.end()) {
    heard_.push_back({scope, time, std::move(version)});
  } else {
    found->time = time;
    found->version = std::move(version);
  }
}

Clock::Mono Recorder::due() const {
  return queue_.size() >= kManyQueued ? Clock::Mono::min() : due_;
}

std::optional<ClockJump> Recorder::jump() {
  const Clock::Mono mono = clock_.now();
  const Clock::Wall wall = clock_.wall();
  const Clock::Wall expected = last_wall_ + (mono - std::exchange(last_mono_, mono));
  const Clock::Wall before = std::exchange(last_wall_, wall);
  if (std::chrono::abs(wall - expected) < kJump) return std::nullopt;
  return ClockJump{before, wall, wall - expected};
}

bool Recorder::take() {
  jump_ = jump();
  items_.clear();
  items_.swap(queue_);
  items_heard_ = std::exchange(heard_, {});
  due_ = clock_.now() + kHeartbeat;
  changed_.notify_all();
  // Newer changes may still wait in the queues of the informers. Therefore, the recorded end of the
  // session is only the time of the last change that has arrived here.
  const auto last = std::ranges::find_if(items_.rbegin(), items_.rend(), [](const Item& item) {
    return std::holds_alternative<Change>(item.what);
  });
  until_ = last == items_.rend() ? clock_.wall() : std::get<Change>(last->what).origin.arrived;
  return true;  // even a commit without changes records that the session still watches
}

Result<void> Recorder::write() {
  Result<void> done = write_items();
  items_.clear();
  MutexLock lock(mu_);
  totals_ = writer_->totals();
  return done;
}

Result<void> Recorder::write_items() {
  if (jump_) {
    if (Result<void> noted = writer_->clock_jumped(*jump_); !noted) return noted;
  }
  for (const Item& item : items_) {
    if (Result<void> done = write_item(item); !done) return done;
  }
  for (const Heard& heard : items_heard_) {
    writer_->heard(heard.scope, heard.time, heard.version);
  }
  return writer_->commit(until_);
}

Result<void> Recorder::write_item(const Item& item) {
  if (const auto* change = std::get_if<Change>(&item.what)) {
    return writer_->write(item.scope, *change);
  }
  if (const auto* known = std::get_if<Known>(&item.what)) {
    return writer_->write_known(item.scope, known->change);
  }
  if (const auto* synced = std::get_if<Synced>(&item.what)) {
    return writer_->synced(item.scope, synced->event, synced->time);
  }
  if (const auto* list = std::get_if<RecordedRelist>(&item.what)) {
    return writer_->relisted(item.scope, *list);
  }
  if (const auto* scope = std::get_if<RecordedScope>(&item.what)) {
    const Result<std::size_t> added = writer_->add_scope(*scope);
    return added ? Result<void>() : std::unexpected(added.error());
  }
  return writer_->gathered();
}

}  // namespace kinf
