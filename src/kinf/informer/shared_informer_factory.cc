// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/shared_informer_factory.h"

#include <fmt/format.h>

#include <exception>
#include <optional>
#include <string>
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

std::string text_of(const InformerIdentity& identity) {
  return fmt::format(
      "{} in namespace \"{}\" with labels \"{}\", fields \"{}\", form {}, variant \"{}\"",
      identity.gvr.group_resource(), identity.ns, identity.label_selector, identity.field_selector,
      identity.form == ObjectForm::raw ? "raw" : "metadata", identity.variant);
}

/// Returns `source`, or an error if it lists something else than `wanted`.
Result<std::unique_ptr<ListerWatcher>> checked(std::unique_ptr<ListerWatcher> source,
                                               const InformerIdentity& wanted) {
  const std::optional<InformerIdentity> actual = source->identity();
  if (!actual || *actual == wanted) return source;
  return fail(ErrorKind::usage, "the source lists {}, but the identity is {}", text_of(*actual),
              text_of(wanted))
      .with_hint("pass the source alone to informer_for(), which takes its identity");
}

Error has_ended() { return {ErrorKind::stopped, "the factory of informers was shut down"}; }

}  // namespace

SharedInformerFactory::SharedInformerFactory(Clock& clock, InformerOptions options,
                                             InformerObserver* observer)
    : clock_(lasting_clock(clock)), options_(std::move(options)), observer_(observer) {}

SharedInformerFactory::~SharedInformerFactory() { shutdown(); }

Result<SharedInformer*> SharedInformerFactory::informer_for(const InformerIdentity& identity,
                                                            const MakeSource& make_source,
                                                            InformerObserver* observer) {
  {
    MutexLock lock(mu_);
    if (shut_down_) return fail(has_ended());
    const auto found = entries_.find(identity);
    if (found != entries_.end()) return found->second.informer.get();
  }
  Result<std::unique_ptr<ListerWatcher>> source = called(make_source);
  if (source) source = checked(*std::move(source), identity);
  if (!source) {
    return fail(std::move(source).error().within("create a source for " + identity.gvr.resource));
  }
  MutexLock lock(mu_);
  if (shut_down_) return fail(has_ended());
  Entry& entry = entries_[identity];
  if (!entry.informer) {
    InformerOptions options = options_;
    // A different seed for each informer, so that they do not all retry at the same moment.
    if (options.seed) *options.seed += entries_.size();
    entry.informer = std::make_unique<SharedInformer>(
        *std::move(source), clock_, std::move(options), observer != nullptr ? observer : observer_);
  }
  return entry.informer.get();
}

Result<SharedInformer*> SharedInformerFactory::informer_for(std::unique_ptr<ListerWatcher> source,
                                                            InformerObserver* observer) {
  const std::optional<InformerIdentity> identity = source->identity();
  if (!identity) {
    return fail(ErrorKind::usage, "the source of {} does not know its identity",
                source->description())
        .with_hint("override ListerWatcher::identity(), or pass the identity to informer_for()");
  }
  return informer_for(*identity, [&source] { return std::move(source); }, observer);
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

Result<void> SharedInformerFactory::start(const std::stop_token& stop) {
  Result<void> result;
  MutexLock lock(mu_);
  if (shut_down_) return result;
  for (auto& [identity, entry] : entries_) {
    if (std::exchange(entry.started, true)) continue;
    Result<void> started = entry.informer->start(stop);
    const bool failed = !started && started.error().kind != ErrorKind::stopped;
    if (failed && result) result = std::move(started);
  }
  return result;
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
