// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recorder.h"

#include <algorithm>
#include <utility>

namespace kinf {
namespace {

constexpr std::chrono::milliseconds kCommitDelay{200};
constexpr std::chrono::seconds kHeartbeat{5};

}  // namespace

class Recorder::Handler final : public EventHandler {
 public:
  Handler(Recorder& recorder, std::size_t scope, EventHandler* inner)
      : recorder_(recorder), scope_(scope), inner_(inner) {}

  void on_add(const Change& change) override { take(change); }
  void on_update(const Change& change) override { take(change); }
  void on_delete(const Change& change) override { take(change); }
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
  void take(const Change& change) {
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
    : writer_(std::move(writer)),
      clock_(clock),
      failed_(std::move(failed)),
      due_(clock.now() + kHeartbeat) {}

Recorder::~Recorder() { finish(); }

void Recorder::start() {
  if (thread_.joinable()) return;
  thread_ = std::jthread([this] { run(); });
}

EventHandler& Recorder::handler(std::size_t scope, EventHandler* inner) {
  handlers_.push_back(std::make_unique<Handler>(*this, scope, inner));
  return *handlers_.back();
}

void Recorder::finish() {
  {
    MutexLock lock(mu_);
    ending_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

RecordingTotals Recorder::totals() const {
  MutexLock lock(mu_);
  return totals_;
}

bool Recorder::has_failed() const {
  MutexLock lock(mu_);
  return has_failed_;
}

void Recorder::push(Item item) {
  MutexLock lock(mu_);
  // The recorder's thread takes the queue or fails, so this wait ends without a stop token.
  while (queue_.size() >= kMostQueued && !has_failed_ && !ending_) {
    clock_.wait_until(changed_, mu_, Clock::kNever, {});
  }
  if (has_failed_ || ending_) return;
  queue_.push_back(std::move(item));
  // Gather the changes that follow the first one, so that they do not wake the thread.
  if (queue_.size() == 1) due_ = std::min(due_, clock_.now() + kCommitDelay);
  if (queue_.size() == 1 || queue_.size() == kManyQueued) changed_.notify_all();
}

Result<std::size_t> Recorder::add_scope(RecordedScope scope) {
  if (thread_.joinable()) {
    push({scopes_, std::move(scope)});
  } else if (const auto added = writer_->add_scope(scope); !added) {
    return added;
  }
  return scopes_++;
}

void Recorder::gathered(const std::function<void()>& end) {
  MutexLock lock(order_);
  push({0, Gathered{}});
  end();
}

void Recorder::heard(std::size_t scope) {
  MutexLock lock(mu_);
  const auto found = std::ranges::find(heard_, scope, &Heard::scope);
  if (found == heard_.end()) {
    heard_.push_back({scope, clock_.wall()});
  } else {
    found->time = clock_.wall();
  }
}

bool Recorder::is_due() const {
  return ending_ || queue_.size() >= kManyQueued || clock_.now() >= due_;
}

Recorder::Taken Recorder::take(std::vector<Item>& items) {
  items.clear();
  items.swap(queue_);
  due_ = clock_.now() + kHeartbeat;
  changed_.notify_all();
  Taken taken{.goes_on = !ending_, .until = clock_.wall(), .heard = std::exchange(heard_, {})};
  // Newer changes may still wait in the queues of the informers. The session lasts only until the
  // last change that has arrived here.
  const auto last = std::ranges::find_if(items.rbegin(), items.rend(), [](const Item& item) {
    return std::holds_alternative<Change>(item.what);
  });
  if (last != items.rend()) taken.until = std::get<Change>(last->what).origin.arrived;
  return taken;
}

Result<void> Recorder::write(std::vector<Item>& items) {
  for (const Item& item : items) {
    if (Result<void> done = write(item); !done) return done;
  }
  return {};
}

Result<void> Recorder::write(const Item& item) {
  if (const auto* change = std::get_if<Change>(&item.what)) {
    return writer_->write(item.scope, *change);
  }
  if (const auto* known = std::get_if<Known>(&item.what)) {
    return writer_->write_known(item.scope, known->change);
  }
  if (const auto* synced = std::get_if<Synced>(&item.what)) {
    return writer_->synced(item.scope, synced->event, synced->time);
  }
  if (const auto* scope = std::get_if<RecordedScope>(&item.what)) {
    const Result<std::size_t> added = writer_->add_scope(*scope);
    return added ? Result<void>() : std::unexpected(added.error());
  }
  return writer_->gathered();
}

void Recorder::note(const Result<void>& done) {
  {
    MutexLock lock(mu_);
    totals_ = writer_->totals();
    if (done) return;
    has_failed_ = true;
    queue_.clear();
    changed_.notify_all();
  }
  failed_(done.error());
}

bool Recorder::write_taken(const Taken& taken, std::vector<Item>& items) {
  Result<void> done = write(items);
  if (done) {
    for (const Heard& heard : taken.heard) writer_->heard(heard.scope, heard.time);
    done = writer_->commit(taken.until);
  }
  note(done);
  return done && taken.goes_on;
}

void Recorder::run() {
  std::vector<Item> items;
  Taken taken;
  do {
    MutexLock lock(mu_);
    while (!is_due()) clock_.wait_until(changed_, mu_, due_, {});
    taken = take(items);
  } while (write_taken(taken, items));
}

Clock::Mono Recorder::step() {
  std::vector<Item> items;
  Taken taken;
  {
    MutexLock lock(mu_);
    if (has_failed_) return Clock::kNever;
    if (!is_due()) return due_;
    taken = take(items);
  }
  return write_taken(taken, items) ? clock_.now() + kHeartbeat : Clock::kNever;
}

}  // namespace kinf
