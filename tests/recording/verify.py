# SPDX-License-Identifier: Apache-2.0
"""Compares a recording with the history of the sandbox that it recorded, while `kinf record` is
killed again and again. Every change must be in the file once and in order, unless it lies in a
recorded gap.

  verify.py PROGRAM [--changes N] [--objects N] [--rate R] [--kill-every SECONDS]
"""
import argparse
import bisect
import collections
import json
import math
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

# A change reaches the two watches at different times, on a busy machine above all.
TOLERANCE = 5
QUIET = 3  # seconds without a change: the scenario has ended


class Truth(threading.Thread):
    """Watches the server without interruption. `changes` are (arrival, type, key, version)."""

    def __init__(self, server):
        super().__init__(daemon=True)
        with urllib.request.urlopen(f"{server}/api/v1/pods") as answer:
            listed = json.load(answer)
        self.initial = {version_of(item) for item in listed["items"]}
        self.changes = []
        self.last = time.time()
        version = listed["metadata"]["resourceVersion"]
        self.stream = urllib.request.urlopen(
            f"{server}/api/v1/pods?watch=1&resourceVersion={version}")

    def run(self):
        for line in self.stream:
            event = json.loads(line)
            if event["type"] not in ("ADDED", "MODIFIED", "DELETED"):
                sys.exit(f"the reference watch failed: {line[:200]}")
            meta = event["object"]["metadata"]
            self.last = time.time()
            self.changes.append((self.last, event["type"], f"{meta['namespace']}/{meta['name']}",
                                 version_of(event["object"])))


def version_of(item):
    return int(item["metadata"]["resourceVersion"])


def record(program, kubeconfig, file, truth, kill_every):
    """Records until the scenario has ended. Returns the number of kills and the CPU seconds."""
    kills = 0
    while True:
        with subprocess.Popen([program, "record", "pods", "-A", "-q", "--kubeconfig", kubeconfig,
                               "--to", file]) as process:
            until = time.time() + random.uniform(0.3, 1.7) * kill_every
            while time.time() < until and time.time() < truth.last + QUIET:
                time.sleep(0.05)
            if process.poll() is not None:
                sys.exit(f"kinf record ended with {process.returncode}")
            if time.time() >= truth.last + QUIET:
                process.send_signal(signal.SIGINT)
                return kills
            process.kill()
            kills += 1


def newest_at(history, when, at_least):
    """Returns the newest version that was recorded until a time."""
    position = bisect.bisect_right(history, (when, math.inf))
    return max(at_least, history[position - 1][1] if position else 0)


def compare(file, truth):
    """Prints the figures. Returns the number of faults."""
    database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    rows = database.execute("SELECT resource_version, namespace || '/' || name, type, "
                            "final_state_unknown FROM events ORDER BY seq").fetchall()
    history = []  # times, each with the newest version until then
    for when, version in database.execute(
            "SELECT time, resource_version FROM version ORDER BY time"):
        history.append((when, max(version, history[-1][1] if history else 0)))
    faults = collections.Counter()
    recorded = set()
    newest = {}
    known = truth.initial | {version for _, _, _, version in truth.changes}
    for version, key, _, inferred in rows:
        if inferred:
            continue
        faults["twice"] += version in recorded
        faults["out of order"] += version < newest.get(key, 0)
        faults["invented"] += version not in known
        recorded.add(version)
        newest[key] = version
    first = int(database.execute("SELECT version FROM scope ORDER BY id LIMIT 1").fetchone()[0])
    # A gap lasts from the last version that was recorded before it to the list that ended it.
    gaps = []
    for begin, end, listed in database.execute(
            "SELECT g.begin, g.end, iif(g.reason = 'kinf was stopped', s.version, '') "
            "FROM gap g JOIN scope s ON s.id = g.scope"):
        gaps.append((newest_at(history, begin, first), newest_at(history, end, int(listed or 0)),
                     begin / 1e9, end / 1e9))
    in_gaps = 0
    furthest = 0
    for arrival, _, _, version in truth.changes:
        if version in recorded or version <= first:
            continue
        gap = next((gap for gap in gaps if gap[0] < version <= gap[1]), None)
        if gap is None:
            faults["lost"] += 1
            continue
        in_gaps += 1
        furthest = max(furthest, gap[2] - arrival, arrival - gap[3])
    faults["at the wrong time"] = int(furthest > TOLERANCE)
    updates, size = database.execute("SELECT count(*), avg(bytes) FROM events "
                                     "WHERE type = 'MODIFIED' AND source = 'watch'").fetchone()
    seconds = truth.changes[-1][0] - truth.changes[0][0]
    rate = len(truth.changes) / seconds
    print(f"{len(truth.changes)} changes in {seconds:.1f} s ({rate:.0f}/s), "
          f"{len(rows)} versions recorded, {len(gaps)} gaps with {in_gaps} changes "
          f"(up to {furthest:.1f} s outside their times), "
          f"{updates} updates of {size or 0:.0f} bytes, "
          f"file {pathlib.Path(file).stat().st_size} bytes")
    names = ("lost", "twice", "out of order", "invented", "at the wrong time")
    print(", ".join(f"{faults[name]} {name}" for name in names))
    return sum(faults.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--changes", type=int, default=100_000)
    parser.add_argument("--objects", type=int, default=1000)
    parser.add_argument("--rate", type=int, default=5000)
    parser.add_argument("--kill-every", type=float, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kinf-recording.") as folder:
        kubeconfig = f"{folder}/kubeconfig"
        file = f"{folder}/churn.kinf"
        scenario = f"churn:objects={options.objects}:rate={options.rate}:changes={options.changes}"
        with subprocess.Popen([options.program, "sandbox", "--scenario", scenario,
                               "--kubeconfig-out", kubeconfig, "-q"],
                              stdout=subprocess.PIPE) as sandbox:
            sandbox.stdout.readline()
            text = pathlib.Path(kubeconfig).read_text(encoding="utf-8")
            truth = Truth(re.search(r"server: (\S+)", text).group(1).strip('"'))
            truth.start()
            kills = record(options.program, kubeconfig, file, truth, options.kill_every)
            sandbox.terminate()
        print(f"killed {kills} times")
        sys.exit(1 if compare(file, truth) else 0)


if __name__ == "__main__":
    main()
