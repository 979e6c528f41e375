// SPDX-License-Identifier: Apache-2.0
// PumpedInformer: a SharedInformer without threads, on a fake clock, and its source.
#pragma once

#include <memory>
#include <utility>

#include "fakes/fake_clock.h"
#include "kinf/base/or_exit.h"
#include "kinf/informer/informer_observer.h"
#include "kinf/informer/shared_informer.h"
#include "kinf/testing/fake_source.h"

namespace kinf::test {

/// Returns the options, with the same delays in each run of the tests.
inline InformerOptions repeatable(InformerOptions options) {
  if (!options.seed) options.seed = 1;
  return options;
}

/// `Source`: ManualSource or FakeListerWatcher.
template <class Source>
class PumpedInformer {
 public:
  explicit PumpedInformer(InformerOptions options = {}, InformerObserver* observer = nullptr)
      : source_(std::make_unique<Source>(clock)),
        source(*source_),
        informer(std::move(source_), clock, repeatable(std::move(options)), observer) {}

  /// Runs until there is nothing to do. Returns when there will be.
  Clock::Mono settle() { return testing::settle(informer); }
  void start() {
    or_exit(informer.begin());
    settle();
  }
  /// Advances the clock in steps, so that everything happens when it is due.
  void advance(Clock::Duration by) { testing::advance(informer, clock, by); }

  FakeClock clock;

 private:
  std::unique_ptr<Source> source_;

 public:
  Source& source;
  SharedInformer informer;
};

}  // namespace kinf::test
