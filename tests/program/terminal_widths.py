# SPDX-License-Identifier: Apache-2.0
"""Watches each scenario on a terminal of 80 columns, which is made narrower on the way: tables, diffs
and indices. Fails if a row is wider than the terminal or contains anything but printable text and colours.

  terminal_widths.py PROGRAM
"""
import concurrent.futures
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
COMMANDS = [["watch", "pods"], ["watch", "pods,deployments,replicasets,events"],
            ["watch", "pods,deployments", "-td"], ["watch", "pods", "--diff=yaml"]]
INDEX = ["index", "pods", "--by", "@image", "--by", ".metadata.ownerReferences[*].uid",
         "--by", "@phase", "-w"]
COLOUR = re.compile("\x1b\\[[0-9]+m")
NARROW = 60


def resize(terminal, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))


def lines_of(program, scenario, arguments, events):
    """Yields the lines that the terminal receives, each with the width when it was read."""
    reader, terminal = pty.openpty()
    tty.setraw(terminal)
    resize(terminal, 80)
    environment = {"PATH": f"{pathlib.Path(program).parent}:{os.environ['PATH']}", "TERM": "xterm",
                   "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}
    environment.update({k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")})
    command = [program, "sandbox", "--scenario", scenario, "--speed", "20", "--", program,
               *arguments, "--max-events", str(events), "--timeout", "30s"]
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


def check(program, scenario, arguments, events):
    where = f"{scenario} {arguments}"
    lines = [COLOUR.sub("", line) for line in lines_of(program, scenario, arguments, events)]
    for text in lines:
        assert len(text) <= 80, f"{where}: {len(text)} columns: {text}"
        assert text.isprintable(), f"{where}: {text!r}"
    assert len(lines) >= events, f"{where}: {len(lines)} lines"
    assert len(lines[-1]) <= NARROW, f"{where}: not narrower: {lines[-1]}"


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    runs = [(scenario, arguments, events) for scenario, events in SCENARIOS.items()
            for arguments in COMMANDS] + [("rollout", INDEX, 12)]
    with concurrent.futures.ThreadPoolExecutor(max_workers=8) as pool:
        for done in [pool.submit(check, program, *run) for run in runs]:
            done.result()


main()
