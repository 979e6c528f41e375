// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/functions.h"

#include <exception>

namespace kinf {
namespace {

/// Calls a user's function. Returns an Error if it throws.
template <class Function, class... Args>
auto call(const Function& function, Args&&... args) -> decltype(function(args...)) {
  try {
    return function(std::forward<Args>(args)...);
  } catch (const std::exception& thrown) {
    return fail(ErrorKind::internal, thrown.what());
  } catch (...) {
    return fail(ErrorKind::internal, "an exception of unknown type");
  }
}

}  // namespace

Result<std::string> key_of(const KeyFunction& function, const Object& object) {
  if (!function) return object.key();
  Result<std::string> key = call(function, object);
  if (!key) {
    return fail(std::move(key).error().within("couldn't create key for object " + object.key()));
  }
  return key;
}

Result<std::vector<std::string>> index_values(const IndexFunction& function, const Object& object) {
  return call(function, object);
}

Result<ObjectPtr> transformed(const Transform& function, ObjectPtr object) {
  if (!function) return object;
  Result<ObjectPtr> result = call(function, object);
  if (result && !*result) return fail(ErrorKind::internal, "the transform returned no object");
  return result;
}

Result<std::vector<std::string>> namespace_index_function(const Object& object) {
  return std::vector<std::string>{std::string(object.ns())};
}

}  // namespace kinf
