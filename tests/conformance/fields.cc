// SPDX-License-Identifier: Apache-2.0
#include "conformance/fields.h"

#include <fmt/format.h>

namespace kinf::conformance {
namespace {

const Json& object_or_empty(const Json* object, const std::string& what) {
  static const Json empty = Json::object();
  if (object == nullptr || object->is_null()) return empty;
  if (!object->is_object()) throw BadVector(what + " is not an object");
  return *object;
}

}  // namespace

Fields::Fields(const Json* object, std::string what)
    : object_(object_or_empty(object, what)), what_(std::move(what)) {}

bool Fields::has(std::string_view key) const { return object_.contains(key); }

const Json* Fields::find(std::string_view key) {
  const auto found = object_.find(key);
  if (found == object_.end()) return nullptr;
  read_.emplace(key);
  return &*found;
}

const Json& Fields::at(std::string_view key) {
  const Json* found = find(key);
  if (found == nullptr) throw BadVector(fmt::format("{} has no key `{}`", what_, key));
  return *found;
}

std::string Fields::text(std::string_view key) { return at(key).get<std::string>(); }

std::string Fields::text_or(std::string_view key, std::string_view fallback) {
  const Json* found = find(key);
  return found == nullptr ? std::string(fallback) : found->get<std::string>();
}

std::int64_t Fields::integer(std::string_view key) { return at(key).get<std::int64_t>(); }

std::int64_t Fields::integer_or(std::string_view key, std::int64_t fallback) {
  const Json* found = find(key);
  return found == nullptr ? fallback : found->get<std::int64_t>();
}

bool Fields::flag(std::string_view key) { return at(key).get<bool>(); }

bool Fields::flag_or(std::string_view key, bool fallback) {
  const Json* found = find(key);
  return found == nullptr ? fallback : found->get<bool>();
}

void Fields::expect_all_read() const {
  for (const auto& item : object_.items()) {
    if (!read_.contains(item.key())) {
      throw BadVector(fmt::format("{}: unknown key `{}`", what_, item.key()));
    }
  }
}

}  // namespace kinf::conformance
