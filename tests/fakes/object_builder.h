// SPDX-License-Identifier: Apache-2.0
// make_object: small objects for tests.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "kinf/api/object.h"

namespace kinf::test {

struct ObjectSpec {
  std::string ns = "default";
  std::string name;
  std::string rv;
  std::string uid;
  std::vector<std::pair<std::string, std::string>> labels;
  std::shared_ptr<const TableColumns> columns;  ///< a weak_ptr to it shows when it is freed
};

inline ObjectPtr make_object(const ObjectSpec& spec) {
  const std::string json = fmt::format(
      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}","namespace":"{}"}}}})",
      spec.name, spec.ns);
  ObjectFacts facts;
  facts.api_version = "v1";
  facts.kind = "Pod";
  facts.ns = spec.ns;
  facts.name = spec.name;
  facts.uid = spec.uid;
  facts.resource_version = spec.rv;
  for (const auto& [key, value] : spec.labels) facts.labels.emplace_back(key, value);
  facts.json = json;
  facts.columns = spec.columns;
  return Object::create(facts);
}

/// An object of the namespace `default`.
inline ObjectPtr make_object(const std::string& name, const std::string& rv = "1") {
  ObjectSpec spec;
  spec.name = name;
  spec.rv = rv;
  return make_object(spec);
}

/// The same with one label.
inline ObjectPtr make_labelled(const std::string& name, const std::string& key,
                               const std::string& value, const std::string& rv = "1") {
  ObjectSpec spec;
  spec.name = name;
  spec.rv = rv;
  spec.labels = {{key, value}};
  return make_object(spec);
}

}  // namespace kinf::test
