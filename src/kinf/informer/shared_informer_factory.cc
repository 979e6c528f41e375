// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/shared_informer_factory.h"

#include <exception>
#include <utility>
#include <vector>

namespace kinf {
namespace {

/// Calls `make` and converts exceptions and a null source to errors.
Result<std::unique_ptr<ListerWatcher>> called(const SharedInformerFactory::MakeSource& make) {
  try {
    Result<std::unique_ptr<ListerWatcher>> source = make();
    if (source && !*source) return fail(ErrorKind::usage, "make_source returned null");
    return source;
  } catch (const std::exception& thrown) {
    return fail(ErrorKind::internal, thrown.what());
  } catch (...) {
    return fail(ErrorKind::internal, "make_source threw an exception of unknown type");
  }
}

}  // namespace

SharedInformerFactory::SharedInformerFactory(Clock& clock, InformerOptions options,
                                             InformerObserver* observer)
    : clock_(clock), options_(std::move(options)), observer_(observer) {}

SharedInformerFactory::~SharedInformerFactory() { shutdown(); }

Result<SharedInformer*> SharedInformerFactory::informer_for(const InformerIdentity& identity,
                                                            const MakeSource& make_source,
                                                            InformerObserver* observer) {
  if (SharedInformer* present = find(identity)) return present;
  Result<std::unique_ptr<ListerWatcher>> source = called(make_source);
  if (!source) {
    return fail(std::move(source).error().within("create a source for " + identity.gvr.resource));
  }
  MutexLock lock(mu_);
  Entry& entry = entries_[identity];
  if (!entry.informer) {
    InformerOptions options = options_;
    options.seed += entries_.size();  // so that the informers do not all retry at the same moment
    entry.informer = std::make_unique<SharedInformer>(
        *std::move(source), clock_, std::move(options), observer != nullptr ? observer : observer_);
  }
  return entry.informer.get();
}

SharedInformer* SharedInformerFactory::find(const InformerIdentity& identity) const {
  MutexLock lock(mu_);
  const auto found = entries_.find(identity);
  return found == entries_.end() ? nullptr : found->second.informer.get();
}

std::unique_ptr<SharedInformer> SharedInformerFactory::release(const InformerIdentity& identity) {
  std::unique_ptr<SharedInformer> informer;
  {
    MutexLock lock(mu_);
    const auto found = entries_.find(identity);
    if (found == entries_.end()) return nullptr;
    informer = std::move(found->second.informer);
    entries_.erase(found);
  }
  if (informer) informer->stop();  // without mu_, because a callback may need it
  return informer;
}

void SharedInformerFactory::start(const std::stop_token& stop) {
  MutexLock lock(mu_);
  if (shut_down_) return;
  for (auto& [identity, entry] : entries_) {
    if (!std::exchange(entry.started, true)) entry.informer->start(stop);
  }
}

std::map<InformerIdentity, Result<void>> SharedInformerFactory::wait_for_cache_sync(
    Clock::Mono deadline, const std::stop_token& stop) const {
  std::vector<std::pair<InformerIdentity, const SharedInformer*>> started;
  {
    MutexLock lock(mu_);
    for (const auto& [identity, entry] : entries_) {
      if (entry.started) started.emplace_back(identity, entry.informer.get());
    }
  }
  std::map<InformerIdentity, Result<void>> answers;
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
  // Without mu_, because a callback may need it.
  for (SharedInformer* informer : informers) informer->stop();
}

}  // namespace kinf
