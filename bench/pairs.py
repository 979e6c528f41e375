#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares two builds of kinf and prints the ratio of each figure with its 95 % interval.

The builds take turns on one load server, each pair in the opposite order of the one before, so that
a change in the speed of the machine hits both. See README.md.

usage: pairs.py KINF OTHER [--pairs N] [--pods N] [--transport http|tls]
"""

import argparse
import math
import shutil
import statistics
import sys
from pathlib import Path

from clients import BIN, JSON_EVENTS, OUT, Client, build_all
from run import Group, LoadServer, measure, rows_of, say

# Two-sided 95 % quantiles of Student's t for 1 to 30 degrees of freedom; 1.96 beyond.
T_95 = [12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13,
        2.12, 2.11, 2.10, 2.09, 2.09, 2.08, 2.07, 2.07, 2.06, 2.06, 2.06, 2.05, 2.05, 2.05, 2.04]

FIGURES = {
    "CPU to sync, s": lambda row: float(row["sync_cpu_s"]),
    "wall to sync, s": lambda row: float(row["sync_s"]),
    "CPU per event, µs": lambda row: float(row["burst_cpu_s"]) / float(row["burst_events"]) * 1e6,
    "p50 of an event, µs": lambda row: float(row["lat_p50_us"]),
    "peak memory, MiB": lambda row: float(row["hwm_end_kb"]) / 1024,
}


def interval(ratios):
    """The geometric mean of the ratios and the ends of its 95 % interval."""
    logs = [math.log(ratio) for ratio in ratios]
    middle = statistics.fmean(logs)
    freedom = len(logs) - 1
    quantile = T_95[freedom - 1] if freedom <= len(T_95) else 1.96
    half = quantile * statistics.stdev(logs) / math.sqrt(len(logs))
    return math.exp(middle), math.exp(middle - half), math.exp(middle + half)


def table(rows):
    """One line per figure: the medians of both builds, and the ratio KINF / OTHER."""
    lines = ["| figure | pairs | other | kinf | kinf / other | 95 % interval |",
             "|---|---|---|---|---|---|"]
    for name, figure in FIGURES.items():
        kinf, other = ({row["run"]: figure(row) for row in rows
                        if row["name"] == build and row["status"] == "ok"}
                       for build in ("kinf", "other"))
        both = sorted(kinf.keys() & other.keys())
        if len(both) < 2:
            sys.exit("bench: fewer than two pairs ended well; see " + str(OUT / "pairs.csv"))
        mean, low, high = interval([kinf[run] / other[run] for run in both])
        lines.append(f"| {name} | {len(both)} | {statistics.median(other[r] for r in both):.3f} "
                     f"| {statistics.median(kinf[r] for r in both):.3f} | {mean:.3f} "
                     f"| {low:.3f} to {high:.3f} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(prog="./dev bench --against",
                                     description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("kinf", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("other", type=Path, help="the build to compare with")
    parser.add_argument("--pairs", type=int, default=20, help="number of pairs (20)")
    parser.add_argument("--pods", type=int, default=10_000, help="number of pods (10,000)")
    parser.add_argument("--transport", choices=["http", "tls"], default="http")
    arguments = parser.parse_args()
    if arguments.pairs < 2:
        parser.error("--pairs needs at least 2")
    tools = {"loadserver", "harness"}
    if not tools <= build_all(True, say, tools):
        sys.exit("bench: comparing needs Go, for the load server and the harness")
    for name in ("kinf", "other"):
        (BIN / f"pairs-{name}").unlink(missing_ok=True)
        shutil.copy2(getattr(arguments, name), BIN / f"pairs-{name}")
    results = OUT / "pairs.csv"
    results.unlink(missing_ok=True)
    group = Group(arguments.transport, arguments.pods, arguments.pairs, seconds=2)
    builds = [Client(name, f"pairs-{name}", "watch pods -A -o json", JSON_EVENTS, kind="kinf")
              for name in ("other", "kinf")]
    with LoadServer(group) as server:
        for run in range(1, arguments.pairs + 1):
            for build in builds:
                measure(server, build, group, run, results)
            builds.reverse()
    print(table(rows_of(results)))


if __name__ == "__main__":
    main()
