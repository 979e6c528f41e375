// SPDX-License-Identifier: Apache-2.0
// TYPE[,TYPE…] [NAME…] or TYPE/NAME …: which objects a command is about, as typed.
#pragma once

#include <string>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

struct RequestedType {
  std::string type;                ///< `po`, `pods`, `deployments.apps`
  std::vector<std::string> names;  ///< none: all objects of the type

  friend bool operator==(const RequestedType&, const RequestedType&) = default;
};

/// Each type once, in the order of its first mention. Usage errors in kubectl's words.
Result<std::vector<RequestedType>> parse_type_args(const std::vector<std::string>& args);

/// The parts of a list with commas, empty ones left out.
std::vector<std::string> split_commas(std::string_view text);

}  // namespace kinf
