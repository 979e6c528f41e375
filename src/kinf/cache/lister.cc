// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/store_reader.h"

#include <fmt/format.h>

#include <utility>

#include "kinf/base/quote.h"
#include "kinf/cache/functions.h"

namespace kinf {
namespace {

std::vector<ObjectPtr> matching(std::vector<ObjectPtr> objects, const LabelSelector& selector) {
  if (!selector.empty()) {
    std::erase_if(objects, [&](const ObjectPtr& object) { return !selector.matches(*object); });
  }
  return objects;
}

}  // namespace

Lister::Lister(const StoreReader& store, std::string resource)
    : store_(store), resource_(std::move(resource)) {}

std::vector<ObjectPtr> Lister::list(const LabelSelector& selector) const {
  if (selector.matches_nothing()) return {};
  return matching(store_.list(), selector);
}

std::vector<ObjectPtr> Lister::list(std::string_view ns, const LabelSelector& selector) const {
  if (ns.empty() || selector.matches_nothing()) return list(selector);
  Result<std::vector<ObjectPtr>> indexed = store_.by_index(kNamespaceIndex, ns);
  if (indexed) return matching(std::move(*indexed), selector);
  std::vector<ObjectPtr> objects = list(selector);
  std::erase_if(objects, [&](const ObjectPtr& object) { return object->ns() != ns; });
  return objects;
}

Result<ObjectPtr> Lister::get(std::string_view key) const { return find(key, key); }

Result<ObjectPtr> Lister::get(std::string_view ns, std::string_view name) const {
  return find(fmt::format("{}/{}", ns, name), name);
}

Result<ObjectPtr> Lister::find(std::string_view key, std::string_view name) const {
  ObjectPtr object = store_.get_by_key(key);
  if (!object) return fail(ErrorKind::not_found, "{} {} not found", resource_, quoted(name));
  return object;
}

}  // namespace kinf
