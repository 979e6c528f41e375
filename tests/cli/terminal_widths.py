# SPDX-License-Identifier: Apache-2.0
"""Watches each scenario on a terminal of 80 columns, which is made narrower on the way. Fails if a
row is wider than the terminal or contains anything but printable text and colours.

  terminal_widths.py PROGRAM
"""
import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import termios
import tty

SCENARIOS = {"nettool": 9, "rollout": 18, "crashloop": 14, "churn:objects=5:rate=50": 60}
COLOUR = re.compile("\x1b\\[[0-9]+m")
NARROW = 60


def resize(terminal, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))


def lines_of(program, scenario, types, events):
    """Yields the lines that the terminal receives, each with the width when it was read."""
    reader, terminal = pty.openpty()
    tty.setraw(terminal)
    resize(terminal, 80)
    environment = {"PATH": f"{pathlib.Path(program).parent}:{os.environ['PATH']}", "TERM": "xterm",
                   "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}
    environment.update({k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")})
    command = [program, "sandbox", "--scenario", scenario, "--speed", "20", "--", program, "watch",
               types, "--max-events", str(events), "--timeout", "30s"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=terminal,
                          stderr=subprocess.PIPE, env=environment):
        os.close(terminal)
        rest = b""
        while True:
            try:
                piece = os.read(reader, 65536)
            except OSError:  # EIO: closed
                break
            if not piece:
                break
            *lines, rest = (rest + piece).split(b"\n")
            yield from (line.decode() for line in lines)
            resize(reader, NARROW)
    os.close(reader)


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    for scenario, events in SCENARIOS.items():
        for types in ["pods", "pods,deployments,replicasets,events"]:
            seen = 0
            for line in lines_of(program, scenario, types, events):
                text = COLOUR.sub("", line)
                seen += 1
                assert len(text) <= 80, f"{scenario}: {len(text)} columns: {text}"
                assert text.isprintable(), f"{scenario}: {text!r}"
                assert seen < events or len(text) <= NARROW, f"{scenario}: not narrower: {text}"
            assert seen >= events, f"{scenario}: {seen} lines"


main()
