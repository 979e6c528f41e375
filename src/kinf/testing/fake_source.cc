// SPDX-License-Identifier: Apache-2.0
#include "kinf/testing/fake_source.h"

#include <charconv>
#include <cstdint>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "kinf/api/object_decoder.h"
#include "kinf/base/sync.h"

namespace kinf::testing {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kHistory = 10'000;

std::uint64_t number_of(std::string_view version) {
  std::uint64_t number = 0;
  std::from_chars(version.data(), version.data() + version.size(), number);
  return number;
}

}  // namespace

struct FakeSource::World {
  World(Clock& clock_in, std::string description_in)
      : clock(clock_in), description(std::move(description_in)) {}

  void record(WatchEventType type, ObjectPtr object) KINF_REQUIRES(mu) {
    WatchEvent event;
    event.type = type;
    event.resource_version = std::to_string(version);
    event.object = std::move(object);
    changes.push_back(std::move(event));
    if (changes.size() > kHistory) {
      oldest = number_of(changes.front().resource_version);
      changes.pop_front();
    }
    signal();
  }
  void close_watches() KINF_REQUIRES(mu) {
    ++cuts;
    signal();
  }
  void signal() KINF_REQUIRES(mu) {
    is_signalled = true;
    changed.notify_all();
  }

  Clock& clock;
  const std::string description;
  Mutex mu;
  CondVar changed;
  bool is_signalled KINF_GUARDED_BY(mu) = false;
  std::uint64_t version KINF_GUARDED_BY(mu) = 0;
  std::uint64_t oldest KINF_GUARDED_BY(mu) = 0;  ///< a watch may start from this version
  std::uint64_t cuts KINF_GUARDED_BY(mu) = 0;    ///< how often open watches were closed
  std::map<std::string, ObjectPtr> objects KINF_GUARDED_BY(mu);
  std::deque<WatchEvent> changes KINF_GUARDED_BY(mu);
  std::optional<Error> failing KINF_GUARDED_BY(mu);
  std::size_t lists KINF_GUARDED_BY(mu) = 0;
  std::size_t watches KINF_GUARDED_BY(mu) = 0;
};

/// One page with all objects, complete at once.
class FakeSource::Listing final : public ListCall {
 public:
  Listing(std::shared_ptr<World> world, ListSink& sink) : world_(std::move(world)), sink_(sink) {}

  std::optional<Result<ListPage>> poll() override {
    std::map<std::string, ObjectPtr> objects;
    ListPage page;
    {
      MutexLock lock(world_->mu);
      if (world_->failing) return kinf::fail(*world_->failing);
      objects = world_->objects;
      page.resource_version = std::to_string(world_->version);
    }
    for (auto& [key, object] : objects) sink_.item(std::move(object));
    return page;
  }

 private:
  std::shared_ptr<World> world_;
  ListSink& sink_;
};

class FakeSource::Watching final : public WatchCall {
 public:
  Watching(std::shared_ptr<World> world, std::uint64_t from, std::uint64_t cuts)
      : world_(std::move(world)), from_(from), cuts_(cuts) {}

  WatchPoll poll() override {
    MutexLock lock(world_->mu);
    WatchPoll found = next();
    if (!std::holds_alternative<WatchPending>(found)) last_byte_ = world_->clock.now();
    return found;
  }
  Clock::Mono last_byte() const override { return last_byte_; }

 private:
  WatchPoll next() KINF_REQUIRES(world_->mu) {
    const bool is_too_old = from_ < world_->oldest;
    if (!is_open_) {
      if (world_->failing) return *world_->failing;
      if (is_too_old) return Error(ErrorKind::expired, "too old resource version");
      is_open_ = true;
      return WatchOpened();
    }
    if (is_too_old || cuts_ != world_->cuts) return WatchClosed();
    for (const WatchEvent& change : world_->changes) {
      const std::uint64_t version = number_of(change.resource_version);
      if (version <= from_) continue;
      from_ = version;
      return change;
    }
    return WatchPending();
  }

  std::shared_ptr<World> world_;
  std::uint64_t from_;
  const std::uint64_t cuts_;
  bool is_open_ = false;
  Clock::Mono last_byte_ = Clock::kNever;
};

FakeSource::FakeSource(Clock& clock, std::string description)
    : world_(std::make_shared<World>(clock, std::move(description))) {}

FakeSource::~FakeSource() = default;

Result<ObjectPtr> FakeSource::put(std::string_view json) {
  Json document = Json::parse(json, nullptr, false);
  if (!document.is_object() || !document["metadata"].is_object()) {
    return kinf::fail(ErrorKind::usage, "not the JSON of an object with metadata");
  }
  Json& metadata = document["metadata"];
  MutexLock lock(world_->mu);
  const std::string version = std::to_string(world_->version + 1);
  metadata["resourceVersion"] = version;
  const bool has_uid = metadata.contains("uid");
  if (!has_uid) metadata["uid"] = "uid-" + version;
  const auto decode = [&] {
    const std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
    return ObjectDecoder({}).decode(text);
  };
  Result<ObjectPtr> object = decode();
  if (!object) return kinf::fail(ErrorKind::usage, object.error().message);
  const auto known = world_->objects.find((*object)->key());
  if (known != world_->objects.end() && !has_uid) {
    metadata["uid"] = std::string(known->second->uid());
    object = decode();
  }
  ++world_->version;
  const bool is_new = known == world_->objects.end();
  world_->objects[(*object)->key()] = *object;
  world_->record(is_new ? WatchEventType::added : WatchEventType::modified, *object);
  return object;
}

bool FakeSource::remove(std::string_view key) {
  MutexLock lock(world_->mu);
  const auto known = world_->objects.find(std::string(key));
  if (known == world_->objects.end()) return false;
  ++world_->version;
  world_->record(WatchEventType::deleted, std::move(known->second));
  world_->objects.erase(known);
  return true;
}

void FakeSource::fail(Error error) {
  MutexLock lock(world_->mu);
  world_->failing = std::move(error);
  world_->close_watches();
}

void FakeSource::recover() {
  MutexLock lock(world_->mu);
  world_->failing.reset();
}

void FakeSource::expire() {
  MutexLock lock(world_->mu);
  world_->changes.clear();
  world_->oldest = ++world_->version;
  world_->close_watches();
}

std::size_t FakeSource::lists() const {
  MutexLock lock(world_->mu);
  return world_->lists;
}

std::size_t FakeSource::watches() const {
  MutexLock lock(world_->mu);
  return world_->watches;
}

std::unique_ptr<ListCall> FakeSource::list(const ListOptions&, ListSink& sink) {
  MutexLock lock(world_->mu);
  ++world_->lists;
  return std::make_unique<Listing>(world_, sink);
}

std::unique_ptr<WatchCall> FakeSource::watch(const ListOptions& options) {
  MutexLock lock(world_->mu);
  ++world_->watches;
  return std::make_unique<Watching>(world_, number_of(options.resource_version), world_->cuts);
}

void FakeSource::wait(Clock::Mono deadline, const std::stop_token& stop) {
  World& world = *world_;
  MutexLock lock(world.mu);
  while (!world.is_signalled && !stop.stop_requested() && world.clock.now() < deadline) {
    world.clock.wait_until(world.changed, world.mu, deadline, stop);
  }
  world.is_signalled = false;
}

void FakeSource::wake() {
  MutexLock lock(world_->mu);
  world_->signal();
}

std::string FakeSource::description() const { return world_->description; }

}  // namespace kinf::testing
