# SPDX-License-Identifier: Apache-2.0
"""Records which functions a short run of kinf calls. The linker puts them beside each other: the kernel
reads a program in blocks of 64 KiB, so a run then takes half of the memory."""
import os
import pathlib
import re
import subprocess
import tempfile

import program
from settings import ROOT, say

OFFLINE = "--sandbox=nettool"
RUNS = [
    ["--version"],
    ["get", "--help"],
    ["get", "pods", "-A", OFFLINE],
    ["get", "pods", "-A", OFFLINE, "-o", "json"],
    ["get", "pods", "-A", OFFLINE, "-o", "yaml"],
    ["get", "pods", "-A", OFFLINE, "-l", "app", "--sort-by", ".metadata.name"],
    ["index", "pods", "-A", OFFLINE, "--by", "app"],
    ["watch", "pods", "-A", OFFLINE, "--timeout", "5s"],
    ["get", "pods", "-A"],
]
# Runs valgrind with an API server, for the last run.
SERVER = ["sandbox", "--tls", "--scenario", "nettool", "--"]


def called(kinf, arguments):
    """Runs `kinf` under valgrind, and returns the names of the functions that it calls."""
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder, "calls")
        subprocess.run([kinf, *SERVER, "valgrind", "--quiet", "--tool=callgrind", "--demangle=no",
                        f"--callgrind-out-file={profile}", kinf, *arguments],
                       stdout=subprocess.DEVNULL, check=False, timeout=300,
                       env={"HOME": folder, "PATH": os.environ["PATH"]})
        text = profile.read_text(encoding="utf-8")
    names = re.findall(r"^c?fn=\(\d+\) ([\w.$]+)", text, re.M)
    return {name for name in names if not name.startswith("0x")}


def record(built):
    """Writes the list of functions, from the program in the folder `built`."""
    kinf = program.with_symbols(built)
    names = set()
    for arguments in RUNS:
        found = called(kinf, arguments)
        say(f"kinf {' '.join(arguments)}: {len(found)} functions")
        names |= found
    program.SYMBOLS.write_text("\n".join(sorted(names)) + "\n", encoding="utf-8")
    say(f"{len(names)} functions are in {program.SYMBOLS.relative_to(ROOT)}")
