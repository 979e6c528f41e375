#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the console blocks of a document and compares their output with the output shown.

usage: documents.py DOCUMENT.md KINF [--update]

A block fenced as ```console holds commands (`$ …`), each followed by its standard output. Each
command runs in its own shell and folder, with the folder of KINF first in PATH and a link `examples`
to the folder of the examples. Seconds in ages may differ, and what the golden tests of the command line
replace (times, ports, lines of the source); everything else must match. In a block fenced as
```console any-order the lines may come in any order. A command that fails while others run is run once more alone. --update writes the actual
output into the document, with the replacements.
"""
import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from cli.run import normalised  # pylint: disable=wrong-import-position

FENCE = re.compile(r"^```console( any-order)?\n(.*?)^```$", re.M | re.S)
AGE = re.compile(r"\b\d{1,2}s\b")
TIMEOUT = 60  # seconds
EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples"


class Command:
    """A command of the document, the output shown below it, and the output printed."""

    def __init__(self, text, is_any_order):
        self.text, self.is_any_order = text, is_any_order
        self.shown = self.printed = self.complaints = ""

    def run(self, kinf):
        path = os.path.dirname(os.path.abspath(kinf)) + os.pathsep + os.environ["PATH"]
        with tempfile.TemporaryDirectory(prefix="kinf-cli.", dir="/tmp") as folder:
            os.symlink(EXAMPLES, os.path.join(folder, "examples"))
            environment = {**os.environ, "PATH": path, "KUBECONFIG": os.devnull, "HOME": folder}
            with subprocess.Popen(["bash", "-c", self.text], env=environment, cwd=folder,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, start_new_session=True) as shell:
                late = ""
                try:
                    out, self.complaints = shell.communicate(timeout=TIMEOUT)
                except subprocess.TimeoutExpired:
                    os.killpg(shell.pid, signal.SIGKILL)  # also what the shell has started
                    out, self.complaints = shell.communicate()
                    late = f"still running after {TIMEOUT} s\n"
        self.printed = normalised(out) + late

    def is_right(self):
        """Compares line by line. Ignores the seconds of ages and the number of spaces."""
        def plain(text):
            lines = [re.sub(r" +", " ", AGE.sub("Ns", line)).rstrip() for line in text.splitlines()]
            return sorted(lines) if self.is_any_order else lines
        return plain(normalised(self.shown)) == plain(self.printed)


def commands(fence):
    """Returns the commands of a block."""
    found = []
    for line in fence[2].splitlines(keepends=True):
        if line.startswith("$ "):
            found.append(Command(line[2:].rstrip("\n"), bool(fence[1])))
        elif found:
            found[-1].shown += line
        else:
            sys.exit(f"output without a command: {line!r}")
    return found


def updated(text, blocks):
    """Returns the document with the actual output of the commands that printed something else."""
    rest = iter(blocks)

    def block(fence):
        body = "".join(f"$ {one.text}\n{one.shown if one.is_right() else one.printed}"
                       for one in next(rest))
        return f"```console{fence[1] or ''}\n{body}```"
    return FENCE.sub(block, text)


def main(document, kinf, update):
    path = pathlib.Path(document)
    text = path.read_text(encoding="utf-8")
    blocks = [commands(fence) for fence in FENCE.finditer(text)]
    every = [command for block in blocks for command in block]
    if not every:
        sys.exit(f"{document}: no console block found")
    with concurrent.futures.ThreadPoolExecutor(max_workers=8) as pool:
        list(pool.map(lambda one: one.run(kinf), every))
    if update:
        path.write_text(updated(text, blocks), encoding="utf-8")
        return 0
    failed = 0
    for one in every:
        if not one.is_right():
            one.run(kinf)
        if not one.is_right():
            failed += 1
            print(f"$ {one.text}\n--- shown\n{one.shown}--- printed\n{one.printed}"
                  f"--- stderr\n{one.complaints}")
    print(f"{len(every) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], "--update" in sys.argv[3:]))
