// SPDX-License-Identifier: Apache-2.0
// Errors of the command line, in kubectl's wording where kubectl has the same error.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

/// Returns an error whose hint names the help of `command` (empty: of kinf itself).
std::unexpected<Error> usage(std::string message, std::string_view command);

/// Returns the candidate that `word` most likely means, or an empty string if none is close.
/// Ignores case.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// Returns the error for a word that is not a command. The hint may name a similar command or
/// alias.
std::unexpected<Error> unknown_command(std::string_view word,
                                       const std::vector<std::string>& aliases = {});

/// Returns the error for a flag such as `--frob` or a group of short flags such as `-xn`, whose
/// first flag is unknown. The hint may name a similar flag of `command`.
std::unexpected<Error> unknown_flag(std::string_view flag, std::string_view command);

/// A possible conflict between flags, and its error message.
struct Conflict {
  bool exists = false;
  std::string message;
};

/// Returns the error of the first conflict that exists, if any.
Result<void> first_conflict(std::string_view command, const std::vector<Conflict>& conflicts);

/// Turns an error in `result` into a usage error that refers to the help of `command`.
template <class Value>
Result<Value> as_usage(Result<Value> result, std::string_view command) {
  if (!result) return usage(result.error().message, command);
  return result;
}

}  // namespace kinf
