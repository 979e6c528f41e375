# SPDX-License-Identifier: Apache-2.0
"""Prints the folder with the first inputs of a fuzzer, if it has any: a folder of seeds/, or one that
this makes of the lines of a file there, an input each.

  seeds.py NAME FOLDER   NAME.lines has lines of text, NAME.hex of hexadecimal digits
"""
import os
import pathlib
import sys

SEEDS = pathlib.Path(__file__).parent / "seeds"


def inputs(name):
    """Returns the inputs that stand in a file. Lines of text have no newline at their end."""
    lines, digits = SEEDS / f"{name}.lines", SEEDS / f"{name}.hex"
    if lines.exists():
        return lines.read_bytes().splitlines()
    return [bytes.fromhex(line) for line in digits.read_text().split()] if digits.exists() else []


def main(name, folder):
    if (SEEDS / name).is_dir():
        print(os.path.relpath(SEEDS / name))
    elif inputs(name):
        target = pathlib.Path(folder, name)
        target.mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(inputs(name), 1):
            (target / f"{number:02}").write_bytes(data)
        print(target)


if __name__ == "__main__":
    main(*sys.argv[1:3])
