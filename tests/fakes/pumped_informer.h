// SPDX-License-Identifier: Apache-2.0
// PumpedInformer: a SharedInformer without threads, on a fake clock, and its source.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "fakes/fake_clock.h"
#include "kinf/informer/informer_observer.h"
#include "kinf/informer/shared_informer.h"

namespace kinf::test {

/// `Source`: ManualSource or FakeListerWatcher.
template <class Source>
class PumpedInformer {
 public:
  explicit PumpedInformer(InformerOptions options = {}, InformerObserver* observer = nullptr)
      : source_(std::make_unique<Source>(clock)),
        source(*source_),
        informer(std::move(source_), clock, std::move(options), observer) {}

  /// Runs until there is nothing to do. Returns when there will be.
  Clock::Mono settle() {
    StepResult result = informer.step();
    while (result.moved) result = informer.step();
    return result.wake;
  }
  void start() {
    informer.begin();
    settle();
  }
  /// Advances the clock in steps, so that everything happens when it is due.
  void advance(Clock::Duration by) {
    const Clock::Mono end = clock.now() + by;
    while (clock.now() < end) clock.advance(std::min(settle(), end) - clock.now());
    settle();
  }

  FakeClock clock;

 private:
  std::unique_ptr<Source> source_;

 public:
  Source& source;
  SharedInformer informer;
};

}  // namespace kinf::test
