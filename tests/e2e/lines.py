# SPDX-License-Identifier: Apache-2.0
"""Waits, with a deadline, for lines from a program or a server."""
import threading
import time


class Failure(Exception):
    """A test case failed. The text says what was expected and what happened."""


class Lines:
    """The lines a reader thread has read so far, with their arrival times."""

    def __init__(self, name, source):
        self.name = name
        self._changed = threading.Condition()
        self._lines = []
        self._times = []
        self._ended = False
        threading.Thread(target=self._read, args=(source,), daemon=True).start()

    def _read(self, source):
        try:
            for line in source:
                with self._changed:
                    self._lines.append(line.decode().rstrip("\n"))
                    self._times.append(time.monotonic())
                    self._changed.notify_all()
        except (OSError, ValueError, AttributeError):
            pass  # closed while reading: also the end
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def all(self):
        with self._changed:
            return list(self._lines)

    def time_of(self, index):
        with self._changed:
            return self._times[index]

    def wait_until(self, holds, what, seconds=20):
        """Waits until holds(all lines) and returns those lines."""
        deadline = time.monotonic() + seconds
        with self._changed:
            while not holds(self._lines):
                left = deadline - time.monotonic()
                if left <= 0 or self._ended:
                    why = "it ended" if self._ended else f"{seconds} s passed"
                    tail = "\n    ".join(self._lines[-12:])
                    raise Failure(f"{self.name}: {why} before {what}; last lines:\n    {tail}")
                self._changed.wait(left)
            return list(self._lines)

    def wait_for(self, text, seconds=20):
        return self.wait_until(lambda lines: any(text in line for line in lines), repr(text), seconds)

    def wait_count(self, count, seconds=20):
        return self.wait_until(lambda lines: len(lines) >= count, f"{count} lines", seconds)

    def wait_end(self, seconds=20):
        with self._changed:
            if not self._changed.wait_for(lambda: self._ended, seconds):
                raise Failure(f"{self.name}: still open after {seconds} s")
