// SPDX-License-Identifier: Apache-2.0
// HangingHandler: a handler of the stage slow-handler that hangs in its first call.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <latch>
#include <string>
#include <string_view>

#include "kinf/demo/stage.h"

namespace kinf {

/// Threads: the informer's threads call the handler, the main thread the other functions.
class HangingHandler final : public EventHandler {
 public:
  HangingHandler(Demo& demo, std::string_view name) : demo_(demo), name_(name) {}
  /// Prints the change, and returns after open().
  void on_add(const Change& change) override {
    on_update(change);
    opened_.wait();
  }
  void on_update(const Change& change) override {
    const std::string merged = change.folded == 0 ? "" : fmt::format(" ({} merged)", change.folded);
    demo_.print(fmt::format("{}: version {} -> {}{}", name_,
                            change.old ? change.old->resource_version() : "none",
                            change.object->resource_version(), merged));
    last_ = std::stoi(std::string(change.object->resource_version()));
    demo_.on_idle();
  }
  void on_delete(const Change& change) override { (void)change; }
  /// Call it once.
  void open() { opened_.count_down(); }
  /// Returns the last version that the handler has received; 0: none.
  int last() const { return last_; }

 private:
  Demo& demo_;
  const std::string_view name_;
  std::latch opened_{1};
  std::atomic<int> last_ = 0;
};

}  // namespace kinf
