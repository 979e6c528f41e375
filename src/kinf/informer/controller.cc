// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/controller.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "kinf/api/object.h"
#include "kinf/base/log.h"
#include "kinf/cache/delta_fifo.h"
#include "kinf/cache/in_order_fifo.h"
#include "kinf/informer/version_tracker.h"

namespace kinf {
namespace {

std::unique_ptr<Queue> make_queue(const InformerOptions& options, const Indexer& indexer) {
  if (options.queue == QueueKind::delta) {
    DeltaFifoOptions delta;
    delta.known_objects = &indexer;
    delta.emit_replaced = true;
    delta.transform = options.transform;
    delta.capacity = options.queue_capacity;
    delta.behaviour = options.behaviour;
    return std::make_unique<DeltaFifo>(std::move(delta));
  }
  InOrderFifoOptions in_order;
  in_order.atomic_events = options.queue == QueueKind::in_order_atomic;
  in_order.emit_bookmarks = in_order.atomic_events;
  in_order.known_objects = in_order.atomic_events ? nullptr : &indexer;
  in_order.transform = options.transform;
  in_order.capacity = std::max<std::size_t>(options.queue_capacity, 1);
  in_order.behaviour = options.behaviour;
  return *InOrderFifo::create(std::move(in_order));  // cannot fail, because these options are valid
}

#if defined(NDEBUG)
constexpr bool kDetectMutations = false;
#else
constexpr bool kDetectMutations = true;
#endif

}  // namespace

Controller::Controller(ListerWatcher& source, Indexer& indexer, SharedProcessor& processor,
                       Clock& clock, const InformerOptions& options, InformerCounters& counters,
                       InformerObserver* observer)
    : indexer_(indexer),
      processor_(processor),
      clock_(clock),
      options_(options),
      counters_(counters),
      observer_(observer),
      source_(source),
      queue_(make_queue(options, indexer)),
      applier_(indexer, options.behaviour, counters),
      reflector_(source, *queue_, clock, options, *this, counters, observer) {
  if (options.detect_mutations.value_or(kDetectMutations)) mutations_.emplace();
  // Lets the source return the stored object instead of decoding the same version again. Not used
  // with a transform, because the stored object then differs from the received one.
  if (options.behaviour == Behaviour::strict && !options.transform) {
    source.set_held([this](const ObjectFacts& facts) { return held(facts); });
  }
}

Controller::~Controller() { stop(); }

void Controller::set_restored(bool is_complete) {
  restored_ = is_complete;
  reflector_.set_restored(indexer_.last_store_sync_resource_version(), is_complete);
}

Result<void> Controller::start() {
  processor_.start_threads();
  try {
    reflector_thread_ = std::jthread([this] {
      const InformerThread mark(&counters_);
      reflector_.run(stop_.get_token());
    });
    processor_thread_ = std::jthread([this] {
      const InformerThread mark(&counters_);
      run_processor(stop_.get_token());
    });
  } catch (const std::system_error& error) {
    stop();
    return fail(ErrorKind::internal, "cannot start a thread: {}", error.code().message());
  }
  return {};
}

void Controller::request_stop() {
  stop_.request_stop();
  interrupt_.wake();
  source_.wake();
}

void Controller::stop() {
  request_stop();
  if (reflector_thread_.joinable()) reflector_thread_.join();
  if (processor_thread_.joinable()) processor_thread_.join();
  end();
}

Result<void> Controller::run(const std::stop_token& stop) {
  if (Result<void> started = start(); !started) return started;
  wait_for_end(stop);
  this->stop();
  return {};
}

void Controller::end() {
  MutexLock lock(mu_);
  ended_ = true;
  state_changed_.notify_all();
}

StepResult Controller::step(StepPart part) {
  const InformerThread mark(&counters_);
  const std::stop_token stop = stop_.get_token();
  if (part == StepPart::reflector) return reflector_.step(stop);
  bool moved = process_one(stop);
  moved = processor_.pump() || moved;
  if (moved || part == StepPart::processor) return {.moved = moved};
  return reflector_.step(stop);
}

void Controller::finish() {
  const InformerThread mark(&counters_);
  request_stop();
  reflector_.finish();
  report_relists();
  processor_.finish();
  look_for_mutations();
  end();
}

void Controller::run_processor(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const std::stop_token interrupt = interrupt_.token();
    if (stop.stop_requested()) break;
    if (process_one(stop)) continue;
    const Result<void> popped =
        queue_->pop_batch([this](Popped& unit) { return take(unit); }, interrupt);
    distribute(popped, stop);
  }
  report_relists();
  end();
  processor_.finish();
  look_for_mutations();
}

bool Controller::process_one(const std::stop_token& stop) {
  bool moved = processor_.admit(stop);
  if (moved) source_.wake();  // the reflector must read next_resync() again
  // Announce the initial list before distributing later changes from a watch.
  moved = announce_synced(stop) || moved;
  const Result<bool> popped = queue_->try_pop_batch([this](Popped& unit) { return take(unit); });
  if (!popped || *popped) {
    distribute(popped ? Result<void>() : fail(popped), stop);
    moved = true;
  }
  report_relists();
  if (!moved) {
    look_for_mutations();
    const bool has_arrived = std::exchange(has_arrived_, false);
    if (observer_ != nullptr && has_arrived) observer_->on_delivered(delivered_);
    processor_.idle();
    if (observer_ != nullptr) observer_->on_idle();
  }
  return moved;
}

Result<void> Controller::take(Popped& popped) {
  is_distributing_.store(true);
  popped_ += options_.queue == QueueKind::delta ? 1 : popped.deltas.size();
  if (restored_) popped.is_in_initial_list = false;
  for (const Delta& delta : popped.deltas) {
    if (delta.origin.source == ChangeSource::relist)
      reached_ = std::max(reached_, delta.origin.round);
    note_arrival(delta);
  }
  return applier_.apply(popped, changes_);
}

/// Notes when a popped delta arrived, and the version that is complete when it is delivered. A list
/// that is queued object by object is noted when all of it was delivered.
void Controller::note_arrival(const Delta& delta) {
  if (delta.origin.source == ChangeSource::resync) return;
  has_arrived_ = true;
  delivered_.arrived = delta.origin.arrived;
  delivered_.is_bookmark = delta.type == DeltaType::bookmark;
  std::string& version = delivered_.resource_version;
  if (delta.type == DeltaType::replaced_all || delta.type == DeltaType::bookmark) {
    version = delta.resource_version;
    return;
  }
  // A watch from an unknown version begins with the objects that exist, in no order.
  const bool is_ordered = !version.empty() && version != "0";
  if (delta.origin.source != ChangeSource::watch || !delta.object || !is_ordered) return;
  if (!is_older_version(delta.object->resource_version(), version)) {
    version = delta.object->resource_version();
  }
}

void Controller::distribute(const Result<void>& applied, const std::stop_token& stop) {
  if (!applied && applied.error().kind != ErrorKind::stopped) {
    InformerCounters::count(counters_.apply_errors);
    log::warning("{}: {}", source_.description(), applied.error().message);
  }
  report_index_errors();
  note_for_mutations();
  announce_relists();
  count_relisted();
  processor_.distribute(changes_, stop);
  changes_.clear();
  if (changes_.capacity() > 4096) changes_ = {};  // free the memory of a long list
  is_distributing_.store(false);
}

void Controller::note_for_mutations() {
  if (!mutations_) return;
  for (const Change& change : changes_) mutations_->note(change);
  look_for_mutations();
}

void Controller::look_for_mutations() {
  if (!mutations_) return;
  mutations_->check_if_due(clock_.now());
  for (const std::string& key : mutations_->take_found()) {
    InformerCounters::count(counters_.mutations);
    const Error error(ErrorKind::internal,
                      "the cached object " + key + " was modified, but cached objects are shared");
    if (observer_ != nullptr) {
      observer_->on_error({error, InformerFailure::Doing::applying, {}, {}});
    }
    log::warning("{}: {}", source_.description(), error.message);
  }
}

bool Controller::announce_synced(const std::stop_token& stop) {
  SyncedEvent synced;
  {
    MutexLock lock(mu_);
    if (synced_ || !queue_->has_synced()) return false;
    synced_ = true;
    state_changed_.notify_all();
    synced.resource_version = first_version_;
  }
  synced.objects = indexer_.size();
  delivered_.resource_version = synced.resource_version;
  if (observer_ != nullptr) observer_->on_synced(synced);
  processor_.announce_synced(synced, stop);
  source_.wake();  // the reflector must read next_resync() again
  return true;
}

/// Calls on_relisting() for the relists whose deltas were popped.
void Controller::announce_relists() {
  if (reached_ == announced_) return;
  std::vector<Relisted> begun;
  {
    MutexLock lock(mu_);
    for (const PendingRelist& relist : relists_) {
      if (relist.round > announced_ && relist.round <= reached_) begun.push_back(relist.report);
    }
  }
  announced_ = reached_;
  if (observer_ == nullptr) return;
  for (const Relisted& report : begun) observer_->on_relisting(report);
}

void Controller::count_relisted() {
  for (const Change& change : changes_) {
    if (change.origin.source != ChangeSource::relist) continue;
    MutexLock lock(mu_);
    for (PendingRelist& relist : relists_) {
      if (relist.round == change.origin.round) ++relist.report.changed;
    }
  }
}

/// Reports each relist after its changes were distributed, even if the queue never becomes empty.
/// When the processor first sees `is_queued`, the deltas of that relist are in the queue or already
/// popped.
void Controller::report_relists() {
  std::vector<PendingRelist> applied;
  {
    MutexLock lock(mu_);
    for (PendingRelist& relist : relists_) {
      if (relist.is_queued && !relist.applied_at) relist.applied_at = popped_ + queue_->depth();
    }
    while (!relists_.empty() && relists_.front().applied_at.value_or(popped_ + 1) <= popped_) {
      applied.push_back(std::move(relists_.front()));
      relists_.pop_front();
    }
  }
  for (const PendingRelist& relist : applied) {
    InformerCounters::count(counters_.relists);
    if (options_.queue != QueueKind::in_order_atomic) {
      delivered_.resource_version = relist.report.resource_version;
    }
    if (observer_ == nullptr) continue;
    // A list that changed nothing has no delta in some queues, so it was not announced.
    if (relist.round > announced_) observer_->on_relisting(relist.report);
    observer_->on_relisted(relist.report);
  }
}

void Controller::report_index_errors() {
  const std::uint64_t failures = indexer_.index_errors();
  if (failures == std::exchange(index_errors_, failures)) return;
  const Error error(
      ErrorKind::internal,
      "an index function failed: the cache holds the object, but this index does not find it");
  if (observer_ != nullptr) {
    observer_->on_error({error, InformerFailure::Doing::applying, {}, {}});
  } else {
    log::warning("{}: {}", source_.description(), error.message);
  }
}

ObjectPtr Controller::held(const ObjectFacts& facts) const {
  ObjectPtr held = indexer_.get_by_key(object_key(facts.ns, facts.name));
  const bool same =
      held && held->uid() == facts.uid && held->resource_version() == facts.resource_version;
  return same ? held : nullptr;
}

void Controller::relisting(std::uint32_t round, Relisted list) {
  MutexLock lock(mu_);
  // A list that was never completely queued has failed, so drop its report.
  if (!relists_.empty() && !relists_.back().is_queued) relists_.pop_back();
  relists_.push_back({.round = round, .report = std::move(list)});
}

void Controller::first_list(const std::string& version) {
  MutexLock lock(mu_);
  first_version_ = version;
}

void Controller::list_queued() {
  {
    MutexLock lock(mu_);
    if (!relists_.empty()) relists_.back().is_queued = true;
  }
  interrupt_.wake();
}

bool Controller::has_synced() const {
  MutexLock lock(mu_);
  return synced_;
}

void Controller::wait_for_end(const std::stop_token& stop) const {
  MutexLock lock(mu_);
  while (!ended_ && !stop.stop_requested()) state_changed_.wait(mu_, stop);
}

bool Controller::wait_for_sync(Clock::Mono deadline, const std::stop_token& stop) const {
  MutexLock lock(mu_);
  while (!synced_ && !ended_ && !stop.stop_requested() && clock_.now() < deadline) {
    clock_.wait_until(state_changed_, mu_, deadline, stop);
  }
  return synced_;
}

}  // namespace kinf
