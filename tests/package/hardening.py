#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that a release build of the program has the protections of cmake/hardening.cmake.

usage: hardening.py PROGRAM
"""
import re
import subprocess
import sys

# What readelf prints for a program with the protection.
PROTECTIONS = {
    "a random address (PIE)": r"\(FLAGS_1\).*\bPIE\b",
    "relocations that are read-only": r"^\s+GNU_RELRO\s",
    "relocations that are done at the start": r"\(FLAGS_1\).*\bNOW\b",
    "a stack that is not executable": r"^\s+GNU_STACK\s.*\sRW\s",
    "stack protectors": r"__stack_chk_fail",
    "checked copies (_FORTIFY_SOURCE)": r"\b__read_chk\b",
    "assertions of the C++ library": r"__glibcxx_assert_fail",
}


def main(program):
    text = subprocess.run(["readelf", "--wide", "--program-headers", "--dynamic", "--dyn-syms", program],
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    missing = [name for name, pattern in PROTECTIONS.items() if not re.search(pattern, text, re.M)]
    for name in missing:
        print(f"{program}: lacks {name}")
    print(f"{len(PROTECTIONS) - len(missing)} passed, {len(missing)} failed")
    return 1 if missing else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
