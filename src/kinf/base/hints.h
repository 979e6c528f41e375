// SPDX-License-Identifier: Apache-2.0
// The words of hints that the program kinf and a program of the library have in common. The user of
// kinf has flags; the developer of another program has functions and options.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

namespace kinf {

/// Whether hints may name flags and commands of kinf: set by kinf when it starts.
inline std::atomic<bool> hints_name_flags{false};

/// Returns the hint that suits the program. `of_library` may be empty: no hint.
/// Threads: any.
inline std::string hint_for(std::string_view of_kinf, std::string_view of_library) {
  return std::string(hints_name_flags.load(std::memory_order_relaxed) ? of_kinf : of_library);
}

}  // namespace kinf
