#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the console blocks of the README and compares their output with the output shown.

usage: run.py README.md KINF [--update]

A block fenced as ```console holds commands (`$ …`), each followed by its standard output. Each
command runs in its own shell, with the folder of KINF first in PATH. Seconds in ages may differ;
everything else must match. In a block fenced as ```console any-order the lines may come in any
order. --update writes the actual output into the README.
"""
import os
import re
import subprocess
import sys

FENCE = re.compile(r"^```console( any-order)?\n(.*?)^```$", re.M | re.S)
AGE = re.compile(r"\b\d{1,2}s\b")


def commands(block):
    """Returns pairs of a command and the output shown below it."""
    found = []
    for line in block.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append([line[2:].rstrip("\n"), ""])
        elif found:
            found[-1][1] += line
        else:
            sys.exit(f"README: output without a command: {line!r}")
    return found


def same(shown, printed, any_order):
    """Compares line by line. Ignores the seconds of ages and the number of spaces."""
    def plain(text):
        lines = [re.sub(r" +", " ", AGE.sub("Ns", line)).rstrip() for line in text.splitlines()]
        return sorted(lines) if any_order else lines
    return plain(shown) == plain(printed)


def run(command, kinf):
    path = os.path.dirname(os.path.abspath(kinf)) + os.pathsep + os.environ["PATH"]
    environment = {**os.environ, "PATH": path, "KUBECONFIG": os.devnull}
    done = subprocess.run(["bash", "-c", command], env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=60)
    return done.stdout, done.stderr


def main(readme, kinf, update):
    with open(readme, encoding="utf-8") as file:
        text = file.read()
    passed, failed = 0, 0
    for any_order, block in FENCE.findall(text):
        renewed = ""
        for command, shown in commands(block):
            printed, complaints = run(command, kinf)
            renewed += f"$ {command}\n{printed}"
            if same(shown, printed, any_order):
                passed += 1
                continue
            failed += 1
            print(f"$ {command}\n--- shown\n{shown}--- printed\n{printed}--- stderr\n{complaints}")
        if update:
            text = text.replace(block, renewed)
    if update:
        with open(readme, "w", encoding="utf-8") as file:
            file.write(text)
    if passed + failed == 0:
        sys.exit("README: no console block found")
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 or update else 1


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], "--update" in sys.argv[3:]))
