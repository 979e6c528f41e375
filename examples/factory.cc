// SPDX-License-Identifier: Apache-2.0
// Shares informers: the two users of the pods below cause one list and one watch. Prints how many
// objects of two types there are.
#include <kinf/kinf.h>

#include <cstdio>

int main() {
  kinf::RealClock clock;
  const auto client = kinf::or_exit(kinf::Client::from_environment(clock));
  kinf::SharedInformerFactory factory(clock);
  const auto informer_for = [&](const char* type) -> kinf::SharedInformer& {
    return *kinf::or_exit(factory.informer_for(kinf::or_exit(client->source(type))));
  };
  kinf::SharedInformer& pods = informer_for("pods");
  kinf::SharedInformer& same_pods = informer_for("po");
  kinf::SharedInformer& nodes = informer_for("nodes");

  kinf::or_exit(factory.start());
  for (const auto& [type, synced] :
       factory.wait_for_cache_sync(clock.now() + std::chrono::seconds(30))) {
    if (!synced) kinf::exit_with(synced.error());
  }
  std::printf("%zu pods, %zu nodes\n", pods.indexer().size(), nodes.indexer().size());
  std::printf("shared: %s\n", &pods == &same_pods ? "yes" : "no");
  factory.shutdown();
}
