# SPDX-License-Identifier: Apache-2.0
"""Recordings of terminals, as asciicast v3 files: a header, then one event per line.

An event is [seconds since the one before, code, text]. The codes are "o" for output, "m" for a
marker, and "x" for the exit status.
"""
import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import termios
import threading
import time


class Cast:
    """Events with their times since the start, on a terminal of some columns."""

    def __init__(self, columns, command, events):
        self.columns, self.command, self.events = columns, command, events

    @staticmethod
    def read(path):
        head, *lines = path.read_text(encoding="utf-8").splitlines()
        header, now, events = json.loads(head), 0.0, []
        for interval, code, text in map(json.loads, lines):
            now += interval
            events.append((now, code, text))
        return Cast(header["term"]["cols"], header["command"], events)

    def write(self, path):
        lines, last = [{"version": 3, "term": {"cols": self.columns, "rows": 24},
                        "command": self.command}], 0.0
        for now, code, text in self.events:
            lines.append([round(now - last, 3), code, text])
            last = now
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


class Recorder:
    """Runs a command on a terminal and records it."""

    def __init__(self, words, command, columns, environment, start=None):
        self._start = time.monotonic() if start is None else start
        self._cast = Cast(columns, command, [])
        self._reader, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=terminal,
                                        stderr=terminal, env=environment, start_new_session=True)
        os.close(terminal)
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _add(self, code, text):
        self._cast.events.append((time.monotonic() - self._start, code, text))

    def mark(self, text):
        self._add("m", text)

    def _read(self):
        while True:
            select.select([self._reader], [], [])
            try:
                data = os.read(self._reader, 65536)
            except OSError:  # the command has closed the terminal
                break
            self._add("o", data.decode(errors="replace"))
        self._add("x", str(self.process.wait()))

    def output(self):
        return "".join(text for _, code, text in list(self._cast.events) if code == "o")

    def finish(self):
        """Waits for the end of the command. Returns the recording."""
        self._thread.join()
        os.close(self._reader)
        return self._cast
