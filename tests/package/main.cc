// SPDX-License-Identifier: Apache-2.0
// Prints what happens to the pods of $KUBECONFIG's cluster until one of them is deleted.
#include <kinf/client/config_choice.h>
#include <kinf/client/credentials.h>
#include <kinf/client/http_lister_watcher.h>
#include <kinf/informer/shared_informer.h>

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

int main() {
  kinf::RealClock clock;
  kinf::ConfigEnvironment environment;
  environment.kubeconfig = std::getenv("KUBECONFIG");
  const auto config = kinf::choose_client_config(environment, {}).value();
  const auto credentials = kinf::CredentialSource::create(config, {}, clock).value();
  const kinf::HttpSource pods{.type = {.gvr = {"", "v1", "pods"}, .kind = "Pod"}};
  kinf::SharedInformer informer(
      kinf::HttpListerWatcher::create(config, {}, credentials.get(), pods, clock).value(), clock);
  Printer printer;
  const auto registration = informer.add_event_handler(printer).value();
  informer.run(printer.over.get_token());
  std::printf("%zu pods are left\n", informer.indexer().size());
}
