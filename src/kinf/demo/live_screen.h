// SPDX-License-Identifier: Apache-2.0
// LiveScreen: the terminal while `kinf demo --live` draws on it, through ncurses.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/demo/picture_canvas.h"

namespace kinf {

/// Threads: one. At most one object exists at a time.
class LiveScreen {
 public:
  /// Takes over the terminal on stdin and stdout. Fails with kind `usage` if the terminal is not
  /// known or cannot place text.
  static Result<std::unique_ptr<LiveScreen>> open(bool has_colours, const std::stop_token& stop);
  /// Restores the terminal.
  ~LiveScreen();
  LiveScreen(const LiveScreen&) = delete;
  LiveScreen& operator=(const LiveScreen&) = delete;

  // The size may change at any time.
  std::size_t columns() const;
  std::size_t lines() const;
  /// Returns the characters that the locale allows.
  PictureCharacters characters() const { return characters_; }

  void show(const std::vector<StyledRow>& rows);

  /// The keys that wait_key() returns beside ASCII characters.
  static constexpr int kControlC = 3;
  static constexpr int kResized = -1;  ///< the size has changed
  static constexpr int kOther = -2;    ///< a key without a character
  static constexpr int kClosed = -3;   ///< the terminal is gone
  /// Waits for a key, at most for `patience`. Returns nullopt after that, and at once on stop.
  std::optional<int> wait_key(Clock::Duration patience);

 private:
  class StopDescriptor;
  struct Terminal;

  LiveScreen(std::unique_ptr<Terminal> terminal, PictureCharacters characters, bool has_colours,
             const std::stop_token& stop);

  const std::unique_ptr<Terminal> terminal_;
  const PictureCharacters characters_;
  const bool has_colours_;
  const std::unique_ptr<StopDescriptor> stopped_;
};

}  // namespace kinf
