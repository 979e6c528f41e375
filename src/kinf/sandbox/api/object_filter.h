// SPDX-License-Identifier: Apache-2.0
// ObjectFilter: selects the objects of a list or watch by namespace, label selector and field
// selector.
#pragma once

#include <string>

#include "kinf/api/selectors.h"
#include "kinf/sandbox/api/api_errors.h"
#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/store/resource_store.h"

namespace kinf::sandbox {

/// Returns whether the labels of the object match.
bool selects(const LabelSelector& selector, const Json& object);

/// Immutable. Threads: all functions may be called from any thread.
class ObjectFilter {
 public:
  /// Fails with 400 if a selector cannot be parsed or the type does not support a field. An empty
  /// `ns` selects all namespaces.
  static ApiResult<ObjectFilter> parse(const ApiType& type, const std::string& ns,
                                       const std::string& label_selector,
                                       const std::string& field_selector);

  bool matches(const StoredObject& object) const;
  /// Returns whether there is a label or field selector.
  bool selects() const { return !labels_.empty() || !fields_.empty(); }

 private:
  ObjectFilter(const ApiType& type, std::string ns, LabelSelector labels, FieldSelector fields)
      : type_(type.built_in),
        ns_(std::move(ns)),
        labels_(std::move(labels)),
        fields_(std::move(fields)) {}

  const BuiltInType* type_;  ///< null for custom types
  std::string ns_;
  LabelSelector labels_;
  FieldSelector fields_;
};

}  // namespace kinf::sandbox
