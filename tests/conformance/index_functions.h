// SPDX-License-Identifier: Apache-2.0
// The index functions of the vectors, which are declared as data.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "conformance/fields.h"
#include "kinf/api/object.h"
#include "kinf/base/error.h"

namespace kinf::conformance {

using IndexValues = std::function<Result<std::vector<std::string>>(const Object&)>;

IndexValues index_function_from(const Json& declaration);
/// A map of name to declaration.
std::map<std::string, IndexValues> index_functions_from(const Json& declarations);

}  // namespace kinf::conformance
