// SPDX-License-Identifier: Apache-2.0
// FakeSource: stands for an API server in the tests of a program. Holds the objects that a test
// puts into it and sends each change to the informer; fails when the test says so. It has no
// selectors, pages or streaming lists.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "kinf/api/lister_watcher.h"
#include "kinf/base/error.h"
#include "kinf/informer/shared_informer.h"
#include "kinf/testing/fake_clock.h"

namespace [[gnu::visibility("default")]] kinf {
namespace testing {

/// A watch gets the changes since its version: at most the last 10,000. Resource versions are 1, 2,
/// 3, ….
/// Threads: call every function from any thread.
class FakeSource final : public ListerWatcher {
 public:
  /// `clock` must outlive the source. `description` is used in messages.
  explicit FakeSource(Clock& clock, std::string description = "objects");
  ~FakeSource() override;

  /// Adds an object, or replaces the one with its namespace and name. `json` is its document;
  /// metadata.name is required. Sets metadata.resourceVersion, and metadata.uid if there is none.
  /// Returns the object. Errors: usage.
  Result<ObjectPtr> put(std::string_view json);
  /// Removes the object with the key `namespace/name` or `name`. Returns false if there is none.
  bool remove(std::string_view key);

  /// Closes the watch. From now on, each request fails with `error`, until recover().
  void fail(Error error);
  void recover();
  /// Closes the watch and forgets all changes: the next watch fails with 410, and the informer
  /// lists again.
  void expire();

  /// Return how many requests the informer has made.
  std::size_t lists() const;
  std::size_t watches() const;

  // For the informer.
  std::unique_ptr<ListCall> list(const ListOptions& options, ListSink& sink) override;
  std::unique_ptr<WatchCall> watch(const ListOptions& options) override;
  void wait(Clock::Mono deadline, const std::stop_token& stop) override;
  void wake() override;
  bool supports_watch_list() const override { return false; }
  std::string description() const override;

 private:
  struct World;
  class Listing;
  class Watching;

  std::shared_ptr<World> world_;  ///< shared with the running requests
};

/// Steps an informer, after its begin(), until it has nothing more to do. Returns when it will
/// have.
inline Clock::Mono settle(SharedInformer& informer) {
  StepResult result = informer.step();
  while (result.moved) result = informer.step();
  return result.wake;
}

/// Advances `clock`, the clock of the informer, by `by`. Settles the informer each time when it has
/// something to do, so that resyncs and retries happen at their time.
inline void advance(SharedInformer& informer, FakeClock& clock, Clock::Duration by) {
  const Clock::Mono end = clock.now() + by;
  while (clock.now() < end) {
    const Clock::Mono next = settle(informer);
    clock.advance((next < end ? next : end) - clock.now());
  }
  settle(informer);
}

}  // namespace testing
}  // namespace kinf
