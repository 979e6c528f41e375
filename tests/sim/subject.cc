// SPDX-License-Identifier: Apache-2.0
#include "sim/subject.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "kinf/cache/index_table.h"
#include "sim/documents.h"

namespace kinf::sim {
namespace {

const InformerIdentity kIdentity{.gvr = {"", "v1", "configmaps"}};
constexpr const char* kColorIndex = "color";
/// The reflector may queue 64 events in one step.
constexpr std::size_t kCapacity = 160;
constexpr std::size_t kEventsPerStep = 64;

/// Returns whether the index function of Plan::bad_index fails for this version.
bool is_unindexable(const Object& object) { return number_of(object.resource_version()) % 7 < 2; }

Result<std::vector<std::string>> color_of(const Object& object) {
  return std::vector<std::string>{std::string(object.label("color").value_or(""))};
}

Result<std::vector<std::string>> color_or_failure(const Object& object) {
  if (!is_unindexable(object)) return color_of(object);
  if (number_of(object.resource_version()) % 2 == 0) throw std::runtime_error("a simulated index");
  return fail(ErrorKind::internal, "the simulated index function fails");
}

}  // namespace

Subject::Subject(std::size_t number, const Plan& plan, const Etcd& etcd, Network& network,
                 SimClock& clock, Verdict& verdict, Random& random)
    : number_(number),
      plan_(plan),
      etcd_(etcd),
      network_(network),
      clock_(clock),
      verdict_(verdict),
      random_(random),
      strict_(plan.client_go == 0),
      workers_(plan, clock, verdict, random, [this](std::string_view key) { return stored(key); }),
      factory_(std::make_unique<SharedInformerFactory>(clock, options())) {
  if (strict_) {
    program_ = std::make_unique<SimProgram>(fmt::format("client {}", number), plan, etcd, wire_,
                                            clock, verdict);
  }
  start({});
}

Subject::~Subject() = default;

void Subject::start(EarlierState cached) {
  informer_ = *factory_->informer_for(kIdentity, [this] { return make_source(); }, program_.get());
  const EarlierState known = program_ ? program_->start(std::move(cached)) : std::move(cached);
  if (known.is_complete || !known.objects.empty()) {
    const Result<void> restored = informer_->restore(known.objects, known.is_complete);
    verdict_.expect(restored.has_value(), "restore", "it fails");
  }
  if (program_) program_->connect(*informer_);
  for (int i = 0; i < plan_.handlers; ++i) add_handler(known.is_complete);
  (void)informer_->begin();  // cannot fail, because it is new
}

void Subject::crash(int writes) {
  if (program_) program_->crash(writes);
  restart();
}

void Subject::lose_power(bool lies, int number) {
  if (program_) program_->lose_power(lies, number);
  restart();
}

void Subject::restart() {
  const std::unique_ptr<SharedInformer> old = factory_->release(kIdentity);
  EarlierState cached{old->indexer().list(), old->has_synced()};
  old->finish();
  handlers_.clear();
  workers_.restart();
  wire_ = {};
  has_removed_ = false;
  is_astray_ = true;  // until the next list, no revision has these objects
  if (etcd_.epoch() > 0) lose_timeline();
  start(std::move(cached));
}

void Subject::fill_disk(int writes) {
  if (program_) program_->fill_disk(writes);
}

std::unique_ptr<ListerWatcher> Subject::make_source() {
  return std::make_unique<SimSource>(
      network_, clock_, verdict_, wire_,
      SourceOptions{.client = number_,
                    .red_only = plan_.red_only != 0,
                    .supports_watch_list = plan_.streams > 0,
                    .prefers_watch_list = plan_.streams > 1,
                    .newest = static_cast<NewestFromMemory>(plan_.newest),
                    .is_paced = strict_});
}

InformerOptions Subject::options() {
  InformerOptions options;
  options.behaviour = strict_ ? Behaviour::strict : Behaviour::client_go;
  options.queue = static_cast<QueueKind>(plan_.queue);
  options.watch_list = static_cast<WatchListMode>(plan_.watch_list);
  if (plan_.page_size > 0) options.page_size = plan_.page_size;
  options.resync_period = std::chrono::seconds(plan_.resync);
  options.indexers[kColorIndex] = plan_.bad_index != 0 ? color_or_failure : color_of;
  options.seed = plan_.seed + number_;
  options.detect_mutations = false;
  options.queue_capacity = kCapacity;
  // client_go skips an event that its transform rejects, and so does not keep the promises.
  if (plan_.transform != 0 && strict_) {
    options.transform = [this](const ObjectPtr& object) -> Result<ObjectPtr> {
      if (poison_ == 0) return object;
      --poison_;
      return fail(ErrorKind::internal, "the simulated transform fails");
    };
  }
  return options;
}

HandlerPlan Subject::handler_plan() {
  HandlerPlan plan;
  plan.name = fmt::format("{}.{}", number_, made_handlers_++);
  plan.strict = strict_;
  const std::uint64_t dice = random_.next();
  const bool is_first = handlers_.empty();  // feeds the work queue
  plan.resync = std::chrono::seconds(plan_.resync * static_cast<int>(1 + dice / 2048 % 3));
  plan.is_direct = dice % 4 == 0;
  plan.when_full = static_cast<WhenFull>(dice / 4 % 3);
  plan.bound = dice / 16 % 2 == 0 ? 1024 : 1 + dice / 32 % 6;
  plan.throws_each = dice / 256 % 4 == 0 ? 1 + dice / 1024 % 7 : 0;
  plan.leaves_after = !is_first && dice / 8192 % 4 == 0 ? 1 + dice / 65536 % 9 : 0;
  return plan;
}

void Subject::add_handler(bool is_restored) {
  HandlerPlan plan = handler_plan();
  plan.is_restored = is_restored;
  RateLimitingQueue* const queue = handlers_.empty() ? &workers_.queue() : nullptr;
  auto handler =
      std::make_unique<SimHandler>(std::move(plan), etcd_, clock_, verdict_, queue, [this] {
        const InformerStats stats = informer_->stats();
        return stats.queued + stats.backlog;
      });
  handler->set_busy(busy_);
  if (is_lost_) handler->lose_timeline();
  Result<HandlerRegistration> added = informer_->add_event_handler(*handler, handler->options());
  verdict_.expect(added.has_value(), "handler", "it cannot be added");
  if (!added) return;
  handler->registration = std::move(*added);
  handlers_.push_back(std::move(handler));
}

void Subject::remove_handler() {
  if (handlers_.size() < 2) return;
  verdict_.trace("{} is removed", handlers_[1]->plan().name);
  handlers_.erase(handlers_.begin() + 1);
  has_removed_ = true;
}

void Subject::set_busy(Clock::Duration busy) {
  busy_ = busy;
  for (const auto& handler : handlers_) handler->set_busy(busy);
}

bool Subject::would_block() const {
  return informer_->stats().queued + kEventsPerStep + 1 >= kCapacity;
}

StepResult Subject::pump(StepPart part, int count) {
  StepResult result;
  for (int i = 0; i < count && verdict_.holds(); ++i) {
    const bool is_full = part == StepPart::reflector && would_block();
    result = informer_->step(is_full ? StepPart::processor : part);
    check_cache();
    if (!result.moved) break;
  }
  if (program_) program_->step();
  if (is_lost_ && !is_astray_) find_timeline();
  return result;
}

State Subject::cache() const {
  State state{};
  informer_->indexer().with_read_lock([&](const IndexTable& table) {
    table.for_each([&](const std::string& key, const ObjectPtr& object) {
      const std::size_t number = object_of(object->name());
      if (number < kObjects && key == key_of(number)) state.at(number) = version_of(*object);
    });
  });
  return state;
}

State Subject::wanted(std::uint32_t revision) const {
  State state = etcd_.state_at(revision);
  for (Version& version : state) {
    if (!version.is_selected(plan_.red_only != 0)) version = {};
  }
  return state;
}

std::string Subject::difference(const State& got, const State& wanted) const {
  for (std::size_t i = 0; i < kObjects; ++i) {
    if (is_same(got.at(i), wanted.at(i))) continue;
    return fmt::format("{} is {} instead of {}", key_of(i), text_of(got.at(i)),
                       text_of(wanted.at(i)));
  }
  return {};
}

std::uint32_t Subject::version() const {
  return number_of(informer_->last_sync_resource_version());
}

void Subject::check_cache() {
  check_version();
  check_index();
  check_handlers();
}

/// The cache has the state of one revision, and never an older one than before. A queue of single
/// deltas applies a list in parts, and a DeltaFifo reorders: there, only an empty queue tells.
void Subject::check_version() {
  const bool is_atomic = static_cast<QueueKind>(plan_.queue) == QueueKind::in_order_atomic;
  const bool is_applied = informer_->stats().queued == 0;
  const std::uint32_t applied = number_of(informer_->indexer().last_store_sync_resource_version());
  if (is_astray_) {
    const std::uint32_t last = version();
    // A list may have arrived without being used: the last version is then still the earlier one.
    const bool is_back = wire_.has_list && wire_.list_epoch == etcd_.epoch() && is_applied &&
                         last <= std::min(wire_.newest, etcd_.revision()) &&
                         difference(cache(), wanted(last)).empty();
    if (!is_back) return;
    is_astray_ = false;
    newest_ = 0;
  }
  if (is_atomic && applied != 0) {
    verdict_.expect(!strict_ || applied >= newest_, "never back", "client {}: {} after {}", number_,
                    applied, newest_);
    newest_ = applied;
    check_state(applied, "cache");
  }
  if (is_applied && version() != 0) check_state(version(), "applied");
}

void Subject::lose_timeline() {
  is_lost_ = true;
  if (program_) program_->lose_timeline();
  for (const auto& handler : handlers_) handler->lose_timeline();
}

/// After a restore and the list that follows, nothing of the lost timeline waits any more.
void Subject::find_timeline() {
  const InformerStats stats = informer_->stats();
  if (stats.queued > 0 || stats.backlog > 0) return;
  if (program_ && !difference(program_->shown(), cache()).empty()) return;
  is_lost_ = false;
  if (program_) program_->find_timeline();
  for (const auto& handler : handlers_) handler->find_timeline();
}

void Subject::check_state(std::uint32_t revision, const char* what) {
  if (revision > etcd_.revision()) {
    return verdict_.expect(false, "prefix", "client {} {}: at {}, which is not written yet",
                           number_, what, revision);
  }
  const std::string found = difference(cache(), wanted(revision));
  verdict_.expect(found.empty(), "prefix", "client {} {} at {}: {}", number_, what, revision,
                  found);
}

void Subject::check_index() {
  const StoreReader& store = informer_->indexer();
  std::size_t indexed = 0;
  if (plan_.bad_index != 0) {
    for (const ObjectPtr& object : store.list()) indexed += is_unindexable(*object) ? 1 : 0;
  }
  for (const std::string color : {"red", "blue"}) {
    for (const ObjectPtr& object : store.by_index(kColorIndex, color).value()) {
      ++indexed;
      verdict_.expect(object->label("color") == color, "index", "client {}: {} is not {}", number_,
                      object->key(), color);
      verdict_.expect(store.get_by_key(object->key()) == object, "index",
                      "client {}: {} is not the stored object", number_, object->key());
    }
  }
  verdict_.expect(indexed == store.size(), "index", "client {}: {} of {} objects", number_, indexed,
                  store.size());
}

/// Promise 6: what waits is limited. A list may exceed the capacity of the queue: its objects exist
/// anyway. With WhenFull::coalesce, the number of objects limits the queue of a handler.
void Subject::check_bounds() {
  const std::size_t queued = informer_->stats().queued;
  verdict_.expect(queued <= kCapacity + 2 * kObjects, "memory", "client {}: {} deltas wait",
                  number_, queued);
  for (const auto& handler : handlers_) {
    const HandlerPlan& plan = handler->plan();
    if (plan.is_direct || plan.when_full != WhenFull::coalesce) continue;
    const std::size_t waiting = handler->registration.waiting().size();
    // Of each object, an addition, a deletion and another addition may wait.
    verdict_.expect(waiting <= plan.bound + 3 * kObjects, "memory", "{}: {} changes wait",
                    plan.name, waiting);
  }
}

/// A handler that has nothing to do has the state of the cache.
void Subject::check_handlers() {
  const std::size_t backlog = informer_->stats().backlog;
  if (backlog > kObjects || informer_->stats().queued > kCapacity) check_bounds();
  if (backlog > 0) return;
  for (const auto& handler : handlers_) {
    if (handler->has_left() || !handler->registration.has_synced()) continue;
    const std::string found = difference(handler->state(), cache());
    verdict_.expect(found.empty(), "handler state", "{}: {}", handler->plan().name, found);
  }
}

Version Subject::stored(std::string_view key) const {
  const ObjectPtr object = informer_->indexer().get_by_key(key);
  return object ? version_of(*object) : Version();
}

Clock::Mono Subject::next_event() const {
  Clock::Mono next = workers_.next_event();
  for (const auto& handler : handlers_) {
    if (handler->ready_at() > clock_.now()) next = std::min(next, handler->ready_at());
  }
  return next;
}

bool Subject::has_converged(std::string& why) const {
  const InformerStats stats = informer_->stats();
  why = fmt::format("client {}: ", number_);
  if (!informer_->has_synced()) {
    why += "no list";
  } else if (const std::string found = difference(cache(), wanted(etcd_.revision()));
             !found.empty()) {
    why += found;
  } else if (stats.queued > 0 || stats.backlog > 0) {
    why += fmt::format("{} deltas and {} changes wait", stats.queued, stats.backlog);
  } else if (program_ && !difference(program_->shown(), cache()).empty()) {
    why += "the lines: " + difference(program_->shown(), cache());
  } else if (!workers_.is_idle()) {
    why += "the work queue is not empty";
  } else if (const std::string left = difference(workers_.worked(), cache()); !left.empty()) {
    why += "the workers: " + left;
  } else {
    why.clear();
  }
  return why.empty();
}

void Subject::begin_resync_check() {
  resyncs_.clear();
  for (const auto& handler : handlers_) resyncs_.push_back(handler->resyncs());
}

void Subject::check_resyncs(Clock::Duration elapsed) {
  const std::size_t objects = informer_->indexer().size();
  if (objects == 0 || !strict_) return;
  for (std::size_t i = 0; i < handlers_.size(); ++i) {
    const SimHandler& handler = *handlers_[i];
    const Clock::Duration period = handler.registration.resync_period();
    if (handler.has_left() || period.count() == 0) continue;
    const auto wanted = elapsed / period;
    const auto got = static_cast<std::int64_t>((handler.resyncs() - resyncs_[i]) / objects);
    verdict_.expect(got >= wanted - 1 && got <= wanted + 1, "resync",
                    "{}: {} resyncs instead of {}", handler.plan().name, got, wanted);
  }
}

void Subject::finish() {
  informer_->finish();
  if (program_) program_->finish();
  const InformerStats stats = informer_->stats();
  std::uint64_t folded = 0;
  for (const auto& handler : handlers_) {
    has_removed_ = has_removed_ || handler->has_left();
    folded += handler->folded();
  }
  verdict_.expect(has_removed_ || folded == stats.folded, "folded",
                  "client {}: {} changes were merged, handlers were told of {}", number_,
                  stats.folded, folded);
  verdict_.expect(stats.undelivered == 0, "lost", "client {}: {} changes were not delivered",
                  number_, stats.undelivered);
  workers_.finish();
  const bool counts_index = (stats.index_errors == 0) || plan_.bad_index != 0;
  verdict_.expect(stats.foreign_events == 0 && counts_index, "counters",
                  "client {}: {} foreign events, {} index errors", number_, stats.foreign_events,
                  stats.index_errors);
}

}  // namespace kinf::sim
