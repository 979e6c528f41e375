// SPDX-License-Identifier: Apache-2.0
// RunningInformer: an informer that has listed two objects and watches.
#pragma once

#include <chrono>
#include <utility>

#include "fakes/fake_lister_watcher.h"
#include "fakes/pumped_informer.h"
#include "fakes/recording_handler.h"

namespace kinf::test {

/// Has listed `a` and `b`, and `handler` has been told of them. The watch is old enough not to
/// count as very short.
struct RunningInformer : PumpedInformer<FakeListerWatcher> {
  explicit RunningInformer(InformerOptions options = {}, InformerObserver* observer = nullptr)
      : PumpedInformer(std::move(options), observer) {
    source.add("a");
    source.add("b");
    registration = informer.add_event_handler(handler).value();
    start();
    advance(std::chrono::seconds(2));
    handler.take();
  }

  RecordingHandler handler;
  HandlerRegistration registration;
};

}  // namespace kinf::test
