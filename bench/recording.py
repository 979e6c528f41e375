# SPDX-License-Identifier: Apache-2.0
"""Measures what recordings cost, for `./dev bench --recording`.

  recording.py PROGRAM WRITER [--pods N] [--versions N]
"""
import argparse
import datetime
import resource
import sqlite3
import subprocess
import tempfile
import time


def wall_seconds(command, runs):
    """Returns the least time of a command."""
    times = []
    for _ in range(runs):
        begin = time.monotonic()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        times.append(time.monotonic() - begin)
    return min(times)


def cpu_seconds(command, runs):
    """Returns the least CPU time of a command."""
    times = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


def middle(file):
    """Returns the name of a pod, and the resourceVersion of the version in the middle."""
    database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    last = database.execute("SELECT max(seq) FROM version").fetchone()[0]
    return database.execute("SELECT name, resource_version FROM version JOIN object ON id = object "
                            "WHERE seq = ?", (last // 2,)).fetchone()


def moment(file, share):
    """Returns the time when a share of the versions was recorded, in RFC 3339."""
    database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    last = database.execute("SELECT max(seq) FROM version").fetchone()[0]
    at = database.execute("SELECT time FROM version WHERE seq = ?", (int(last * share),)).fetchone()[0]
    return datetime.datetime.fromtimestamp(at // 10**9 + 1, datetime.timezone.utc).isoformat()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("writer")
    parser.add_argument("--pods", type=int, default=100_000)
    parser.add_argument("--versions", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kinf-recording.") as folder:
        print("| part | | |\n|---|---|---|", flush=True)
        subprocess.run([options.writer, folder, str(options.pods), str(options.versions)], check=True)
        file = f"{folder}/state.kinf"
        get = [options.program, "get", "pods", "-A", "-o", "name", "--from", file]
        nothing = [options.program, "get", "pods", "none", "-n", "none", "--from", file]
        print(f"| open a recording of {options.pods:,} pods, {options.versions} versions of each "
              f"| {wall_seconds(nothing, 5) * 1000:.0f} | ms |", flush=True)
        for share in (0.1, 0.35, 0.7, 0.95):
            taken = wall_seconds(get + ["--at", moment(file, share)], 3)
            print(f"| the state after {share:.0%} of the changes (--at) | {taken * 1000:.0f} | ms |",
                  flush=True)
        pod, version = middle(file)
        one = ["-n", "shop", "--from", file]
        for name, command in (
                ("history of one pod", ["history", f"pod/{pod}"] + one),
                ("watch of one pod (--from)", ["watch", f"pod/{pod}"] + one),
                ("one pod at a resourceVersion (--at rv=N)", ["get", f"pod/{pod}", "--at", f"rv={version}"] + one),
                ("all pods at a resourceVersion", get[1:] + ["--at", f"rv={version}"])):
            taken = cpu_seconds([options.program] + command, 3)
            print(f"| {name}, CPU | {taken * 1000:.0f} | ms |", flush=True)


if __name__ == "__main__":
    main()
