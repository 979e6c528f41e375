// SPDX-License-Identifier: Apache-2.0
// Verdict: the first broken promise of a run, and the trace of what happened.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "kinf/base/clock.h"

namespace kinf::sim {

class Verdict {
 public:
  Verdict(const Clock& clock, bool traces) : clock_(clock), traces_(traces) {}

  /// Records a broken promise: `name` says which one, `text` what happened. Later ones are ignored:
  /// they usually follow from the first.
  template <class... Args>
  void expect(bool holds, std::string_view name, fmt::format_string<Args...> format,
              Args&&... args) {
    if (holds || broken_) return;
    broken_ = fmt::format("{}: {}", name, fmt::format(format, std::forward<Args>(args)...));
    trace("BROKEN {}", *broken_);
  }
  bool holds() const { return !broken_; }
  const std::optional<std::string>& broken() const { return broken_; }

  /// Adds a line with the virtual time in milliseconds.
  template <class... Args>
  void trace(fmt::format_string<Args...> format, Args&&... args) {
    if (!traces_) return;
    const auto now =
        std::chrono::duration_cast<std::chrono::milliseconds>(clock_.now().time_since_epoch());
    trace_ +=
        fmt::format("{:>9} {}\n", now.count(), fmt::format(format, std::forward<Args>(args)...));
  }
  const std::string& text() const { return trace_; }

 private:
  const Clock& clock_;
  const bool traces_;
  std::optional<std::string> broken_;
  std::string trace_;
};

}  // namespace kinf::sim
