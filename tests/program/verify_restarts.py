# SPDX-License-Identifier: Apache-2.0
"""Starts `kinf record` and `kinf watch --state` again and again, while the sandbox changes objects.
Every second time, they are killed. Within the server's window, each change must be recorded once,
without a gap, and printed; a change may be printed again only by the first start after a kill.

  verify_restarts.py PROGRAM [--restarts N] [--objects N] [--rate R] [--every SECONDS]
"""
import argparse
import json
import pathlib
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from verify_recording import SILENCE, Faults, Truth, check_versions, has_all, version_of


class Watch:
    """What the starts of `kinf watch --state` have printed."""

    def __init__(self, folder):
        self.folder = folder
        self.starts = []  # the path of the output, and whether the start was killed

    def next(self):
        self.starts.append([f"{self.folder}/out{len(self.starts)}", False])
        return open(self.starts[-1][0], "wb")

    def read(self):
        """Returns the printed changes of each start, and whether it was killed. A line that a kill
        has cut is none."""
        for path, is_killed in self.starts:
            text = pathlib.Path(path).read_bytes()
            lines = text[:text.rfind(b"\n") + 1].splitlines()
            yield [json.loads(line) for line in lines], is_killed

    def has(self, version):
        text = b"".join(pathlib.Path(path).read_bytes() for path, _ in self.starts[-2:])
        return f'"resourceVersion":"{version}"'.encode() in text

    def check(self, truth, faults):
        """Returns how many changes were printed again after a kill."""
        printed = set()
        repeated = 0
        after_kill = False
        listed = None  # the version of the first list: what came before may be missing
        for events, is_killed in self.read():
            for event in events:
                version = version_of(event["object"])
                if event["type"] == "BOOKMARK":
                    listed = listed or version
                    continue
                if version in printed and not after_kill:
                    faults.add("twice", f"{event['type']} {version}")
                repeated += version in printed
                printed.add(version)
            after_kill = is_killed
        if listed is None:
            faults.add("lost", "the end of the first list")
        for _, kind, key, version in truth.changes:
            if version > max(listed or 0, max(truth.initial)) and version not in printed:
                faults.add("lost", f"{kind} {key} {version}")
        return repeated


def can_continue(path):
    """Returns whether a file has its first list, and the version from which a watch goes on."""
    try:
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            rows = database.execute("SELECT synced_seq, resume_version FROM scope").fetchall()
        finally:
            database.close()
    except sqlite3.Error:
        return False
    return bool(rows) and all(synced is not None and version for synced, version in rows)


def run_all(options, kubeconfig, folder, truth):
    """Starts both commands until they have been ended `options.restarts` times, and once more until
    they have the last change. Returns the recording and what was printed."""
    recording = f"{folder}/restarts.kinf"
    watch = Watch(folder)
    common = ["pods", "-A", "-q", "--kubeconfig", kubeconfig]
    record_command = [options.program, "record", *common, "--to", recording]
    watch_command = [options.program, "watch", *common, "--state", f"{folder}/state", "-o", "json",
                     "--output-watch-events", "--bookmarks=end"]
    for restart in range(options.restarts + 1):
        with watch.next() as output, subprocess.Popen(record_command) as record, \
                subprocess.Popen(watch_command, stdout=output) as watching:
            both = (record, watching)
            if restart < options.restarts:
                time.sleep(options.every)
                # A start that ends before its first list is complete leaves nothing to go on from.
                files = (recording, f"{folder}/state")
                while restart == 0 and not all(map(can_continue, files)) \
                        and all(process.poll() is None for process in both):
                    time.sleep(0.05)
            else:
                while not (has_all(recording, truth) and watch.has(truth.changes[-1][3])):
                    if truth.is_whole() and time.time() > truth.last + SILENCE:
                        print("the last change is missing")
                        break
                    time.sleep(0.05)
            is_killed = restart % 2 == 1 and restart < options.restarts
            for process in both:
                if process.poll() is not None:
                    sys.exit(f"{process.args[1]} ended with {process.returncode}")
                process.send_signal(signal.SIGKILL if is_killed else signal.SIGINT)
        watch.starts[-1][1] = is_killed
    return recording, watch


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--restarts", type=int, default=50)
    parser.add_argument("--objects", type=int, default=100)
    parser.add_argument("--rate", type=int, default=300)
    parser.add_argument("--every", type=float, default=1)
    options = parser.parse_args()
    changes = int(options.restarts * options.every * options.rate)
    scenario = f"churn:objects={options.objects}:rate={options.rate}:changes={changes}"
    with tempfile.TemporaryDirectory(prefix="kinf-restarts.") as folder:
        kubeconfig = f"{folder}/kubeconfig"
        with subprocess.Popen([options.program, "sandbox", "--scenario", scenario,
                               "--kubeconfig-out", kubeconfig, "-q"],
                              stdout=subprocess.PIPE) as sandbox:
            sandbox.stdout.readline()
            text = pathlib.Path(kubeconfig).read_text(encoding="utf-8")
            truth = Truth(re.search(r"server: (\S+)", text).group(1).strip('"'), changes)
            truth.start()
            recording, watch = run_all(options, kubeconfig, folder, truth)
            sandbox.terminate()
        faults = Faults()
        database = sqlite3.connect(f"file:{recording}?mode=ro", uri=True)
        recorded = check_versions(database, truth, faults)
        first = int(database.execute("SELECT version FROM scope WHERE synced_seq IS NOT NULL "
                                     "ORDER BY id LIMIT 1").fetchone()[0])
        for _, kind, key, version in truth.changes:
            if version > first and version not in recorded:
                faults.add("lost", f"{kind} {key} {version} in the recording")
        for row in database.execute("SELECT * FROM gaps"):
            faults.add("gap", row)
        repeated = watch.check(truth, faults)
        print(f"{len(truth.changes)} changes, {options.restarts} restarts, {len(recorded)} versions "
              f"recorded; {repeated} changes printed again after a kill")
        print(f"{faults.summary()}, {faults.counts['gap']} gaps")
        sys.exit(1 if faults.counts else 0)


if __name__ == "__main__":
    main()
