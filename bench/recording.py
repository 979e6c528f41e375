# SPDX-License-Identifier: Apache-2.0
"""Measures what recordings cost, for `./dev bench --recording`.

  recording.py PROGRAM WRITER [--pods N] [--versions N]
"""
import argparse
import datetime
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


if __name__ == "__main__":
    main()
