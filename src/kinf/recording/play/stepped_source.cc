// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/play/stepped_source.h"

#include <utility>

#include "kinf/base/ascii.h"

namespace kinf {

class SteppedSource::List final : public ListCall {
 public:
  List(SteppedSource& source, ListSink& sink) : source_(source), sink_(sink) {}
  std::optional<Result<ListPage>> poll() override {
    if (!source_.is_listed_) return std::nullopt;
    source_.list_ready_ = false;
    for (ObjectPtr& object : source_.objects()) sink_.item(std::move(object));
    return ListPage{source_.version_, ""};
  }

 private:
  SteppedSource& source_;
  ListSink& sink_;
};

class SteppedSource::Watch final : public WatchCall {
 public:
  explicit Watch(SteppedSource& source) : source_(source) {}
  WatchPoll poll() override {
    if (!std::exchange(is_open_, true)) return WatchOpened{};
    if (source_.pending_.empty()) return WatchPending{};
    WatchEvent event = std::move(source_.pending_.front());
    source_.pending_.pop_front();
    return event;
  }
  Clock::Mono last_byte() const override { return source_.clock_.now(); }

 private:
  SteppedSource& source_;
  bool is_open_ = false;
};

std::unique_ptr<ListCall> SteppedSource::list(const ListOptions& /*options*/, ListSink& sink) {
  return std::make_unique<List>(*this, sink);
}

std::unique_ptr<WatchCall> SteppedSource::watch(const ListOptions& /*options*/) {
  return std::make_unique<Watch>(*this);
}

void SteppedSource::wait(Clock::Mono deadline, const std::stop_token& stop) {
  MutexLock lock(mu_);
  while (!woken_ && !stop.stop_requested() && clock_.now() < deadline) {
    clock_.wait_until(changed_, mu_, deadline, stop);
  }
  woken_ = false;
}

void SteppedSource::wake() {
  MutexLock lock(mu_);
  woken_ = true;
  changed_.notify_all();
}

void SteppedSource::set_listed() {
  is_listed_ = true;
  list_ready_ = true;
}

void SteppedSource::relist() {
  WatchEvent event;
  event.type = WatchEventType::error;
  event.error = Error(ErrorKind::expired, "a list follows");
  pending_.push_back(std::move(event));
  list_ready_ = true;
}

void SteppedSource::push(WatchEventType type, ObjectPtr object) {
  WatchEvent event;
  event.type = type;
  event.resource_version = object->resource_version();
  event.object = std::move(object);
  pending_.push_back(std::move(event));
}

void SteppedSource::note_version(std::string_view version) {
  if (version.empty()) return;
  const auto now = parse_number<std::uint64_t>(version_);
  const auto next = parse_number<std::uint64_t>(version);
  if (!now || !next || *next > *now) version_ = version;
}

}  // namespace kinf
