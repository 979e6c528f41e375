// SPDX-License-Identifier: Apache-2.0
// Prints what happens to the pods of $KUBECONFIG's cluster until one of them is deleted.
#include <kinf/kinf.h>

#include <cstdio>
#include <cstdlib>

struct Printer : kinf::EventHandler {
  void on_add(const kinf::Change& change) override { print("ADDED", change.key); }
  void on_update(const kinf::Change& change) override { print("MODIFIED", change.key); }
  void on_delete(const kinf::Change& change) override {
    print("DELETED", change.key);
    over.request_stop();
  }
  static void print(const char* what, const std::string& key) {
    std::printf("%s %s\n", what, key.c_str());
  }
  std::stop_source over;
};

kinf::Result<> follow_pods(kinf::Clock& clock) {
  kinf::ConfigEnvironment environment;
  if (const char* kubeconfig = std::getenv("KUBECONFIG")) environment.kubeconfig = kubeconfig;
  const auto config = kinf::choose_client_config(environment, {});
  if (!config) return std::unexpected(config.error());
  const auto credentials = kinf::CredentialSource::create(*config, {}, clock);
  if (!credentials) return std::unexpected(credentials.error());
  const kinf::HttpSource pods{.type = {.gvr = {"", "v1", "pods"}, .kind = "Pod"}};
  auto source = kinf::HttpListerWatcher::create(*config, {}, credentials->get(), pods, clock);
  if (!source) return std::unexpected(source.error());

  kinf::SharedInformer informer(*std::move(source), clock);
  Printer printer;
  const auto registration = informer.add_event_handler(printer);
  if (!registration) return std::unexpected(registration.error());
  informer.run(printer.over.get_token());
  std::printf("%zu pods are left\n", informer.indexer().size());
  return {};
}

int main() {
  kinf::RealClock clock;
  const kinf::Result<> done = follow_pods(clock);
  if (!done) std::fprintf(stderr, "error: %s\n", done.error().message.c_str());
  return done ? 0 : 1;
}
