#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of doc/informers.md from what an informer does in `kinf demo --keys`.

usage: draw.py KINF FOLDER [--check]

Writes them into FOLDER. With --check, compares them with those in FOLDER.
"""
import difflib
import pathlib
import sys

import deltas
import exchange
import pipeline

PICTURES = {"informer-pipeline.svg": pipeline.draw, "informer-deltas.svg": deltas.draw,
            "informer-requests.svg": exchange.draw}


def main(program, folder, has_check):
    failed = 0
    for name, draw in PICTURES.items():
        text, path = draw(program), pathlib.Path(folder) / name
        if not has_check:
            path.write_text(text, encoding="utf-8")
            continue
        found = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        lines = list(difflib.unified_diff(found, text.splitlines(), str(path), "drawn now", lineterm=""))
        failed += bool(lines)
        print("\n".join(lines[:40]), end="\n" if lines else "")
    if has_check:
        print(f"{len(PICTURES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], "--check" in sys.argv[3:]))
