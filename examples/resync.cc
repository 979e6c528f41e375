// SPDX-License-Identifier: Apache-2.0
// Two handlers of one informer, with two resync periods. A resync hands each cached object to the
// handler again, without a request: a second chance for work that failed. Ends after 4.5 seconds.
#include <kinf/kinf.h>

#include <cstdio>

namespace {

/// Prints each resync of a handler.
kinf::FunctionHandler reminder(const char* name) {
  return kinf::FunctionHandler({.on_update = [name](auto& change) {
    if (change.type == kinf::ChangeType::resync) std::printf("%s: %s\n", name, change.key.c_str());
  }});
}

}  // namespace

int main() {
  kinf::RealClock clock;
  const auto client = kinf::or_exit(kinf::Client::from_environment(clock));
  kinf::SharedInformer nodes(kinf::or_exit(client->source("nodes")), clock);
  kinf::FunctionHandler often = reminder("every second");
  kinf::FunctionHandler seldom = reminder("every two seconds");
  const auto first =
      kinf::or_exit(nodes.add_event_handler(often, {.resync = std::chrono::seconds(1)}));
  const auto second =
      kinf::or_exit(nodes.add_event_handler(seldom, {.resync = std::chrono::seconds(2)}));
  kinf::or_exit(nodes.start());
  kinf::or_exit(nodes.wait_for_sync(clock.now() + std::chrono::seconds(30)));
  kinf::sleep_until(clock, clock.now() + std::chrono::milliseconds(4500), {});
}
