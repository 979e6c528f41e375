// SPDX-License-Identifier: Apache-2.0
#include "fakes/fake_lister_watcher.h"

#include <algorithm>
#include <utility>

#include "fakes/object_builder.h"
#include "kinf/api/api_status.h"

namespace kinf::test {
namespace {

Error refused() { return {ErrorKind::network, "connection refused", NetworkFault::refused}; }

Error expired() {
  ApiStatus status;
  status.code = 410;
  status.reason = "Expired";
  status.message = "too old resource version";
  return to_error(status);
}

WatchEvent event_of(WatchEventType type, ObjectPtr object) {
  WatchEvent event;
  event.type = type;
  event.resource_version = object->resource_version();
  event.object = std::move(object);
  return event;
}

}  // namespace

std::optional<Error> FakeListerWatcher::Failing::next() {
  if (times == 0) return std::nullopt;
  --times;
  return error;
}

class FakeListerWatcher::Listing final : public ListCall {
 public:
  Listing(FakeListerWatcher& source, ListSink& sink) : source_(source), sink_(sink) {}

  std::optional<Result<ListPage>> poll() override {
    std::vector<ObjectPtr> items;
    std::string version;
    {
      MutexLock lock(source_.mu_);
      if (!source_.connected_) return std::unexpected(refused());
      if (auto error = source_.list_failing_.next()) return std::unexpected(std::move(*error));
      for (const auto& entry : source_.objects_) items.push_back(entry.second);
      version = std::to_string(source_.version_);
    }
    for (ObjectPtr& item : items) sink_.item(std::move(item));
    return ListPage{std::move(version), ""};
  }

  /// Its lists have one page.
  std::optional<std::string_view> continue_token() const override { return ""; }

 private:
  FakeListerWatcher& source_;
  ListSink& sink_;
};

class FakeListerWatcher::Watching final : public WatchCall {
 public:
  Watching(FakeListerWatcher& source, const ListOptions& options, std::uint64_t cuts)
      : source_(source),
        from_(options.resource_version.empty() ? 0 : std::stoull(options.resource_version)),
        sends_state_(options.send_initial_events),
        cuts_(cuts) {}

  WatchPoll poll() override {
    MutexLock lock(source_.mu_);
    WatchPoll found = next();
    if (!std::holds_alternative<WatchPending>(found)) last_byte_ = source_.clock_.now();
    return found;
  }

  Clock::Mono last_byte() const override { return last_byte_; }

 private:
  WatchPoll next() KINF_REQUIRES(source_.mu_) {
    if (!opened_) {
      if (!source_.connected_) return refused();
      if (auto error = source_.watch_failing_.next()) return std::move(*error);
      if (source_.silent_ && !source_.accepting_) return WatchPending{};
      return open();
    }
    if (cuts_ != source_.cuts_ || (sent_ > 0 && source_.close_after_event_)) return WatchClosed{};
    if (source_.silent_) return WatchPending{};
    if (!state_.empty()) return take(state_);
    if (!source_.raw_.empty()) return take(source_.raw_);
    for (const WatchEvent& event : source_.history_) {
      const std::uint64_t version = std::stoull(event.resource_version);
      if (version <= from_) continue;
      from_ = version;
      ++sent_;
      return event;
    }
    return WatchPending{};
  }

  WatchPoll open() KINF_REQUIRES(source_.mu_) {
    opened_ = true;
    if (sends_state_) {
      for (const auto& entry : source_.objects_) {
        state_.push_back(event_of(WatchEventType::added, entry.second));
      }
      from_ = source_.version_;
      WatchEvent mark;
      mark.type = WatchEventType::bookmark;
      mark.resource_version = std::to_string(from_);
      mark.initial_events_end = true;
      if (source_.marks_end_) state_.push_back(std::move(mark));
    } else if (from_ < source_.oldest_) {
      WatchEvent event;
      event.type = WatchEventType::error;
      event.error = expired();
      state_.push_back(std::move(event));
    }
    return WatchOpened{};
  }

  WatchPoll take(std::deque<WatchEvent>& events) {
    WatchEvent event = std::move(events.front());
    events.pop_front();
    ++sent_;
    return event;
  }

  FakeListerWatcher& source_;
  std::uint64_t from_;
  const bool sends_state_;
  const std::uint64_t cuts_;
  bool opened_ = false;
  std::size_t sent_ = 0;
  std::deque<WatchEvent> state_;
  Clock::Mono last_byte_ = Clock::kNever;
};

ObjectPtr FakeListerWatcher::change(WatchEventType type, const std::string& name, bool send) {
  MutexLock lock(mu_);
  ObjectSpec spec;
  spec.name = name;
  spec.rv = std::to_string(++version_);
  const auto known = objects_.find(name);
  const bool keeps_uid = known != objects_.end() && type != WatchEventType::added;
  spec.uid = keeps_uid ? std::string(known->second->uid()) : "uid-" + std::to_string(++uids_);
  ObjectPtr object = make_object(spec);
  if (type == WatchEventType::deleted) {
    objects_.erase(name);
  } else {
    objects_[name] = object;
  }
  if (send) {
    history_.push_back(event_of(type, object));
  } else {
    oldest_ = version_;
  }
  signal_locked();
  return object;
}

ObjectPtr FakeListerWatcher::add(const std::string& name) {
  return change(WatchEventType::added, name, true);
}
ObjectPtr FakeListerWatcher::modify(const std::string& name) {
  return change(WatchEventType::modified, name, true);
}
ObjectPtr FakeListerWatcher::remove(const std::string& name) {
  return change(WatchEventType::deleted, name, true);
}
ObjectPtr FakeListerWatcher::recreate_unseen(const std::string& name) {
  return change(WatchEventType::added, name, false);
}

std::vector<ObjectPtr> FakeListerWatcher::objects() const {
  MutexLock lock(mu_);
  std::vector<ObjectPtr> all;
  for (const auto& entry : objects_) all.push_back(entry.second);
  return all;
}

std::string FakeListerWatcher::version() const {
  MutexLock lock(mu_);
  return std::to_string(version_);
}

void FakeListerWatcher::signal_locked() {
  signalled_ = true;
  changed_.notify_all();
}

void FakeListerWatcher::cut() {
  MutexLock lock(mu_);
  ++cuts_;
  signal_locked();
}

void FakeListerWatcher::expire() {
  MutexLock lock(mu_);
  history_.clear();
  oldest_ = ++version_;
}

void FakeListerWatcher::disconnect() {
  MutexLock lock(mu_);
  connected_ = false;
  ++cuts_;
  signal_locked();
}

void FakeListerWatcher::reconnect() {
  MutexLock lock(mu_);
  connected_ = true;
}

void FakeListerWatcher::list_error(const Error& error, int times) {
  MutexLock lock(mu_);
  list_failing_ = {error, times};
}

void FakeListerWatcher::watch_error(const Error& error, int times) {
  MutexLock lock(mu_);
  watch_failing_ = {error, times};
}

void FakeListerWatcher::send_raw(WatchEvent event) {
  MutexLock lock(mu_);
  raw_.push_back(std::move(event));
  signal_locked();
}

void FakeListerWatcher::close_after_each_event(bool on) {
  MutexLock lock(mu_);
  close_after_event_ = on;
}

void FakeListerWatcher::go_silent(bool on, bool accept) {
  MutexLock lock(mu_);
  silent_ = on;
  accepting_ = accept;
}

void FakeListerWatcher::offer_watch_list(bool mark_its_end) {
  MutexLock lock(mu_);
  watch_list_ = true;
  marks_end_ = mark_its_end;
}

std::vector<AskedRequest> FakeListerWatcher::asked() const {
  MutexLock lock(mu_);
  return asked_;
}

std::size_t FakeListerWatcher::lists() const {
  const std::vector<AskedRequest> all = asked();
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](const auto& one) { return !one.is_watch; }));
}

std::size_t FakeListerWatcher::watches() const { return asked().size() - lists(); }

int FakeListerWatcher::resets() const {
  MutexLock lock(mu_);
  return resets_;
}

std::unique_ptr<ListCall> FakeListerWatcher::list(const ListOptions& options, ListSink& sink) {
  MutexLock lock(mu_);
  asked_.push_back({false, options, clock_.now()});
  return std::make_unique<Listing>(*this, sink);
}

std::unique_ptr<WatchCall> FakeListerWatcher::watch(const ListOptions& options) {
  MutexLock lock(mu_);
  asked_.push_back({true, options, clock_.now()});
  return std::make_unique<Watching>(*this, options, cuts_);
}

void FakeListerWatcher::wait(Clock::Mono deadline, const std::stop_token& stop) {
  MutexLock lock(mu_);
  while (!signalled_ && !stop.stop_requested() && clock_.now() < deadline) {
    clock_.wait_until(changed_, mu_, deadline, stop);
  }
  signalled_ = false;
}

void FakeListerWatcher::wake() {
  MutexLock lock(mu_);
  signal_locked();
}

void FakeListerWatcher::reset_connections() {
  MutexLock lock(mu_);
  ++resets_;
}

bool FakeListerWatcher::supports_watch_list() const {
  MutexLock lock(mu_);
  return watch_list_;
}

}  // namespace kinf::test
