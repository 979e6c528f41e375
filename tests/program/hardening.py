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
# Instructions of x86_64, and how often they are in the program at least. A property of the program
# (readelf -n) is not asked for: the linker leaves it out where the start files of the C library lack it.
X86_64 = "Advanced Micro Devices X86-64"
INSTRUCTIONS = {
    "landing pads of indirect calls (control-flow protection)": (r"\bendbr64\b", 5000),
    "probes of large stack frames (stack-clash protection)":
        (r"\bor[bwlq]? +\$0x0,(0x[0-9a-f]+)?\(%rsp\)", 10),
}
# The same for a static program. libc++ ends the program with ud2.
STATIC_INSTRUCTIONS = {
    "stack protectors": (r"%fs:0x28", 2000),
    "assertions of the C++ library": (r"\bud2\b", 500),
}


def printed(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def demands(program, static):
    """Returns the patterns and the instructions that `program` must have."""
    if static:
        return HEADERS, STATIC_INSTRUCTIONS
    is_x86_64 = X86_64 in printed("readelf", "--file-header", program)
    return {**HEADERS, **IMPORTS}, INSTRUCTIONS if is_x86_64 else {}


def missing_parts(program, patterns, instructions):
    """Returns the names of the protections that `program` lacks."""
    text = printed("readelf", "--wide", "--program-headers", "--dynamic", "--dyn-syms", program)
    missing = [name for name, pattern in patterns.items() if not re.search(pattern, text, re.M)]
    code = printed("objdump", "--disassemble", "--no-show-raw-insn", program) if instructions else ""
    return missing + [name for name, (pattern, least) in instructions.items()
                      if len(re.findall(pattern, code)) < least]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--static", action="store_true")
    parser.add_argument("program")
    options = parser.parse_args()
    patterns, instructions = demands(options.program, options.static)
    missing = missing_parts(options.program, patterns, instructions)
    for name in missing:
        print(f"{options.program}: lacks {name}")
    count = len(patterns) + len(instructions)
    print(f"{count - len(missing)} passed, {len(missing)} failed")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
