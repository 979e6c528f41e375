# SPDX-License-Identifier: Apache-2.0
"""Compares a recording with the history of the sandbox that it recorded, while `kinf record` is
killed again and again. Every change must be in the file once and in order, unless it lies in a
recorded gap.

  verify_recording.py PROGRAM [--changes N] [--objects N] [--rate R] [--kill-every SECONDS]
                      [--cuts N] [--keep FILE]

After each kill, every commit that was seen before it must be in the file. With --cuts, copies of
the write-ahead log are then cut at N random bytes: every commit before the cut must be left.
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

import log_cuts

# A change reaches the two watches at different times, on a busy machine above all.
TOLERANCE = 5
SILENCE = 60  # seconds without a change: something is wrong


class Truth(threading.Thread):
    """Watches the server until it has seen all changes. `changes` are (arrival, type, key,
    version)."""

    def __init__(self, server, expected):
        super().__init__(daemon=True)
        with urllib.request.urlopen(f"{server}/api/v1/pods") as answer:
            listed = json.load(answer)
        self.initial = {version_of(item) for item in listed["items"]}
        self.changes = []
        self.expected = expected
        self.last = time.time()
        version = listed["metadata"]["resourceVersion"]
        self.stream = urllib.request.urlopen(
            f"{server}/api/v1/pods?watch=1&resourceVersion={version}")

    def run(self):
        for line in self.stream:
            event = json.loads(line)
            if event["type"] not in ("ADDED", "MODIFIED", "DELETED"):
                print(f"the reference watch failed: {line[:200]}", flush=True)
                return
            meta = event["object"]["metadata"]
            self.last = time.time()
            self.changes.append((self.last, event["type"], f"{meta['namespace']}/{meta['name']}",
                                 version_of(event["object"])))
            if len(self.changes) == self.expected:
                return

    def is_whole(self):
        if not self.is_alive() and len(self.changes) < self.expected:
            sys.exit(f"the reference watch ended after {len(self.changes)} changes")
        if time.time() > self.last + SILENCE and len(self.changes) < self.expected:
            sys.exit(f"no change for {SILENCE} s after {len(self.changes)} changes")
        return len(self.changes) == self.expected


def version_of(item):
    return int(item["metadata"]["resourceVersion"])


def holds(file, version):
    """Returns whether the last session has synced, and the recording holds the state of a version,
    from a watch or from a list."""
    try:
        database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        synced, listed = database.execute("SELECT synced_seq, CAST(version AS INTEGER) FROM scope "
                                          "ORDER BY id DESC LIMIT 1").fetchone() or (None, 0)
        newest = database.execute("SELECT max(resource_version) FROM version").fetchone()[0]
        database.close()
    except sqlite3.OperationalError:  # it is being created
        return False
    return synced is not None and max(listed, newest or 0) >= version


def has_all(file, truth):
    """Returns whether the scenario has ended, and the recording holds its last change."""
    if not truth.is_whole():
        return False
    if time.time() > truth.last + SILENCE:
        print(f"the recording does not end at the last change, {SILENCE} s after it")
        return True
    return holds(file, truth.changes[-1][3])


class Recorder:
    """Runs `kinf record`, and kills it again and again."""

    def __init__(self, options, kubeconfig, file, cuts):
        self.command = [options.program, "record", "pods", "-A", "-q", "--kubeconfig", kubeconfig,
                        "--to", file]
        self.file = file
        self.kill_every = options.kill_every
        self.cuts = cuts
        self.cuts_after_kill = options.cuts
        self.kills = 0

    def run(self, truth, faults):
        """Records until the file has the last change."""
        while True:
            with subprocess.Popen(self.command) as process:
                until = time.time() + random.uniform(0.3, 1.7) * self.kill_every
                while time.time() < until or truth.is_whole():
                    if process.poll() is not None:
                        sys.exit(f"kinf record ended with {process.returncode}")
                    if has_all(self.file, truth):
                        process.send_signal(signal.SIGINT)
                        return
                    time.sleep(0.02)
                self.kill(process, faults)

    def kill(self, process, faults):
        before = self.last_seq()
        process.kill()
        process.wait()
        self.kills += 1
        try:
            log_cuts.check(self.file)
            after = self.last_seq()
            if after < before:
                faults.add("lost by a kill", f"{before} versions were committed, {after} are left")
            self.cuts.cut(self.cuts_after_kill)
        except sqlite3.DatabaseError as error:
            faults.add("lost by a kill", error)

    def last_seq(self):
        """Returns the `seq` of the last version; 0 if the file is being created. Checks nothing: a
        reader must not be in the way of kinf when it is killed."""
        try:
            return log_cuts.query(self.file, "SELECT ifnull(max(seq), 0) FROM version")[0][0]
        except sqlite3.OperationalError:
            return 0


def newest_at(history, when, at_least):
    """Returns the newest version that was recorded until a time."""
    position = bisect.bisect_right(history, (when, math.inf))
    return max(at_least, history[position - 1][1] if position else 0)


class Faults:
    """Counts faults, and prints the first ones of each kind."""
    KINDS = ("lost", "twice", "out of order", "invented", "at the wrong time", "lost by a kill",
             "lost by a cut")
    PRINTED = 3

    def __init__(self):
        self.counts = collections.Counter()

    def add(self, kind, what):
        self.counts[kind] += 1
        if self.counts[kind] <= self.PRINTED:
            print(f"{kind}: {what}")

    def summary(self):
        return ", ".join(f"{self.counts[kind]} {kind}" for kind in self.KINDS)


def check_versions(database, truth, faults):
    """Checks what is in the file. Returns the recorded versions."""
    recorded = {}
    newest = {}
    known = truth.initial | {version for _, _, _, version in truth.changes}
    for row in database.execute("SELECT seq, resource_version, namespace || '/' || name, type, "
                                "source FROM events WHERE NOT final_state_unknown ORDER BY seq"):
        _, version, key, _, _ = row
        if version in recorded:
            faults.add("twice", f"{recorded[version]} and {row}")
        if version < newest.get(key, 0):
            faults.add("out of order", f"{row} after version {newest[key]}")
        if version not in known:
            faults.add("invented", row)
        recorded[version] = row
        newest[key] = version
    return recorded


def read_gaps(database, first):
    """Returns the gaps: the last version that was recorded before each, that of the list that ended
    it, and the times."""
    history = []  # times, each with the newest version until then
    for when, version in database.execute(
            "SELECT time, resource_version FROM version ORDER BY time"):
        history.append((when, max(version, history[-1][1] if history else 0)))
    gaps = []
    for begin, end, listed in database.execute(
            "SELECT g.begin, g.end, iif(g.reason = 'kinf was stopped', s.version, '') "
            "FROM gap g JOIN scope s ON s.id = g.scope"):
        gaps.append((newest_at(history, begin, first), newest_at(history, end, int(listed or 0)),
                     begin / 1e9, end / 1e9))
    return gaps


def check_gaps(gaps, missing, faults):
    """Checks that each missing change is in a gap. Returns the number of seconds of the one that is
    the furthest from the times of its gap."""
    furthest = 0
    for arrival, kind, key, version in missing:
        gap = next((gap for gap in gaps if gap[0] < version <= gap[1]), None)
        if gap is None:
            nearest = min(gaps, key=lambda gap: abs(gap[0] - version), default="none")
            faults.add("lost", f"{kind} {key} {version} at {arrival:.3f}; nearest gap {nearest}")
            continue
        distance = max(gap[2] - arrival, arrival - gap[3])
        if distance > TOLERANCE:
            faults.add("at the wrong time", f"{kind} {key} {version} at {arrival:.3f}; gap {gap}")
        furthest = max(furthest, distance)
    return furthest


def compare(file, truth, faults):
    """Compares the file with what happened, and prints the figures."""
    database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    recorded = check_versions(database, truth, faults)
    first = int(database.execute(
        "SELECT version FROM scope WHERE synced_seq IS NOT NULL ORDER BY id LIMIT 1").fetchone()[0])
    gaps = read_gaps(database, first)
    missing = [change for change in truth.changes
               if change[3] > first and change[3] not in recorded]
    furthest = check_gaps(gaps, missing, faults)
    updates, size = database.execute("SELECT count(*), avg(bytes) FROM events "
                                     "WHERE type = 'MODIFIED' AND source = 'watch'").fetchone()
    versions = database.execute("SELECT count(*) FROM version").fetchone()[0]
    seconds = truth.changes[-1][0] - truth.changes[0][0]
    print(f"{len(truth.changes)} changes in {seconds:.1f} s ({len(truth.changes) / seconds:.0f}/s), "
          f"{versions} versions recorded, {len(gaps)} gaps with {len(missing)} changes "
          f"(up to {furthest:.1f} s outside their times), "
          f"{updates} updates of {size or 0:.0f} bytes, "
          f"file {pathlib.Path(file).stat().st_size} bytes")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--changes", type=int, default=100_000)
    parser.add_argument("--objects", type=int, default=1000)
    parser.add_argument("--rate", type=int, default=5000)
    parser.add_argument("--kill-every", type=float, default=10)
    parser.add_argument("--cuts", type=int, default=0)
    parser.add_argument("--keep", help="a new file for the recording")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kinf-recording.") as folder:
        kubeconfig = f"{folder}/kubeconfig"
        file = options.keep or f"{folder}/churn.kinf"
        scenario = f"churn:objects={options.objects}:rate={options.rate}:changes={options.changes}"
        with subprocess.Popen([options.program, "sandbox", "--scenario", scenario,
                               "--kubeconfig-out", kubeconfig, "-q"],
                              stdout=subprocess.PIPE) as sandbox:
            sandbox.stdout.readline()
            text = pathlib.Path(kubeconfig).read_text(encoding="utf-8")
            truth = Truth(re.search(r"server: (\S+)", text).group(1).strip('"'),
                          options.changes)
            truth.start()
            faults = Faults()
            cuts = log_cuts.LogCuts(options.program, file, folder)
            recorder = Recorder(options, kubeconfig, file, cuts)
            recorder.run(truth, faults)
            sandbox.terminate()
        print(f"killed {recorder.kills} times; cut the log {cuts.done} times")
        for fault in cuts.faults:
            faults.add("lost by a cut", fault)
        compare(file, truth, faults)
        print(faults.summary())
        sys.exit(1 if faults.counts else 0)


if __name__ == "__main__":
    main()
