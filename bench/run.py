#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares kinf with other clients and prints a Markdown table. See README.md.

usage: run.py KINF [--quick] [--only REGEX] [--fresh] [--static PROGRAM]
"""

import argparse
import csv
import hashlib
import platform
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import table
from clients import BIN, CLIENTS, OUT, build_all


@dataclass(frozen=True)
class Group:
    """Rows that share one load server."""
    transport: str
    pods: int
    runs: int
    burst: int = 20_000
    seconds: int = 3
    relist: bool = False
    cold: bool = False


FULL = [
    Group("http", 1, 5, cold=True),
    Group("tls", 1, 5, cold=True),
    Group("http", 10_000, 5, burst=50_000),
    Group("tls", 10_000, 2),
    Group("http", 50_000, 3, relist=True),
    Group("http", 100_000, 1, seconds=2),
]
QUICK = [
    Group("http", 1, 2, cold=True),
    Group("tls", 1, 2, cold=True),
    Group("http", 10_000, 1, seconds=2),
]
LIMIT = 240  # seconds for one row
DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}  # the architectures in names of release files
RELEASED = OUT.parent / f"release-files/kinf-linux-{DEBIAN.get(platform.machine())}"


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


class LoadServer:
    def __init__(self, group):
        self.folder = OUT / "server"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        log = open(self.folder / "log", "w")
        self.process = subprocess.Popen(
            [BIN / "loadserver", "-pods", str(group.pods), "-dir", str(self.folder),
             "-max-life", "90m"], stdout=log, stderr=log)

    def __enter__(self):
        for _ in range(1200):
            if (self.folder / "addrs").exists():
                return self
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        self.__exit__()
        sys.exit("bench: the load server did not start; see " + str(self.folder / "log"))

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def options_of(client, group):
    if group.cold:
        return ["-settle", "0s", "-kill-after-sync"]
    burst = group.burst // 4 if client.slow else group.burst
    options = ["-settle", "1s", "-seconds", str(group.seconds), "-burst", str(burst),
               "-timeout", f"{LIMIT - 20}s"]
    relists = group.relist and not client.slow and client.kind != "bound"  # those do not handle 410
    return options + (["-relist"] if relists else [])


def measure(server, client, group, run, results):
    command = [BIN / "harness", "-name", client.name, "-server", server.folder, "-transport",
               group.transport, "-run", str(run), "-csv", results, "-cmd", client.command,
               "-stderr", server.folder / "stderr", *options_of(client, group), *client.options]
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, timeout=LIMIT)
        if done.returncode != 0:
            say(f"{client.name}: the run failed")
    except subprocess.TimeoutExpired:
        say(f"{client.name}: still running after {LIMIT} s")


def rows_of(results):
    if not results.exists():
        return []
    with open(results, newline="") as file:
        return list(csv.DictReader(file))


def copy_static(given):
    """Copies the static program, given or from a release, to BIN. Returns the names of the copies."""
    (BIN / "kinf-static").unlink(missing_ok=True)
    program = given or RELEASED
    if program.exists():
        shutil.copy2(program, BIN / "kinf-static")
        return {"kinf-static"}
    if given:
        sys.exit(f"bench: there is no {program}")
    say(f"skipping the static program: there is no {program} (./dev release makes it)")
    return set()


def start_over_if_changed(results, fresh):
    """Renames the rows of a different kinf: a table must not mix two."""
    programs = [BIN / name for name in ("kinf", "kinf-static") if (BIN / name).exists()]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in programs)).hexdigest()
    mark = results.with_suffix(".kinf")
    same = mark.exists() and mark.read_text() == digest
    if results.exists() and (fresh or not same):
        results.rename(results.with_suffix(".old.csv"))
        say(f"starting over; earlier rows are in {results.with_suffix('.old.csv')}")
    mark.write_text(digest)


def main():
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__.split("\n")[0])
    parser.add_argument("kinf", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="take five minutes instead of an hour")
    parser.add_argument("--only", default="", metavar="REGEX", help="measure only clients whose names match")
    parser.add_argument("--fresh", action="store_true", help="start over, without earlier rows")
    parser.add_argument("--static", type=Path, metavar="PROGRAM", help="measure this static program "
                        "too (that of build/release-files, if any)")
    arguments = parser.parse_args()
    there = build_all(arguments.quick, say) | copy_static(arguments.static)
    shutil.copy2(arguments.kinf, BIN / "kinf")
    if not {"loadserver", "harness"} <= there:
        sys.exit("bench: the load server and the harness are required")
    results = OUT / ("quick.csv" if arguments.quick else "full.csv")
    start_over_if_changed(results, arguments.fresh)
    clients = [c for c in CLIENTS if c.program in there and re.search(arguments.only, c.name)]
    for group in QUICK if arguments.quick else FULL:
        done = {(r["name"], r["transport"], int(r["n"]), int(r["run"])) for r in rows_of(results)}
        left = [(client, run) for run in range(1, group.runs + 1) for client in clients
                if group.transport in client.transports and group.pods in client.sizes
                and (client.name, group.transport, group.pods, run) not in done]
        if not left:
            continue
        say(f"{group.pods} pods over {group.transport}: {len(left)} rows")
        with LoadServer(group) as server:
            for client, run in left:
                measure(server, client, group, run, results)
    print(table.markdown(rows_of(results), {c.name: c for c in CLIENTS}, BIN))


if __name__ == "__main__":
    main()
