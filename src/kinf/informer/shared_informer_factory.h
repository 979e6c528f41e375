// SPDX-License-Identifier: Apache-2.0
// SharedInformerFactory: creates informers and shares them between users of the same objects
// (client-go: SharedInformerFactory). For programs that watch several types.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>

#include "kinf/api/lister_watcher.h"
#include "kinf/base/sync.h"
#include "kinf/informer/shared_informer.h"

namespace [[gnu::visibility("default")]] kinf {

/// Threads: call every function from any thread. Inside a callback of an informer, shutdown() only
/// asks the informers to stop. Do not destroy the factory inside a callback.
class SharedInformerFactory {
 public:
  using MakeSource = std::function<Result<std::unique_ptr<ListerWatcher>>()>;

  /// `observer` (may be null) must outlive the factory, and `clock` too unless it is a RealClock.
  /// All informers use `clock`. They use `observer` unless informer_for() gets another one.
  explicit SharedInformerFactory(Clock& clock, InformerOptions options = {},
                                 InformerObserver* observer = nullptr);
  ~SharedInformerFactory();
  SharedInformerFactory(const SharedInformerFactory&) = delete;
  SharedInformerFactory& operator=(const SharedInformerFactory&) = delete;

  /// Returns the informer for `identity`, which lives as long as the factory unless release()
  /// removes it. The first call creates the informer from the source that `make_source` returns,
  /// and fails if `make_source` fails, throws or returns null, or with kind `usage` if the source
  /// has another identity. Fails with kind `stopped` after shutdown(). If `observer` is not null, a
  /// new informer uses it instead of the factory's observer. `make_source` runs without a lock, so
  /// two threads may call it for the same identity. One of the two sources is then discarded.
  [[nodiscard]] Result<SharedInformer*> informer_for(const InformerIdentity& identity,
                                                     const MakeSource& make_source,
                                                     InformerObserver* observer = nullptr);
  /// Returns the informer for the identity of `source`: says once what to list. If there is one,
  /// the source is discarded, which has opened no connection yet. Fails with kind `usage` if the
  /// source does not know its identity.
  [[nodiscard]] Result<SharedInformer*> informer_for(std::unique_ptr<ListerWatcher> source,
                                                     InformerObserver* observer = nullptr);
  /// Returns the informer for `identity`, or null if informer_for() has not created it.
  SharedInformer* find(const InformerIdentity& identity) const;

  /// Removes the informer from the factory, stops it, waits for its threads and returns it. The
  /// next informer_for() creates another one. Returns null if there is no such informer. Do not
  /// call it while wait_for_cache_sync() runs.
  std::unique_ptr<SharedInformer> release(const InformerIdentity& identity);

  /// Starts all informers that are not started yet. Call it again after informer_for(). Does
  /// nothing after shutdown(). The started informers stop on `stop`. Fails like
  /// SharedInformer::start() if one of them cannot be started; the others are started.
  Result<void> start(const std::stop_token& stop = {});
  /// Calls SharedInformer::wait_for_sync for each started informer and returns the results.
  /// `deadline` is a point in time, not a duration. Informers that are not started are not in the
  /// result.
  std::map<InformerIdentity, Result<void>> wait_for_cache_sync(
      Clock::Mono deadline, const std::stop_token& stop = {}) const;
  /// Stops all informers and waits for their threads. They cannot be started again. Further calls
  /// do nothing.
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
  std::map<InformerIdentity, Entry> entries_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
