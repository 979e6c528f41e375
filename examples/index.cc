// SPDX-License-Identifier: Apache-2.0
// Answers queries from an index: the pods of each node, without a request per query.
#include <kinf/kinf.h>

#include <cstdio>

int main() {
  kinf::RealClock clock;
  const auto client = kinf::or_exit(kinf::Client::from_environment(clock));
  kinf::InformerOptions options;
  options.indexers = {{"node", kinf::or_exit(kinf::index_function(".spec.nodeName"))},
                      {"app", kinf::or_exit(kinf::index_function("app"))}};
  kinf::SharedInformer pods(kinf::or_exit(client->source("pods")), clock, options);
  kinf::or_exit(pods.start());
  kinf::or_exit(pods.wait_for_sync(clock.now() + std::chrono::seconds(30)));

  const kinf::StoreReader& cache = pods.indexer();
  for (const std::string& node : cache.list_index_func_values("node")) {
    std::printf("%s:\n", node.c_str());
    for (const std::string& key : kinf::or_exit(cache.index_keys("node", node))) {
      std::printf("  %s\n", key.c_str());
    }
  }
}
