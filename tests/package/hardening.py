#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that a release build of the program has the protections of cmake/hardening.cmake.

usage: hardening.py [--static] PROGRAM

--static: for a static program for x86_64 without symbols, made with clang and libc++.
"""
import argparse
import re
import subprocess
import sys

# What readelf prints for a program with the protection.
HEADERS = {
    "a random address (PIE)": r"\(FLAGS_1\).*\bPIE\b",
    "relocations that are read-only": r"^\s+GNU_RELRO\s",
    "relocations that are done at the start": r"\(FLAGS_1\).*\bNOW\b",
    "a stack that is not executable": r"^\s+GNU_STACK\s.*\sRW\s",
}
IMPORTS = {
    "stack protectors": r"__stack_chk_fail",
    "checked copies (_FORTIFY_SOURCE)": r"\b__read_chk\b",
    "assertions of the C++ library": r"__glibcxx_assert_fail",
}
# Instructions, and how often they are in the program at least. libc++ ends the program with ud2.
INSTRUCTIONS = {
    "stack protectors": (r"%fs:0x28", 2000),
    "assertions of the C++ library": (r"\bud2\b", 500),
}


def printed(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def missing_parts(program, static):
    """Returns the names of the protections that `program` lacks."""
    text = printed("readelf", "--wide", "--program-headers", "--dynamic", "--dyn-syms", program)
    patterns = HEADERS if static else {**HEADERS, **IMPORTS}
    missing = [name for name, pattern in patterns.items() if not re.search(pattern, text, re.M)]
    if static:
        code = printed("objdump", "--disassemble", "--no-show-raw-insn", program)
        missing += [name for name, (pattern, least) in INSTRUCTIONS.items()
                    if len(re.findall(pattern, code)) < least]
    return missing


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--static", action="store_true")
    parser.add_argument("program")
    options = parser.parse_args()
    missing = missing_parts(options.program, options.static)
    for name in missing:
        print(f"{options.program}: lacks {name}")
    count = len(HEADERS) + len(INSTRUCTIONS if options.static else IMPORTS)
    print(f"{count - len(missing)} passed, {len(missing)} failed")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
