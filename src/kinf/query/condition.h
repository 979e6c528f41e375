// SPDX-License-Identifier: Apache-2.0
// Condition: one condition on an object, in the grammar of `kubectl wait --for`, and `jq=`.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "kinf/api/object.h"
#include "kinf/query/jq.h"
#include "kinf/query/jsonpath.h"

namespace kinf {

/// `create`, `delete`, `condition=TYPE[=VALUE]` (VALUE: true), `jsonpath=PATH[=VALUE]` (without
/// VALUE: PATH has a value) or `jq=EXPRESSION`. Like kubectl's, a condition of the status does not
/// hold while its observedGeneration is older than the object. Threads: any.
class Condition {
 public:
  enum class Form { create, deletion, status, jsonpath, jq };

  /// Returns nullopt if `text` has none of the forms. Fails with kind `usage` for a form with a
  /// wrong path or expression.
  static Result<std::optional<Condition>> parse(std::string_view text);

  /// Returns whether the condition holds. `object` is null if the object does not exist: then only
  /// `delete` holds. Fails with kind `protocol` if the object has several values at a path, or if
  /// jq fails; with kind `stopped` on `stop`.
  Result<bool> holds(const Object* object, const std::stop_token& stop) const;
  Form form() const { return form_; }

 private:
  explicit Condition(Form form) : form_(form) {}
  bool has_status(const Object& object) const;
  Result<bool> has_value(const Object& object) const;

  Form form_;
  std::string type_;                  ///< status
  std::optional<std::string> value_;  ///< status, jsonpath; nullopt: any value
  std::optional<JsonPath> path_;
  std::shared_ptr<Jq> program_;
};

}  // namespace kinf
