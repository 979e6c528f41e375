// SPDX-License-Identifier: Apache-2.0
// The answers that the tour offers for each question, so that a reader guesses first.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace kinf {

struct Guesses {
  std::string_view stage;
  std::array<std::string_view, 3> texts;
  std::size_t right = 0;  ///< the index of the right one
};

/// Returns null if there are no guesses for this stage.
const Guesses* find_guesses(std::string_view stage);
/// Returns the three texts with their numbers, in one line.
std::string guesses_text(const Guesses& guesses);
/// Returns what the tour says about guess `number` (1 to 3): `Right: 2.` or `No, 2 is right.`
std::string verdict(const Guesses& guesses, std::size_t number);

}  // namespace kinf
