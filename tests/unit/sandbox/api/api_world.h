// SPDX-License-Identifier: Apache-2.0
// ApiWorld: the Kubernetes API over an empty store and a clock that stands still, without sockets.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "fakes/fake_clock.h"
#include "kinf/sandbox/api/router.h"

namespace kinf::sandbox {

struct ApiWorld {
  explicit ApiWorld(Router::Options options = {}, std::size_t window = 4096)
      : store(clock, window), router(store, types, objects, clock, faults, std::move(options)) {
    REQUIRE(objects.load(named("v1", "Namespace", "default")).has_value());
  }

  static Json named(const char* api_version, const char* kind, const std::string& name,
                    const Json& members = Json::object()) {
    Json object = {{"kind", kind}, {"apiVersion", api_version}, {"metadata", {{"name", name}}}};
    for (const auto& [key, value] : members.items()) {
      if (key == "metadata") {
        object[key].update(value);
      } else {
        object[key] = value;
      }
    }
    return object;
  }

  /// A target is a path with a query, not escaped.
  static HttpRequest request(const std::string& method, const std::string& target,
                             const std::string& body = "") {
    HttpRequest result;
    result.method = method;
    const std::size_t mark = target.find('?');
    result.path = target.substr(0, mark);
    std::string query = mark == std::string::npos ? "" : target.substr(mark + 1);
    while (!query.empty()) {
      const std::string part = query.substr(0, query.find('&'));
      query.erase(0, part.size() + 1);
      const std::size_t equals = part.find('=');
      result.query[part.substr(0, equals)] =
          equals == std::string::npos ? "" : part.substr(equals + 1);
    }
    result.body = body;
    if (method == "PATCH") result.content_type = "application/merge-patch+json";
    return result;
  }

  HttpResponse send(const std::string& method, const std::string& target,
                    const std::string& body = "", const std::string& accept = "") {
    HttpRequest sent = request(method, target, body);
    sent.accept = accept;
    return router.handle(sent);
  }
  /// The code of the response, a blank, and the reason or the message of a Status.
  std::string outcome(const std::string& method, const std::string& target,
                      const std::string& body = "") {
    const HttpResponse response = send(method, target, body);
    const Json json = parse_json(response.body).value_or(Json());
    const std::string reason = text(field(json, "reason"));
    return std::to_string(response.code) + (reason.empty() ? "" : " " + reason);
  }
  Json get(const std::string& target) {
    const HttpResponse response = send("GET", target);
    CHECK(response.code == 200);
    return parse_json(response.body).value_or(Json());
  }
  /// Stores an object as it is.
  StoredPtr add(const char* api_version, const char* kind, const std::string& name,
                const Json& members = Json::object()) {
    const ApiResult<StoredPtr> stored = objects.load(named(api_version, kind, name, members));
    REQUIRE(stored.has_value());
    return *stored;
  }
  const ApiType& type(const char* api_version, const char* kind) const {
    const ApiTypePtr found = types.find_kind(api_version, kind);
    REQUIRE(found != nullptr);
    return *found;
  }
  /// The names of the items of a list document.
  static std::vector<std::string> names_in(const Json& list) {
    std::vector<std::string> names;
    for (const Json& item : elements(field(list, "items"))) {
      names.push_back(text(field(item, "metadata", "name")));
    }
    return names;
  }

  test::FakeClock clock;
  ApiTypes types;
  ResourceStore store;
  ObjectService objects{store, types, clock, 1};
  FaultInjector faults;
  Router router;
};

/// A CustomResourceDefinition of the type widgets.example.com with one version, v1.
inline Json widget_definition() {
  return *parse_json(R"({
    "kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1",
    "metadata":{"name":"widgets.example.com"},
    "spec":{"group":"example.com","scope":"Namespaced",
      "names":{"plural":"widgets","singular":"widget","kind":"Widget","shortNames":["wd"],
               "categories":["toys"]},
      "versions":[
        {"name":"v1","served":true,"storage":true,
         "subresources":{"status":{},"scale":{"specReplicasPath":".spec.count",
                                             "statusReplicasPath":".status.count",
                                             "labelSelectorPath":".status.selector"}},
         "selectableFields":[{"jsonPath":".spec.colour"}],
         "additionalPrinterColumns":[
           {"name":"Colour","type":"string","jsonPath":".spec.colour"},
           {"name":"Count","type":"integer","jsonPath":".spec.count","priority":1},
           {"name":"Bright","type":"boolean","jsonPath":".spec.bright"},
           {"name":"Since","type":"date","jsonPath":".metadata.creationTimestamp"}],
         "schema":{"openAPIV3Schema":{"type":"object","description":"a widget"}}},
        {"name":"v2","served":false,"storage":false}]}})");
}

}  // namespace kinf::sandbox
