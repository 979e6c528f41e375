// SPDX-License-Identifier: Apache-2.0
#include "sample_pods.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "kinf/api/object_decoder.h"

namespace kinf::bench {
namespace {

constexpr std::array<const char*, 12> kApps = {"catalog", "checkout", "frontend", "payments",
                                               "search",  "ledger",   "mailer",   "ingest",
                                               "auth",    "billing",  "media",    "robusta"};

std::string managed_fields(std::size_t number) {
  std::string entries;
  for (const char* manager : {"kube-controller-manager", "kubelet"}) {
    std::string fields;
    for (int i = 0; i < 34; ++i) {
      fields += fmt::format(R"("f:field-{}":{{"k:{{\"name\":\"{}\"}}":{{}}}},)", i, number % 97);
    }
    fields.pop_back();
    entries += fmt::format(
        R"({{"manager":"{}","operation":"Update","apiVersion":"v1","time":"2026-03-01T10:00:0{}Z",)"
        R"("fieldsType":"FieldsV1","fieldsV1":{{{}}}}},)",
        manager, entries.empty() ? 1 : 2, fields);
  }
  entries.pop_back();
  return entries;
}

std::string containers() {
  std::string list;
  for (int i = 0; i < 4; ++i) {
    list += fmt::format(
        R"({{"name":"c{0}","image":"registry.example.com/team/app:v1.{0}","args":["--port=80{0}0"],)"
        R"("env":[{{"name":"LOG","value":"info"}},{{"name":"AT","value":"a \"quoted\" text"}}],)"
        R"("resources":{{"limits":{{"memory":"512Mi"}},"requests":{{"cpu":"250m"}}}},)"
        R"("livenessProbe":{{"httpGet":{{"path":"/healthz","port":"http"}},"periodSeconds":10}},)"
        R"("terminationMessagePath":"/dev/termination-log","imagePullPolicy":"IfNotPresent"}},)",
        i);
  }
  list.pop_back();
  return list;
}

std::string conditions() {
  std::string list;
  for (const char* type : {"Initialized", "Ready", "ContainersReady", "PodScheduled"}) {
    list += fmt::format(R"({{"type":"{}","status":"True","lastProbeTime":null,)"
                        R"("lastTransitionTime":"2026-03-01T10:00:07Z"}},)",
                        type);
  }
  list.pop_back();
  return list;
}

}  // namespace

std::string pod_json(std::size_t number, std::size_t version) {
  const char* app = kApps[number % kApps.size()];
  const std::string labels = fmt::format(
      R"("app":"{0}","app.kubernetes.io/instance":"{0}-prod","app.kubernetes.io/version":"v1.{1}",)"
      R"("pod-template-hash":"{2:010x}","team":"team-{3}","topology.kubernetes.io/zone":"zone-{4}")",
      app, number % 40, number / 20 * 2654435761u, number % 17, number % 3);
  const std::string metadata =
      fmt::format(R"("name":"{0}-{1:06}-x7k2p","generateName":"{0}-","namespace":"ns-{2:03}",)"
                  R"("uid":"7f2c9a04-55aa-4b1d-9e3f-{1:012x}","resourceVersion":"{3}",)"
                  R"("creationTimestamp":"2026-03-01T10:00:00Z","labels":{{{4}}},)"
                  R"("annotations":{{"checksum/config":"{1:064x}","prometheus.io/scrape":"true"}},)"
                  R"("ownerReferences":[{{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"{0}",)"
                  R"("uid":"0c7d-{1:08x}","controller":true}}],"managedFields":[{5}])",
                  app, number, number % 20, 1'000'000 + version, labels, managed_fields(number));
  return fmt::format(R"({{"metadata":{{{}}},"spec":{{"containers":[{}],"nodeName":"node-{}"}},)"
                     R"("status":{{"phase":"Running","conditions":[{}],"podIP":"10.1.{}.{}"}}}})",
                     metadata, containers(), number % 500, conditions(), number / 250 % 250,
                     number % 250);
}

std::vector<ObjectPtr> decoded_pods(std::size_t count) {
  DecodeOptions options;
  options.api_version = "v1";
  options.kind = "Pod";
  ObjectDecoder decoder(options);
  std::vector<ObjectPtr> pods;
  pods.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    Result<ObjectPtr> pod = decoder.decode(pod_json(i));
    if (!pod) std::abort();
    pods.push_back(std::move(*pod));
  }
  return pods;
}

}  // namespace kinf::bench
