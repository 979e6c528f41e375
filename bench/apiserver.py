#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares kinf and kubectl on a real kube-apiserver with many pods: CPU, time and memory until
the whole first list is printed, and the CPU of a second of changes. One Markdown table.

usage: apiserver.py KINF [--pods N] [--runs N]     inside tests/e2e/server/with-apiserver.sh
"""

import argparse
import os
import signal
import statistics
import subprocess
import sys
import time

CHANGES = 1000  # patches, at 100 a second
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid):
    """Returns the user and system time so far."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def peak_mib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


def read_lines(stream, count):
    """Reads `count` lines. Returns false if the stream ends before."""
    return all(stream.readline() for _ in range(count))


def measure(command, lines, changes):
    """Measures one run. The first list has `lines` lines; the command `changes` changes the pods."""
    begin = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=1 << 20) as client:
        if not read_lines(client.stdout, lines):
            sys.exit("bench: " + " ".join(command) + " exited during the first list")
        figures = {"wall": time.monotonic() - begin, "cpu": cpu_seconds(client.pid)}
        with subprocess.Popen(changes, stdout=sys.stderr):
            if not read_lines(client.stdout, CHANGES):
                return {**figures, "ended": 1}  # the server closed the watch and the client exited
        figures["changes"] = cpu_seconds(client.pid) - figures["cpu"]
        figures["peak"] = peak_mib(client.pid)
        client.send_signal(signal.SIGINT)
        client.stdout.read()
    return figures


def clients(kinf, pods):
    """Returns name: (command, lines of the first list)."""
    return {
        "kinf watch pods -A": ([kinf, "watch", "pods", "-A"], pods + 1),
        "kubectl get pods -A -w": (["kubectl", "get", "pods", "-A", "-w"], pods + 1),
        "kinf watch pods -A -o json": ([kinf, "watch", "pods", "-A", "-o", "json"], pods),
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kinf")
    parser.add_argument("--pods", type=int, default=50_000)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    print(f"bench: creating {arguments.pods} pods", file=sys.stderr, flush=True)
    subprocess.run(["kubectl", "create", "namespace", "load"], check=True, stdout=sys.stderr)
    subprocess.run(["loadgen", "create", "-ns", "load", "-n", str(arguments.pods), "-running"],
                   check=True, stdout=sys.stderr)
    churn = ["loadgen", "churn", "-ns", "load", "-n", str(min(CHANGES, arguments.pods)),
             "-rate", "100", "-for", f"{CHANGES / 100:g}s"]
    results = {}
    for run in range(arguments.runs):
        for name, (command, lines) in clients(arguments.kinf, arguments.pods).items():
            print(f"bench: run {run + 1}: {name}", file=sys.stderr, flush=True)
            results.setdefault(name, []).append(measure(command, lines, churn))
    print(f"| {arguments.pods:,} pods, kube-apiserver | CPU s until printed | wall s | "
          "CPU ms per 100 changes | peak MiB | ended by itself |")
    print("|---|---|---|---|---|---|")
    for name, runs in results.items():
        def median(figure, form, factor=1, runs=runs):
            values = [each[figure] for each in runs if figure in each]
            return format(statistics.median(values) * factor, form) if values else ""
        print(f"| `{name}` | {median('cpu', '.2f')} | {median('wall', '.1f')} | "
              f"{median('changes', '.1f', 1e5 / CHANGES)} | {median('peak', '.0f')} | "
              f"{sum('ended' in each for each in runs)} of {len(runs)} |")


if __name__ == "__main__":
    main()
