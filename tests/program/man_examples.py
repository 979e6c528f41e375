#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the examples of the man pages.

usage: man_examples.py FOLDER KINF [WORDS]

FOLDER has the pages; with WORDS, only the examples that contain them run. They see two sandboxes,
the contexts prod and stage, with the objects of man_cluster.yaml; a recording of a rollout,
incident.kinf; and the files that man_cluster.py makes. An example must end with 0 and print something,
unless a comment before it says something else:

  .\\" until interrupted   prints a line, and ends with 130 after Ctrl-C
  .\\" on standard error   prints that line there
  .\\" prints nothing
  .\\" exit N
  .\\" zsh, .\\" fish      a line of this shell; skipped without it
  .\\" needs PROGRAM       skipped without it

Several are separated by semicolons. A block after `.\\" file NAME` is a file for the examples of
its page. No result depends on how fast a program is.
"""
import concurrent.futures
import fcntl
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

from man_cluster import Cluster

TIMEOUT = 120  # seconds; generous, for slow machines
INTERRUPTED = 130
SECTION = re.compile(r"^\.SH EXAMPLES\n(.*?)(?=^\.SH |\Z)", re.M | re.S)
ENTRY = re.compile(r'^(?:\.\\" (?P<notes>.*)\n)?\.TP\n\.B (?P<command>.*)\n', re.M)
FILE = re.compile(r'^\.\\" file (\S+)\n\.EX\n(.*?)^\.EE$', re.M | re.S)
ESCAPES = {r"\-": "-", r"\(aq": "'", r"\(dq": '"', r"\e": "\\"}


def plain(roff):
    """Returns the text as a reader copies it. Fails for characters that roff changes."""
    bare = re.sub(r"\\\(aq|\\\(dq|\\[-e]", "", roff)
    assert not re.search(r"['`^~\\-]", bare), f"escape -, ' and \\ in: {roff}"
    return re.sub(r"\\\(aq|\\\(dq|\\[-e]", lambda found: ESCAPES[found[0]], roff)


def examples(page):
    text = page.read_text(encoding="utf-8")
    files = {found[1]: plain(found[2]) for found in FILE.finditer(text)}
    section = SECTION.search(text)
    if not section:
        return []
    return [Example(page.name, plain(found["command"]), (found["notes"] or "").split("; "), files)
            for found in ENTRY.finditer(section[1])]


class Example:
    """A command in the section EXAMPLES of a man page, and what it must do."""

    def __init__(self, page, command, notes, files):
        self.page, self.command, self.files = page, command, files
        self.is_endless = "until interrupted" in notes
        self.is_on_stderr = "on standard error" in notes
        self.is_silent = "prints nothing" in notes
        self.shell = next((note for note in notes if note in ("zsh", "fish")), "bash")
        self.status = INTERRUPTED if self.is_endless else 0
        self.programs = []
        for note in notes:
            if note.startswith("exit "):
                self.status = int(note[5:])
            if note.startswith("needs "):
                self.programs.append(note[6:])

    def needs(self):
        return [self.shell, *self.programs]

    def run(self, cluster):
        """Returns what is wrong, or nothing."""
        with tempfile.TemporaryDirectory(prefix="kinf-man.", dir="/tmp") as folder:
            cluster.provide_files(folder)
            for name, text in self.files.items():
                pathlib.Path(folder, name).write_text(text, encoding="utf-8")
            text = cluster.with_times(self.command)
            prefix = "set -o pipefail; " if self.shell == "bash" else ""
            run = self.interrupt if self.is_endless else self.finish
            status, out, complaints = run([self.shell, "-c", prefix + text],
                                          {"env": cluster.environment(folder), "cwd": folder})
        if status < 0:  # a shell ends itself with the signal that ended its last command
            status = 128 - status
        if status == self.status and bool(out.strip()) != self.is_silent:
            return ""
        wrong = f"exit {status} instead of {self.status}"
        if status == self.status:
            wrong = "prints something" if self.is_silent else "prints nothing"
        return (f"{wrong}\n--- stdout\n{out[:2000]}\n--- stderr\n"
                f"{complaints}")

    def finish(self, words, options):
        with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, start_new_session=True,
                              **options) as shell:
            try:
                out, complaints = shell.communicate(timeout=TIMEOUT)
            except subprocess.TimeoutExpired:
                os.killpg(shell.pid, signal.SIGKILL)
                out, complaints = shell.communicate()
                complaints += f"still running after {TIMEOUT} s\n"
        return shell.returncode, out, complaints

    def interrupt(self, words, options):
        """Runs it with a terminal for its output, and presses Ctrl-C after its first line."""
        reader, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 200, 0, 0))
        with tempfile.TemporaryFile("w+") as complaints, subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=terminal, start_new_session=True,
                stderr=terminal if self.is_on_stderr else complaints, **options) as shell:
            os.close(terminal)
            out = read_until(reader, "\n")
            os.killpg(shell.pid, signal.SIGINT)
            out += read_until(reader, None)
            try:
                shell.wait(TIMEOUT)
            except subprocess.TimeoutExpired:
                os.killpg(shell.pid, signal.SIGKILL)
            complaints.seek(0)
            return shell.wait(), out, complaints.read()


def read_until(reader, end):
    """Reads from a terminal until `end` has come, its programs have ended, or the time is up."""
    text, until = "", time.monotonic() + TIMEOUT
    while end is None or end not in text:
        ready, _, _ = select.select([reader], [], [], max(0, until - time.monotonic()))
        if not ready:
            return text
        try:
            text += os.read(reader, 65536).decode(errors="replace")
        except OSError:  # no program has the terminal open
            return text
    return text


def main(folder, kinf, words):
    pages = sorted(pathlib.Path(folder).glob("kinf*.[17]"))
    every = [one for page in pages for one in examples(page) if words in one.command]
    if not every:
        sys.exit(f"{folder}: no example found")
    runnable = [one for one in every if all(shutil.which(name) for name in one.needs())]
    with Cluster(kinf) as cluster, concurrent.futures.ThreadPoolExecutor(max_workers=6) as pool:
        wrong = list(pool.map(lambda one: one.run(cluster), runnable))
    for one, reason in zip(runnable, wrong):
        if reason:
            print(f"{one.page}: {one.command}\n{reason}")
    for one in every:
        if one not in runnable:
            print(f"skipped without {' '.join(one.needs())}: {one.command}")
    failed = sum(map(bool, wrong))
    print(f"{len(runnable) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], "".join(sys.argv[3:])))
