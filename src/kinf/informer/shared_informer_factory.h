// SPDX-License-Identifier: Apache-2.0
// SharedInformerFactory: one informer for all users of the same objects (client-go:
// SharedInformerFactory). For programs that follow several types.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>

#include "kinf/api/group_version_resource.h"
#include "kinf/api/lister_watcher.h"
#include "kinf/base/sync.h"
#include "kinf/informer/shared_informer.h"

namespace kinf {

/// Two requests for an informer get the same one if these are equal.
struct InformerIdentity {
  GroupVersionResource gvr;
  std::string ns;  ///< empty: all namespaces, or a cluster-scoped type
  std::string label_selector;
  std::string field_selector;
  ObjectForm form = ObjectForm::raw;

  friend auto operator<=>(const InformerIdentity&, const InformerIdentity&) = default;
};

/// Threads: every call from any thread. In a callback of an informer, shutdown() only asks the
/// informers to stop; the factory must not be destroyed there.
class SharedInformerFactory {
 public:
  using MakeSource = std::function<Result<std::unique_ptr<ListerWatcher>>()>;

  /// `clock`, and `observer` unless null, outlive the factory; both are used by all informers.
  explicit SharedInformerFactory(Clock& clock, InformerOptions options = {},
                                 InformerObserver* observer = nullptr);
  ~SharedInformerFactory();
  SharedInformerFactory(const SharedInformerFactory&) = delete;
  SharedInformerFactory& operator=(const SharedInformerFactory&) = delete;

  /// The informer of that identity. The first call makes it, from the source that `make_source`
  /// returns; it lives as long as the factory. Fails, and keeps nothing, if `make_source` fails,
  /// throws or returns null. `observer`, unless null, replaces the factory's for a new informer.
  /// `make_source` runs without a lock: of two threads that ask at the same time both may call it,
  /// and one source is dropped.
  [[nodiscard]] Result<SharedInformer*> informer_for(const InformerIdentity& identity,
                                                     const MakeSource& make_source,
                                                     InformerObserver* observer = nullptr);
  /// Null if informer_for() has not made it.
  SharedInformer* find(const InformerIdentity& identity) const;

  /// Starts all informers that have not been started; call it again after informer_for(). Does
  /// nothing after shutdown(). All informers end on `stop`.
  void start(const std::stop_token& stop = {});
  /// Waits until each started informer has synced, with the results of
  /// SharedInformer::wait_for_sync. `deadline` is a time on the clock, not a duration. Informers
  /// that were not started are absent.
  std::map<InformerIdentity, Result<>> wait_for_cache_sync(Clock::Mono deadline,
                                                           const std::stop_token& stop = {}) const;
  /// Stops all informers and waits for their threads. They cannot be started again. Twice is no
  /// error.
  void shutdown();

 private:
  struct Entry {
    std::unique_ptr<SharedInformer> informer;
    bool started = false;
  };

  Clock& clock_;
  const InformerOptions options_;
  InformerObserver* const observer_;

  mutable Mutex mu_;
  bool shut_down_ KINF_GUARDED_BY(mu_) = false;
  std::map<InformerIdentity, Entry> entries_ KINF_GUARDED_BY(mu_);  ///< never shrinks
};

}  // namespace kinf
