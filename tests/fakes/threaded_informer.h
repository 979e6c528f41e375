// SPDX-License-Identifier: Apache-2.0
// Threaded: an informer that runs on its own threads, with a fake source and a fake clock.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "fakes/fake_clock.h"
#include "fakes/fake_lister_watcher.h"
#include "kinf/informer/shared_informer.h"

namespace kinf::test {

struct Threaded {
  explicit Threaded(InformerOptions options = {}, InformerObserver* observer = nullptr) {
    if (!options.seed) options.seed = 1;  // the same delays in each run
    auto owned = std::make_unique<FakeListerWatcher>(clock);
    source = owned.get();
    informer.emplace(std::move(owned), clock, std::move(options), observer);
  }

  FakeClock clock;
  FakeListerWatcher* source = nullptr;
  std::optional<SharedInformer> informer;
};

}  // namespace kinf::test
