// SPDX-License-Identifier: Apache-2.0
// The only file that includes ncurses. It is compiled alone, because curses.h defines short names.
#include "kinf/screen/screen.h"

#include <fmt/format.h>
#include <langinfo.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <clocale>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string_view>

#include "kinf/base/file_descriptor.h"
#include "kinf/base/log.h"
#include "kinf/base/sync.h"

#define NCURSES_NOMACROS 1
#include <ncurses.h>

namespace kinf {
namespace {

constexpr int kControlZ = 26;
/// How long ncurses waits for the rest of an escape sequence, in milliseconds.
constexpr int kEscapeDelay = 25;

enum ColourPair : short { kAccentPair = 1, kWarningPair = 2 };

ScreenCharacters characters_of_locale() {
  std::setlocale(LC_CTYPE, "");
  return std::string_view(::nl_langinfo(CODESET)) == "UTF-8" ? ScreenCharacters::utf8
                                                             : ScreenCharacters::ascii;
}

attr_t attributes_of(CellStyle style, bool has_colours) {
  // In the order of CellStyle.
  constexpr attr_t kAttributes[] = {A_NORMAL, A_DIM, A_BOLD, A_BOLD, A_BOLD};
  static_assert(std::size(kAttributes) == static_cast<std::size_t>(CellStyle::warning) + 1);
  attr_t result = kAttributes[static_cast<std::size_t>(style)];
  if (has_colours && style == CellStyle::accent) result |= COLOR_PAIR(kAccentPair);
  if (has_colours && style == CellStyle::warning) result |= COLOR_PAIR(kWarningPair);
  return result;
}

}  // namespace

/// Holds log lines back while the screen is open, and writes them when it is closed.
class Screen::HeldLog {
 public:
  HeldLog() {
    log::set_sink([this](std::string_view line) {
      MutexLock lock(mu_);
      if (lines_.size() < kHeldBytes) lines_.append(line).append("\n");
    });
  }
  ~HeldLog() {
    log::set_sink({});
    MutexLock lock(mu_);
    if (!lines_.empty()) log::write_stderr(lines_);
  }
  HeldLog(const HeldLog&) = delete;
  HeldLog& operator=(const HeldLog&) = delete;

 private:
  static constexpr std::size_t kHeldBytes =
      65536;  ///< bytes of log lines to hold; drops further lines
  Mutex mu_;
  std::string lines_ KINF_GUARDED_BY(mu_);
};

struct Screen::Terminal {
  explicit Terminal(SCREEN* opened) : screen(opened) {}
  ~Terminal() {
    ::endwin();
    ::delscreen(screen);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  SCREEN* const screen;
};

/// A descriptor that becomes readable on stop.
class Screen::StopDescriptor {
 public:
  explicit StopDescriptor(const std::stop_token& stop)
      : on_stop_(stop, [this] { stopped_.signal(); }) {}
  int get() const { return stopped_.descriptor(); }

 private:
  const WakeEvent stopped_;
  std::stop_callback<std::function<void()>> on_stop_;
};

Result<std::unique_ptr<Screen>> Screen::open(std::string_view user, bool has_colours,
                                             const std::stop_token& stop) {
  const ScreenCharacters characters = characters_of_locale();
  SCREEN* const screen = ::newterm(nullptr, stdout, stdin);
  std::unique_ptr<Terminal> terminal;
  if (screen != nullptr) terminal = std::make_unique<Terminal>(screen);
  if (!terminal || ::tigetstr("cup") == nullptr) {
    terminal.reset();
    return std::unexpected(
        Error(ErrorKind::usage,
              fmt::format("{} does not know how to place text on this terminal", user))
            .with_hint("set TERM to the type of the terminal, such as xterm-256color"));
  }
  return std::unique_ptr<Screen>(
      new Screen(std::move(terminal), characters, has_colours && ::has_colors(), stop));
}

Screen::Screen(std::unique_ptr<Terminal> terminal, ScreenCharacters characters, bool has_colours,
               const std::stop_token& stop)
    : log_(std::make_unique<HeldLog>()),
      terminal_(std::move(terminal)),
      characters_(characters),
      has_colours_(has_colours),
      stopped_(std::make_unique<StopDescriptor>(stop)) {
  ::raw();  // Ctrl-C is read as a key, not as a signal, so that the terminal is always restored
  ::noecho();
  ::nonl();
  ::keypad(stdscr, true);
  ::nodelay(stdscr, true);
  ::set_escdelay(kEscapeDelay);
  ::curs_set(0);
  if (!has_colours_) return;
  ::start_color();
  ::use_default_colors();
  ::init_pair(kAccentPair, COLOR_GREEN, -1);
  ::init_pair(kWarningPair, COLOR_RED, -1);
}

Screen::~Screen() = default;

std::size_t Screen::columns() const {
  return static_cast<std::size_t>(std::max(::getmaxx(stdscr), 1));
}

std::size_t Screen::lines() const {
  return static_cast<std::size_t>(std::max(::getmaxy(stdscr), 1));
}

void Screen::show(const std::vector<StyledRow>& rows) {
  ::erase();
  for (std::size_t y = 0; y < rows.size(); ++y) {
    ::move(static_cast<int>(y), 0);
    for (const auto& [text, style] : rows[y]) {
      ::attrset(static_cast<int>(attributes_of(style, has_colours_)));
      ::addstr(text.c_str());
    }
  }
  ::refresh();
}

std::optional<int> Screen::wait_key(Clock::Duration patience) {
  std::array<pollfd, 2> waited = {{{STDIN_FILENO, POLLIN, 0}, {stopped_->get(), POLLIN, 0}}};
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(patience).count();
  ::poll(waited.data(), waited.size(), static_cast<int>(std::max<std::int64_t>(milliseconds, 0)));
  if ((waited[1].revents & POLLIN) != 0) return std::nullopt;
  const int key = ::getch();  // does not block; also detects a new size of the terminal
  if (key == ERR) {
    const bool is_closed = (waited[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
    return is_closed ? std::optional(kClosed) : std::nullopt;
  }
  if (key == KEY_RESIZE) return kResized;
  if (key == kControlZ) {
    std::raise(SIGTSTP);  // ncurses restores the terminal and draws again afterwards
    return kResized;
  }
  return key >= 0 && key < 128 ? key : kOther;
}

}  // namespace kinf
