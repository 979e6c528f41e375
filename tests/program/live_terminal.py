# SPDX-License-Identifier: Apache-2.0
"""LiveTerminal: runs `kinf demo --live` on a pseudo-terminal whose screen can be read as text."""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

from screen_model import ScreenModel

TIMEOUT = 30  # seconds; only a failing test waits so long


class LiveTerminal:
    def __init__(self, program, columns, lines, arguments=("demo", "--live"), **variables):
        has_model = variables.get("TERM", "linux") == "linux"
        self.screen = ScreenModel(columns, lines) if has_model else None
        self.received = b""
        environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "TERM": "linux",
                       "LC_ALL": "C.UTF-8", **variables}
        environment.update({k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")})
        self.reader, terminal = pty.openpty()
        self.resize_window(columns, lines)
        self.modes = termios.tcgetattr(terminal)
        self.pid = os.fork()
        if self.pid == 0:
            os.login_tty(terminal)
            os.execve(program, [program, *arguments], environment)
        self.terminal = terminal  # keeps the modes readable after the program has ended

    def resize_window(self, columns, lines):
        fcntl.ioctl(self.reader, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def resize(self, columns, lines):
        self.screen.resize(columns, lines)
        self.resize_window(columns, lines)

    def press(self, keys):
        os.write(self.reader, keys.encode())

    def kill(self, number):
        os.kill(self.pid, number)

    def rows(self):
        return self.screen.rows()

    def text(self):
        return "\n".join(row.rstrip() for row in self.rows())

    def read(self, seconds):
        """Reads what has arrived, or waits for more for at most `seconds`. Returns whether there
        was any."""
        if not select.select([self.reader], [], [], seconds)[0]:
            return False
        piece = os.read(self.reader, 65536)
        self.received += piece
        if self.screen:
            self.screen.feed(piece)
        return True

    def missing(self, texts):
        """Returns the texts that are not on the screen. A text may go on in the next row."""
        shown = " ".join(self.text().split())
        return [text for text in texts if " ".join(text.split()) not in shown]

    def wait_until(self, is_done, describe):
        deadline = time.monotonic() + TIMEOUT
        while not is_done():
            if time.monotonic() > deadline:
                os.kill(self.pid, signal.SIGKILL)
                sys.exit(describe())
            self.read(0.1)

    def wait_for(self, *texts):
        """Waits until the screen contains all texts."""
        self.wait_until(lambda: not self.missing(texts),
                        lambda: f"not on the screen: {self.missing(texts)}\n{self.text()}")

    def wait_for_bytes(self, text):
        self.wait_until(lambda: text in self.received,
                        lambda: f"not received: {text}\n{self.received!r}")

    def end(self):
        """Waits for the end of the program. Returns its exit status, negative for a signal."""
        deadline = time.monotonic() + TIMEOUT
        while True:
            while self.read(0):
                pass
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                os.kill(self.pid, signal.SIGKILL)
            self.read(0.05)
        while self.read(0):
            pass
        self.has_restored_modes = termios.tcgetattr(self.terminal) == self.modes
        os.close(self.terminal)
        os.close(self.reader)
        return os.waitstatus_to_exitcode(status)
