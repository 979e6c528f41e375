// SPDX-License-Identifier: Apache-2.0
// A controller: the handler queues the keys of what changed, and a worker brings each object in
// order. A key is worked on once at a time; failed work is done again
// after a growing delay. Ends when the queue is empty.
#include <kinf/kinf.h>

#include <cstdio>

namespace {

/// Does the work for one pod; fails twice for each, to show what happens then.
bool work_on(const std::string& key, const kinf::ObjectPtr& pod, int failures) {
  if (!pod) {
    std::printf("%s: gone\n", key.c_str());
    return true;
  }
  std::printf("%s: attempt %d\n", key.c_str(), failures + 1);
  return failures == 2;
}

}  // namespace

int main() {
  kinf::RealClock clock;
  const auto client = kinf::or_exit(kinf::Client::from_environment(clock));
  kinf::SharedInformer pods(kinf::or_exit(client->source("pods")), clock);
  kinf::RateLimitingQueue queue(clock, kinf::default_controller_limiter(clock));
  kinf::FunctionHandler enqueue([&](const kinf::Change& change) { queue.add(change.key); });
  const auto registration = kinf::or_exit(pods.add_event_handler(enqueue));
  kinf::or_exit(pods.start());
  kinf::or_exit(pods.wait_for_sync(clock.now() + std::chrono::seconds(30)));

  std::size_t undone = pods.indexer().size();
  while (undone > 0) {
    const auto key = queue.get();
    if (!key) break;  // the queue was shut down
    if (work_on(*key, pods.indexer().get_by_key(*key), queue.num_requeues(*key))) {
      queue.forget(*key);
      --undone;
    } else {
      queue.add_rate_limited(*key);
    }
    queue.done(*key);
  }
  queue.shut_down();
}
