// SPDX-License-Identifier: Apache-2.0
// Prints what happens to the pods of the cluster until one of them is deleted.
#include <kinf/kinf.h>

#include <cstdio>

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // print each line at once, also into a pipe
  kinf::RealClock clock;
  const auto client = kinf::or_exit(kinf::Client::from_environment(clock));
  kinf::SharedInformer pods(kinf::or_exit(client->source("pods")), clock);

  std::stop_source over;
  kinf::FunctionHandler printer({
      .on_add = [](auto& change) { std::printf("added %s\n", change.key.c_str()); },
      .on_update = [](auto& change) { std::printf("updated %s\n", change.key.c_str()); },
      .on_delete = [&](auto&) { over.request_stop(); },
  });
  const auto registration = kinf::or_exit(pods.add_event_handler(printer));
  kinf::or_exit(pods.run(over.get_token()));
  std::printf("deleted; %zu pods are left\n", pods.indexer().size());
}
