// SPDX-License-Identifier: Apache-2.0
// Texts for tests of compression.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace kinf::test {

/// Returns a text that does not compress well.
inline std::string noise(std::size_t bytes, std::uint32_t seed) {
  std::string text;
  while (text.size() < bytes) {
    seed = seed * 1664525 + 1013904223;
    text += static_cast<char>('!' + (seed >> 16) % 90);
  }
  return text;
}

}  // namespace kinf::test
