// SPDX-License-Identifier: Apache-2.0
// TypeCheck: finds out what the user may do with one type, by sending requests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kinf/base/error.h"

namespace kinf {

class Connection;
struct ResourceType;

struct TypeCheck {
  bool can_list = false;
  bool can_watch = false;
  bool can_stream = false;  ///< the server sends the initial list as a watch
  bool has_table = false;   ///< the server computes the columns of the type
  std::int64_t objects = 0;
  std::int64_t bytes = 0;    ///< memory that a cache of the objects would take
  bool is_estimate = false;  ///< `bytes` is computed from the first objects
  /// Why a list or watch fails, with a hint.
  std::optional<Error> problem;

  /// Sends a list request for 20 objects and up to two watch requests, and closes the watches at
  /// once. `ns` is empty for all namespaces. Blocks on requests.
  static Result<TypeCheck> run(Connection& connection, const ResourceType& type,
                               const std::string& ns);

  /// Returns a line: `list yes   watch yes   streaming list yes   table yes   1,204 objects,
  /// about 4.1 MB cached`.
  std::string text() const;
};

}  // namespace kinf
