// SPDX-License-Identifier: Apache-2.0
// Prints values of custom resources, which need no generated types: a type is a name, and a value
// is a JSONPath.   custom_resource [TYPE [PATH]]
#include <kinf/kinf.h>

#include <cstdio>

int main(int argc, char** argv) {
  const std::string type = argc > 1 ? argv[1] : "customresourcedefinitions";
  const std::string path = argc > 2 ? argv[2] : ".spec.versions[*].name";
  kinf::RealClock clock;
  const auto client = kinf::or_exit(kinf::Client::from_environment(clock));
  kinf::SharedInformer informer(kinf::or_exit(client->source(type)), clock);
  kinf::or_exit(informer.start());
  kinf::or_exit(informer.wait_for_sync(clock.now() + std::chrono::seconds(30)));

  for (const kinf::ObjectPtr& object : informer.indexer().list()) {
    std::printf("%s:", object->key().c_str());
    for (const std::string& value : kinf::or_exit(kinf::values(*object, path))) {
      std::printf(" %s", value.c_str());
    }
    std::printf("\n");
  }
}
