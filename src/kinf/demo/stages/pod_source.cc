// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/stages/pod_source.h"

#include <utility>

namespace kinf {

class PodSource::EmptyList final : public ListCall {
 public:
  std::optional<Result<ListPage>> poll() override { return ListPage{"0", ""}; }
};

class PodSource::Watch final : public WatchCall {
 public:
  explicit Watch(PodSource& source) : source_(source) {}
  WatchPoll poll() override {
    if (!std::exchange(opened_, true)) return WatchOpened{};
    MutexLock lock(source_.mu_);
    if (told_ == source_.pods_.size()) return WatchPending{};
    WatchEvent event;
    event.object = source_.pods_[told_++];
    event.resource_version = event.object->resource_version();
    return event;
  }
  Clock::Mono last_byte() const override { return source_.clock_.now(); }

 private:
  PodSource& source_;
  bool opened_ = false;
  std::size_t told_ = 0;
};

void PodSource::add(ObjectPtr pod) {
  MutexLock lock(mu_);
  pods_.push_back(std::move(pod));
  woken_ = true;
  changed_.notify_all();
}

std::unique_ptr<ListCall> PodSource::list(const ListOptions& options, ListSink& sink) {
  (void)options;
  (void)sink;
  return std::make_unique<EmptyList>();
}

std::unique_ptr<WatchCall> PodSource::watch(const ListOptions& options) {
  (void)options;
  return std::make_unique<Watch>(*this);
}

void PodSource::wait(Clock::Mono deadline, const std::stop_token& stop) {
  MutexLock lock(mu_);
  while (!woken_ && !stop.stop_requested() && clock_.now() < deadline) {
    clock_.wait_until(changed_, mu_, deadline, stop);
  }
  woken_ = false;
}

void PodSource::wake() {
  MutexLock lock(mu_);
  woken_ = true;
  changed_.notify_all();
}

}  // namespace kinf
