// SPDX-License-Identifier: Apache-2.0
// Screen: the terminal as rows of cells, keys and a size. Only this folder uses ncurses. It does
// not depend on what its callers show.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/screen/canvas.h"

namespace kinf {

/// Threads: one thread. At most one object exists at a time.
class Screen {
 public:
  /// Takes over the terminal on stdin and stdout, and holds log lines back. Fails with kind `usage`
  /// if the terminal is unknown or cannot place text. The message begins with `user`, the name of
  /// the caller.
  static Result<std::unique_ptr<Screen>> open(std::string_view user, bool has_colours,
                                              const std::stop_token& stop);
  /// Restores the terminal, then writes the log lines that were held back.
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  // The size of the terminal, which may change at any time.
  std::size_t columns() const;
  std::size_t lines() const;
  /// Returns the characters that the locale allows.
  ScreenCharacters characters() const { return characters_; }

  void show(const std::vector<StyledRow>& rows);

  /// The keys that wait_key() returns besides ASCII characters.
  static constexpr int kControlC = 3;
  static constexpr int kResized = -1;  ///< the size has changed
  static constexpr int kOther = -2;    ///< a key without a character
  static constexpr int kClosed = -3;   ///< the terminal is gone
  /// Waits for a key, at most for `patience`. Returns nullopt after that time, and at once on stop.
  std::optional<int> wait_key(Clock::Duration patience);

 private:
  class HeldLog;
  class StopDescriptor;
  struct Terminal;

  Screen(std::unique_ptr<Terminal> terminal, ScreenCharacters characters, bool has_colours,
         const std::stop_token& stop);

  const std::unique_ptr<HeldLog> log_;
  const std::unique_ptr<Terminal> terminal_;
  const ScreenCharacters characters_;
  const bool has_colours_;
  const std::unique_ptr<StopDescriptor> stopped_;
};

}  // namespace kinf
