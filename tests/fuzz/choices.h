// SPDX-License-Identifier: Apache-2.0
// Choices: reads decisions from the bytes of an input, from front to back, so that a small change
// of the input is a small change of the run.
#pragma once

#include <cstddef>
#include <string_view>

namespace kinf::fuzz {

/// Threads: one owner.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : rest_(bytes) {}

  bool empty() const { return rest_.empty(); }
  /// Returns a number below `count`, from one byte; 0 at the end of the input.
  std::size_t below(std::size_t count) {
    if (rest_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return byte % count;
  }
  /// Returns the next bytes, up to 63. The byte before them is their number.
  std::string_view text() {
    const std::size_t size = below(64);
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(text.size());
    return text;
  }

 private:
  std::string_view rest_;
};

}  // namespace kinf::fuzz
