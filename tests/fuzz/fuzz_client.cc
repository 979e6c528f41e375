// SPDX-License-Identifier: Apache-2.0
// A list, then a watch: drives a whole informer against a model of an API server, in virtual time.
// The input chooses the writes, the faults, and how the bytes of responses are damaged. Handlers
// see what the cache has, and queues stay within their bounds. If every response was valid,
// requests stay within their rate, and the cache has the server's state in the end.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/choices.h"
#include "fuzz/damage.h"
#include "fuzz/properties.h"
#include "kinf/base/log.h"
#include "kinf/informer/shared_informer.h"
#include "sim/api_server.h"
#include "sim/documents.h"
#include "sim/sim_clock.h"
#include "sim/sim_source.h"

namespace kinf::fuzz {
namespace {

using std::chrono::milliseconds;

constexpr int kMostSteps = 200;
constexpr int kMostMoves = 10'000;
constexpr std::size_t kCapacity = 160;
constexpr std::chrono::minutes kLongestRecovery(15);
constexpr std::chrono::minutes kBookmarkPeriod(1);

/// Keeps the objects that a handler was told of.
class Replay final : public EventHandler {
 public:
  void on_add(const Change& change) override {
    demand(objects_.emplace(change.key, change.object).second);
  }
  void on_update(const Change& change) override {
    const auto found = objects_.find(change.key);
    demand(found != objects_.end() && found->second == change.old);
    found->second = change.object;
  }
  void on_delete(const Change& change) override { demand(objects_.erase(change.key) == 1); }
  void on_synced(const SyncedEvent& event) override {
    demand(!std::exchange(has_synced_, true) && event.objects == objects_.size());
  }

  void compare(const StoreReader& cache) const {
    demand(cache.size() == objects_.size());
    for (const auto& [key, object] : objects_) demand(cache.get_by_key(key) == object);
  }

 private:
  std::map<std::string, ObjectPtr> objects_;
  bool has_synced_ = false;
};

class ClientRun {
 public:
  explicit ClientRun(std::string_view input)
      : choices_(input), informer_(make_source(), clock_, options()) {}

  void run() {
    Result<HandlerRegistration> handler = informer_.add_event_handler(handler_);
    demand(handler.has_value());
    (void)informer_.begin();  // cannot fail, because it is new
    for (int i = 0; i < kMostSteps && !choices_.empty(); ++i) {
      act();
      move(Clock::kNever);
    }
    heal();
    // After damage, no state is certain.
    const Clock::Mono end = clock_.now() + (is_damaged_ ? kBookmarkPeriod : kLongestRecovery);
    while (!has_server_state() && clock_.now() < end) move(end);
    demand(is_damaged_ || has_server_state());
    informer_.finish();
  }

 private:
  std::unique_ptr<ListerWatcher> make_source() {
    const std::size_t dice = choices_.below(54);
    may_damage_ = dice / 27 > 0;
    return std::make_unique<sim::SimSource>(
        network_, clock_, verdict_, wire_,
        sim::SourceOptions{.supports_watch_list = dice % 3 > 0,
                           .prefers_watch_list = dice % 3 > 1,
                           .newest = static_cast<NewestFromMemory>(dice / 3 % 3),
                           .checks_versions = false});
  }
  InformerOptions options() {
    InformerOptions options;
    const std::size_t dice = choices_.below(45);
    options.queue = static_cast<QueueKind>(dice % 3);
    options.watch_list = static_cast<WatchListMode>(dice / 3 % 3);
    if (const auto page_size = static_cast<std::int64_t>(dice / 9); page_size > 0) {
      options.page_size = page_size;
    }
    options.expected_api_version = "v1";
    options.expected_kind = "ConfigMap";
    options.queue_capacity = kCapacity;
    options.detect_mutations = false;
    options.seed = 1;  // the same delays in each run
    return options;
  }

  void act();
  void write();
  void move(Clock::Mono limit);
  void serve();
  void heal();
  bool has_server_state() const;
  /// Damaged responses may repeat events, but nothing makes the informer ask more often.
  bool keeps_promises() const {
    const std::optional<std::string>& broken = verdict_.broken();
    return !broken || (is_damaged_ && !broken->starts_with("request rate"));
  }

  Choices choices_;
  bool may_damage_ = false;  ///< so that the responses of many runs are valid
  sim::SimClock clock_;
  sim::Verdict verdict_{clock_, false};
  Random random_{1};
  sim::Etcd etcd_;
  sim::Network network_{1, 1, random_};
  sim::ApiServer server_{etcd_, random_};
  sim::Wire wire_;
  std::vector<std::shared_ptr<sim::Exchange>> open_;
  std::optional<Damage> damage_;  ///< of the next bytes
  bool is_damaged_ = false;       ///< a response was not valid
  Clock::Mono next_bookmark_ = clock_.now() + kBookmarkPeriod;
  Replay handler_;
  SharedInformer informer_;
};

/// Does what the next bytes of the input say.
void ClientRun::act() {
  constexpr std::array<int, 8> kCodes = {400, 401, 403, 404, 410, 429, 500, 504};
  switch (choices_.below(12)) {
    case 0: return clock_.advance_to(clock_.now() + milliseconds(1 << choices_.below(18)));
    case 1: return network_.cut_client(0, choices_.below(2) == 0, clock_.now());
    case 2: return network_.stall(0, clock_.now());
    case 3:
      server_.deny(kCodes.at(choices_.below(kCodes.size())), static_cast<int>(choices_.below(4)));
      return;
    case 4: return server_.set_forgets_end_marks(choices_.below(2) == 0);
    case 5: network_.cut_server(0, clock_.now()); return server_.restart();
    case 6: return network_.set_latency(0, milliseconds(choices_.below(256)));
    case 7:
    case 8:
      damage_.emplace(choices_);
      if (!may_damage_ && !damage_->is_valid()) damage_.reset();
      return;
    default: write();
  }
}

void ClientRun::write() {
  const std::size_t dice = choices_.below(256);
  const std::size_t object = dice % sim::kObjects;
  switch (dice / sim::kObjects % 8) {
    case 0: return etcd_.remove(object);
    case 1: return etcd_.write_other();
    case 2: return etcd_.compact();
    case 3: return server_.lose_window();
    case 4: return server_.send_bookmarks(false, clock_.now());
    default: etcd_.put(object, static_cast<std::uint32_t>(dice));
  }
}

/// Does everything that is due, then goes to the next time when something is.
void ClientRun::move(Clock::Mono limit) {
  serve();
  StepResult result = informer_.step();
  for (int moves = 0; result.moved; ++moves) {
    demand(moves < kMostMoves && informer_.stats().queued <= kCapacity);
    serve();
    result = informer_.step();
  }
  demand(keeps_promises());
  handler_.compare(informer_.indexer());
  const Clock::Mono next =
      std::min({limit, result.wake, network_.next_event(), server_.next_event(), next_bookmark_});
  clock_.advance_to(std::max(next, clock_.now() + milliseconds(1)));
  if (clock_.now() < next_bookmark_) return;
  server_.send_bookmarks(false, clock_.now());
  next_bookmark_ = clock_.now() + kBookmarkPeriod;
}

void ClientRun::serve() {
  for (const auto& request : network_.take_arrived(clock_.now())) {
    server_.receive(request, clock_.now());
    open_.push_back(request);
  }
  server_.tick(clock_.now(), true);
  std::erase_if(open_, [](const auto& exchange) { return exchange->is_cancelled; });
  for (const auto& exchange : open_) {
    if (!damage_ || !damage_->apply(*exchange, clock_.now())) continue;
    is_damaged_ = is_damaged_ || !damage_->is_valid();
    damage_.reset();
  }
}

void ClientRun::heal() {
  network_.heal();
  server_.set_forgets_end_marks(false);
  server_.deny(0, 0);
  damage_.reset();
}

bool ClientRun::has_server_state() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < sim::kObjects; ++i) {
    const sim::Version& version = etcd_.state().at(i);
    if (!version.exists()) continue;
    ++count;
    const ObjectPtr object = informer_.indexer().get_by_key(sim::key_of(i));
    if (!object || object->resource_version() != std::to_string(version.revision)) return false;
  }
  return informer_.has_synced() && informer_.indexer().size() == count;
}

}  // namespace
}  // namespace kinf::fuzz

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  (void)argc;
  (void)argv;
  kinf::log::set_sink([](std::string_view) {});
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  kinf::fuzz::ClientRun({reinterpret_cast<const char*>(data), size}).run();
  return 0;
}
