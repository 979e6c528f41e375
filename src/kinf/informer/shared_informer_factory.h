// SPDX-License-Identifier: Apache-2.0
// SharedInformerFactory: one informer for all who want the same objects (client-go:
// SharedInformerFactory). For programs that follow several types.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>

#include "kinf/api/group_version_resource.h"
#include "kinf/informer/shared_informer.h"

namespace kinf {

/// What makes two informers the same.
struct InformerIdentity {
  GroupVersionResource gvr;
  std::string ns;  ///< empty: all namespaces, or a type without them
  std::string label_selector;
  std::string field_selector;
  ObjectForm form = ObjectForm::raw;

  friend auto operator<=>(const InformerIdentity&, const InformerIdentity&) = default;
};

/// Threads: every call from any thread, but shutdown() and the destructor not from a handler.
class SharedInformerFactory {
 public:
  using MakeSource = std::function<std::unique_ptr<ListerWatcher>()>;

  /// `clock`, and `observer` unless null, outlive the factory; both serve all its informers.
  explicit SharedInformerFactory(Clock& clock, InformerOptions options = {},
                                 InformerObserver* observer = nullptr);
  ~SharedInformerFactory();
  SharedInformerFactory(const SharedInformerFactory&) = delete;
  SharedInformerFactory& operator=(const SharedInformerFactory&) = delete;

  /// The informer of that identity; made, and `make_source` called, only the first time. It lives
  /// as long as the factory. `observer`, unless null, serves it in place of the factory's.
  SharedInformer& informer_for(const InformerIdentity& identity, const MakeSource& make_source,
                               InformerObserver* observer = nullptr);
  /// Null if nobody has asked for it.
  SharedInformer* find(const InformerIdentity& identity) const;

  /// Starts all informers that are not started; again after more have been asked for. Does nothing
  /// after shutdown(). All end on `stop`.
  void start(const std::stop_token& stop = {});
  /// Waits until each started informer has synced; the answers as of
  /// SharedInformer::wait_for_sync. Informers that were not started are absent.
  std::map<InformerIdentity, Result<>> wait_for_cache_sync(Clock::Mono deadline,
                                                           const std::stop_token& stop = {}) const;
  /// Ends all informers and waits for their threads. For good; twice is no error.
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
