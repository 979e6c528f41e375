#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of doc/informers.md from what an informer does in `kinf demo --keys`, and
those of the README from recorded terminals (see record.py).

usage: draw.py KINF FOLDER [--check]

Writes them into FOLDER. With --check, compares them with those in FOLDER, and the recordings
with runs of today.
"""
import difflib
import pathlib
import subprocess
import sys

import deltas
import exchange
import pipeline
import restart
import rollout

def diagram(program):
    """Returns the diagram of a controller, as `kinf demo` draws it."""
    return subprocess.run([program, "demo", "controller", "--screen", "svg", "--keys", "  "],
                          capture_output=True, text=True, check=True).stdout


PICTURES = {"informer-diagram.svg": diagram, "informer-pipeline.svg": pipeline.draw,
            "informer-deltas.svg": deltas.draw,
            "informer-requests.svg": exchange.draw, "rollout.svg": rollout.draw,
            "restart.svg": restart.draw}
RECORDED = {"rollout.svg": rollout, "restart.svg": restart}
LARGEST = 60_000  # bytes of a picture


def compared(path, text):
    """Returns the differences between a picture in a file and one drawn now."""
    found = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return list(difflib.unified_diff(found, text.splitlines(), str(path), "drawn now", lineterm=""))


def check(program, folder):
    failed = 0
    for name, draw in PICTURES.items():
        text = draw(program)
        lines = compared(folder / name, text)
        if len(text) > LARGEST or "<script" in text:
            lines.append(f"{name}: {len(text)} bytes; it must be small, and without a script")
        if name in RECORDED:
            lines += RECORDED[name].differences(program)
        failed += bool(lines)
        print("\n".join(lines[:40]), end="\n" if lines else "")
    print(f"{len(PICTURES) - failed} passed, {failed} failed")
    return 1 if failed else 0


def main(program, folder, has_check):
    if has_check:
        return check(program, folder)
    for name, draw in PICTURES.items():
        (folder / name).write_text(draw(program), encoding="utf-8")
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2]), "--check" in sys.argv[3:]))
