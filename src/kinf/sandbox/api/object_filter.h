// SPDX-License-Identifier: Apache-2.0
// ObjectFilter: selects the objects of a list or watch by namespace, label selector and field
// selector.
#pragma once

#include <string>

#include "kinf/api/field_selector.h"
#include "kinf/api/label_selector.h"
#include "kinf/sandbox/api/api_errors.h"
#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/store/resource_store.h"

namespace kinf::sandbox {

/// Threads: immutable; every call from any thread.
class ObjectFilter {
 public:
  /// 400 for a selector that cannot be parsed or a field that the type does not support.
  static ApiResult<ObjectFilter> parse(const ApiType& type, const std::string& ns,
                                       const std::string& label_selector,
                                       const std::string& field_selector);

  bool matches(const StoredObject& object) const;
  /// Returns false if there is no selector, only a namespace.
  bool selects() const { return !labels_.empty() || !fields_.empty(); }

 private:
  ObjectFilter(std::string ns, LabelSelector labels, FieldSelector fields)
      : ns_(std::move(ns)), labels_(std::move(labels)), fields_(std::move(fields)) {}

  std::string ns_;
  LabelSelector labels_;
  FieldSelector fields_;
};

}  // namespace kinf::sandbox
