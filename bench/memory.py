#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs `kinf watch pods -A -o json` on a sandbox whose objects change all the time, and prints its
resident memory each minute. Needs no other tools. See README.md.

usage: memory.py KINF [--minutes N] [--objects N] [--rate R]
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path


def memory(pid):
    """Returns the resident memory of a process and its peak, in MiB."""
    text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return [int(re.search(rf"^{name}:\s+(\d+)", text, re.M)[1]) / 1024 for name in ("VmRSS", "VmHWM")]


class Lines(threading.Thread):
    """Reads a pipe and counts its lines."""

    def __init__(self, pipe):
        super().__init__(daemon=True)
        self.pipe, self.count = pipe, 0
        self.start()

    def run(self):
        while block := self.pipe.read1(1 << 20):
            self.count += block.count(b"\n")


def print_memory(watch, minutes):
    lines = Lines(watch.stdout)
    print("| minute | events | resident MiB | peak MiB |\n|---|---|---|---|", flush=True)
    start = time.monotonic()
    for minute in range(1, minutes + 1):
        time.sleep(max(0, start + minute * 60 - time.monotonic()))
        if watch.poll() is not None:
            sys.exit(f"bench: kinf ended with {watch.returncode}")
        resident, peak = memory(watch.pid)
        print(f"| {minute} | {lines.count:,} | {resident:.1f} | {peak:.1f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(prog="./dev bench --memory",
                                     description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("kinf", help=argparse.SUPPRESS)
    parser.add_argument("--minutes", type=int, default=10, help="length of the run (10)")
    parser.add_argument("--objects", type=int, default=50_000, help="number of pods (50,000)")
    parser.add_argument("--rate", type=int, default=1000, help="changes per second (1,000)")
    arguments = parser.parse_args()
    scenario = f"churn:objects={arguments.objects}:rate={arguments.rate}"
    with tempfile.TemporaryDirectory(prefix="kinf-memory.") as folder:
        config = Path(folder, "config")
        command = [arguments.kinf, "sandbox", "-q", "--scenario", scenario, "--kubeconfig-out", config]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
            server.stdout.readline()  # the server is ready, and has written the kubeconfig
            with subprocess.Popen([arguments.kinf, "watch", "pods", "-A", "-o", "json"],
                                  env={**os.environ, "KUBECONFIG": str(config)},
                                  stdout=subprocess.PIPE) as watch:
                try:
                    print_memory(watch, arguments.minutes)
                finally:
                    watch.terminate()
                    server.terminate()


if __name__ == "__main__":
    main()
