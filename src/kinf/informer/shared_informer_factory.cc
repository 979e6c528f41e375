// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/shared_informer_factory.h"

#include <utility>
#include <vector>

namespace kinf {

SharedInformerFactory::SharedInformerFactory(Clock& clock, InformerOptions options,
                                             InformerObserver* observer)
    : clock_(clock), options_(std::move(options)), observer_(observer) {}

SharedInformerFactory::~SharedInformerFactory() { shutdown(); }

SharedInformer& SharedInformerFactory::informer_for(const InformerIdentity& identity,
                                                    const MakeSource& make_source,
                                                    InformerObserver* observer) {
  MutexLock lock(mu_);
  Entry& entry = entries_[identity];
  if (!entry.informer) {
    InformerOptions options = options_;
    options.seed += entries_.size();  // so that they do not all retry at the same moment
    entry.informer = std::make_unique<SharedInformer>(make_source(), clock_, std::move(options),
                                                      observer != nullptr ? observer : observer_);
  }
  return *entry.informer;
}

SharedInformer* SharedInformerFactory::find(const InformerIdentity& identity) const {
  MutexLock lock(mu_);
  const auto found = entries_.find(identity);
  return found == entries_.end() ? nullptr : found->second.informer.get();
}

void SharedInformerFactory::start(const std::stop_token& stop) {
  MutexLock lock(mu_);
  if (shut_down_) return;
  for (auto& [identity, entry] : entries_) {
    if (!std::exchange(entry.started, true)) entry.informer->start(stop);
  }
}

std::map<InformerIdentity, Result<>> SharedInformerFactory::wait_for_cache_sync(
    Clock::Mono deadline, const std::stop_token& stop) const {
  std::vector<std::pair<InformerIdentity, const SharedInformer*>> started;
  {
    MutexLock lock(mu_);
    for (const auto& [identity, entry] : entries_) {
      if (entry.started) started.emplace_back(identity, entry.informer.get());
    }
  }
  std::map<InformerIdentity, Result<>> answers;
  for (const auto& [identity, informer] : started) {
    answers.emplace(identity, informer->wait_for_sync(deadline, stop));
  }
  return answers;
}

void SharedInformerFactory::shutdown() {
  std::vector<SharedInformer*> informers;
  {
    MutexLock lock(mu_);
    shut_down_ = true;
    for (auto& [identity, entry] : entries_) informers.push_back(entry.informer.get());
  }
  for (SharedInformer* informer : informers) informer->stop();  // a callback may want mu_
}

}  // namespace kinf
