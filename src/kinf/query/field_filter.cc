// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/field_filter.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "kinf/api/object_field.h"

namespace kinf {
namespace {

std::vector<std::string_view> steps_of(std::string_view field) {
  std::vector<std::string_view> steps;
  for (;;) {
    const std::size_t dot = field.find('.');
    steps.push_back(field.substr(0, dot));
    if (dot == std::string_view::npos) return steps;
    field.remove_prefix(dot + 1);
  }
}

}  // namespace

void FieldFilter::add(FieldRequirement requirement) {
  const MutexLock lock(mu_);
  requirements_.push_back(std::move(requirement));
  is_empty_ = false;
}

bool FieldFilter::matches(const Object& object) const {
  if (is_empty_) return true;
  const MutexLock lock(mu_);
  return std::ranges::all_of(requirements_, [&](const FieldRequirement& requirement) {
    const std::string value = object_field(object, steps_of(requirement.field)).value_or("");
    return (value == requirement.value) == requirement.equal;
  });
}

}  // namespace kinf
