// SPDX-License-Identifier: Apache-2.0
// ObjectFilter: which objects a list or watch request is about: a namespace, a label selector, a
// field selector.
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
  /// 400 for a selector that cannot be read or a field that the type cannot be selected by.
  static ApiResult<ObjectFilter> parse(const ApiType& type, const std::string& ns,
                                       const std::string& label_selector,
                                       const std::string& field_selector);

  bool matches(const StoredObject& object) const;
  /// False if a namespace is all it asks for.
  bool selects() const { return !labels_.empty() || !fields_.empty(); }

 private:
  ObjectFilter(std::string ns, LabelSelector labels, FieldSelector fields)
      : ns_(std::move(ns)), labels_(std::move(labels)), fields_(std::move(fields)) {}

  std::string ns_;
  LabelSelector labels_;
  FieldSelector fields_;
};

}  // namespace kinf::sandbox
